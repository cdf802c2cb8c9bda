import type { OpenLine } from '../workers/api';

/** Window sizes people know; the dial snaps to none of them, they only seed it. */
const WINDOWS = [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000];

/** Tokens of the whole line if nothing ever left it: fixed overhead and every block, without message overhead. */
function wholeTokens(line: Pick<OpenLine, 'blocks' | 'facts'>): number {
  let sum = line.facts.toolSchemaTokens;
  for (const tokens of line.blocks.tokens) sum += tokens;
  return sum;
}

/** The largest familiar window that this run would overflow, so that policies have something to do from the start. */
export function autoBudget(line: Pick<OpenLine, 'blocks' | 'facts'>): number {
  let budget = budgets.get(line);
  if (budget === undefined) budgets.set(line, (budget = budgetFor(line)));
  return budget;
}

/** It is asked for with every step, and sums over every block of the line. */
const budgets = new WeakMap<Pick<OpenLine, 'blocks' | 'facts'>, number>();

function budgetFor(line: Pick<OpenLine, 'blocks' | 'facts'>): number {
  const whole = wholeTokens(line);
  const fits = WINDOWS.filter((window) => window <= whole * 0.9 && window > line.facts.fixedOverhead * 1.25);
  return fits.at(-1) ?? WINDOWS.find((window) => window > line.facts.fixedOverhead * 1.25) ?? 200_000;
}
