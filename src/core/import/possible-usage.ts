import type { Trajectory, Usage } from '../trace/model';
import type { TrajectoryDraft } from './format';

/** No model call and no run takes more tokens than this: a larger number is a fault of the writer. */
const MAX_TOKENS = 1e12;
const WARNING = /^\d+ recorded token counts? cannot be true /;

/** Can a count of tokens be true? Not if it is negative, no number, infinite, or larger than anything that ever ran. */
export function isPossibleTokens(tokens: number): boolean {
  return tokens >= 0 && tokens <= MAX_TOKENS;
}

/** A draft whose sums are possible, and which says how many numbers of its rows and sums were dropped because they are not. */
export function possibleUsage({ impossibleUsages = 0, ...draft }: TrajectoryDraft): Omit<Trajectory, 'id' | 'indexInFile' | 'format'> {
  const usage: Usage = { ...draft.usage };
  let dropped = impossibleUsages;
  for (const name of Object.keys(usage) as (keyof Usage)[]) {
    const value = usage[name];
    if (value === null || isPossibleTokens(value)) continue;
    usage[name] = null;
    dropped++;
  }
  if (dropped === 0) return draft;
  const text = `${dropped} recorded token count${dropped === 1 ? '' : 's'} cannot be true (negative, not finite, or above 1e12) and ${dropped === 1 ? 'was' : 'were'} left out.`;
  return { ...draft, usage, warnings: [...draft.warnings, text] };
}

export function isUsageWarning(text: string): boolean {
  return WARNING.test(text);
}
