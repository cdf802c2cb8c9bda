/** What a comparison shows of one replay: its totals, and a row a step for a strip of it. Small enough to send by the dozen. */
import { costOf, type CostColumns, type ReplayCost } from './cost';
import { PAPER_PRICES } from './prices';
import { REMOVING_OPS, RETURNING_OPS } from './removing-ops';
import { SWATCHES, STEP_MODES, type Replay, type ReplayTotals } from './types';

/** Bits of `StripColumns.events`. */
export const STRIP_EVENT = { out: 1, back: 2, lost: 4, over: 8, infeasible: 16 } as const;

/** One row a step (index 0 = step 1). */
export interface StripColumns {
  n: number;
  contextTokens: Uint32Array;
  /** SWATCHES.length numbers a step; they sum to contextTokens. */
  bySwatch: Uint32Array;
  /** STRIP_EVENT bits: something left the context, came back, was needed and lost; the step is above B, or cannot be within it. */
  events: Uint8Array;
  /** What any price book needs. */
  cost: CostColumns;
}

export type ReplaySummary = Pick<Replay, 'policy' | 'params' | 'replayClass' | 'causal' | 'budget' | 'fixedOverhead' | 'protocolTokens' | 'exactRecovery' | 'outcomes' | 'encoder' | 'notes'> & {
  steps: number;
  totals: ReplayTotals;
  /** Tokens of the dashboard summed over all calls: part of `totals.trajectoryTokens`. */
  dashboardTokens: number;
  /** At the prices of VISTA; management calls apart. */
  cost: ReplayCost['totals'];
  /** Left out where only totals were asked for. */
  strip: StripColumns | null;
};

export function summarise(replay: Replay, withStrip: boolean): ReplaySummary {
  const { policy, params, replayClass, causal, budget, fixedOverhead, protocolTokens, exactRecovery, steps, totals, outcomes, encoder, notes } = replay;
  let dashboardTokens = 0;
  for (const tokens of steps.dashboardTokens) dashboardTokens += tokens;
  return { policy, params, replayClass, causal, budget, fixedOverhead, protocolTokens, exactRecovery, steps: steps.n, totals, dashboardTokens, cost: costOf(replay, PAPER_PRICES).totals, strip: withStrip ? stripOf(replay) : null, ...(outcomes ? { outcomes } : {}), ...(encoder ? { encoder } : {}), ...(notes ? { notes } : {}) };
}

function stripOf({ steps, ops }: Replay): StripColumns {
  const normal = STEP_MODES.indexOf('normal');
  const events = new Uint8Array(steps.n);
  for (let row = 0; row < steps.n; row++) {
    let bits = 0;
    if ((steps.lostWeight[row] ?? 0) > 0) bits |= STRIP_EVENT.lost;
    if ((steps.mode[row] ?? normal) !== normal) bits |= STRIP_EVENT.over;
    if (steps.infeasible[row] === 1) bits |= STRIP_EVENT.infeasible;
    events[row] = bits;
  }
  for (const { op, step } of ops) {
    if (step < 1 || step > steps.n) continue;
    if (REMOVING_OPS.has(op)) events[step - 1]! |= STRIP_EVENT.out;
    else if (RETURNING_OPS.has(op)) events[step - 1]! |= STRIP_EVENT.back;
  }
  return { n: steps.n, contextTokens: steps.contextTokens.slice(), bySwatch: steps.bySwatch.slice(0, steps.n * SWATCHES.length), events, cost: costColumns(steps) };
}

function costColumns({ n, contextTokens, prefixTokens, outputTokens, managementInput, managementOutput }: CostColumns): CostColumns {
  return { n, contextTokens, prefixTokens, outputTokens, managementInput, managementOutput };
}
