/** Which steps are looked at, and how that is said. */
import type { Replay } from '../types';
import type { InvariantResult } from './types';

export const SAMPLE_STEPS = 16;

/** Evenly over the run, with the first step in which something left the context; ascending. */
export function sampledSteps({ steps, ops }: Replay, most: number): number[] {
  if (steps.n <= most) return Array.from({ length: steps.n }, (_, i) => i + 1);
  const chosen = new Set<number>([steps.n]);
  const firstOp = ops.find(({ op, step }) => op !== 'admit' && step <= steps.n);
  if (firstOp) chosen.add(firstOp.step);
  for (let k = 0; k < most; k++) {
    if (chosen.size >= most) break;
    chosen.add(1 + Math.floor((k * steps.n) / most));
  }
  return [...chosen].sort((a, b) => a - b);
}

export const stepWords = (n: number, of: number): string => (n >= of ? `${of} ${of === 1 ? 'step' : 'steps'}` : `${n} of ${of} steps`);

export const holds = (invariant: number, checked: string, detail = ''): InvariantResult => ({ invariant, verdict: 'holds', at: null, detail, checked });
export const violated = (invariant: number, at: number, detail: string, checked: string): InvariantResult => ({ invariant, verdict: 'violated', at, detail, checked });

/** The same entry of two logs? */
export const sameOp = (a: Replay['ops'][number] | undefined, b: Replay['ops'][number] | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);
