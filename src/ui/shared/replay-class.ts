import type { ReplayClass } from '../../core/workspace/types';

/** What a replay's summaries are made of, shown wherever its results are (policies.md). */
const CLASS_WORDS: Record<ReplayClass, string> = { exact: 'exact', 'recorded-words': 'recorded words', 'stand-in': 'stand-in summaries', 'size-only': 'sizes only' };

/** The words for a replay of a policy: by hand is exact, but no rule of anybody's. */
export const classWords = (policy: string, replayClass: ReplayClass): string => (policy === 'manual' ? 'exact (by hand)' : CLASS_WORDS[replayClass]);

export const CLASS_HELP: Record<ReplayClass, string> = {
  exact: 'Its rule needs no model: the replay does exactly what the policy would have done to these blocks.',
  'recorded-words': 'Summaries take the words that the recorded run holds.',
  'stand-in': 'A model would have written its summaries. Here a deterministic extract stands in for them, so what they keep is an estimate.',
  'size-only': 'Only sizes are replayed: which words would stay cannot be told without the model.',
};
