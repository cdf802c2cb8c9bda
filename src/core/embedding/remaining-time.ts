import { encoderPlan } from './registry';
import { WINDOW_PIECES } from './windows';
import type { EncoderId } from './types';

/** Characters a word piece in agent runs (measured on the samples: 2.5 to 4). */
const CHARS_PER_PIECE = 3.3;

/** Work of a text in characters: what goes past the last window that is run costs nothing. */
function costOf(chars: number, id: EncoderId): number {
  const plan = encoderPlan(id);
  return plan.kind === 'windows' && plan.most !== null ? Math.min(chars, plan.most * WINDOW_PIECES * CHARS_PER_PIECE) : chars;
}

/** Estimates how long the rest takes from how long the part done took; `chars`: lengths of all texts to compute. */
export function remainingTime(chars: readonly number[], id: EncoderId, now: () => number): { start(): void; finish(chars: number): void; seconds(): number } {
  let left = chars.reduce((sum, n) => sum + costOf(n, id), 0);
  let finished = 0;
  let startedMs = 0;
  return {
    start: () => {
      startedMs = now();
    },
    finish: (n) => {
      finished += costOf(n, id);
      left -= costOf(n, id);
    },
    /** NaN before the first text is finished. */
    seconds: () => (finished === 0 ? NaN : (Math.max(0, left) * (now() - startedMs)) / finished / 1000),
  };
}
