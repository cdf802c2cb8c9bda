import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { reproduceCache } from './cache-reproduction';
import { PRICE_PRESETS, type PriceTable } from './prices';
import { replay } from './replay';

const BOOK: PriceTable = { ...PRICE_PRESETS[0]!, cache: { granularity: 1, minimum: 1 }, cacheExpiryMs: 300_000 };

/** Four calls of 164, 1286, 1994 and 2402 counted tokens, each a continuation of the one before. */
const INPUT = inputOf(blocksOf('S 100, T 50, A 100, O 1000 read, A 100, O 600 bash, A 100, O 300 grep, A 10'));
const recorded = replay(INPUT, { policy: 'recorded', budget: 9000 }, countWords);
const contexts = [...recorded.steps.contextTokens];
const prefixes = [...recorded.steps.prefixTokens];

/** The provider counts twice as many tokens as we do. */
const facts = (cached: readonly number[]) => ({
  ...INPUT.facts, measuredInput: Float64Array.from(contexts, (tokens) => 2 * tokens), measuredCached: Float64Array.from(cached),
});
const minutes = (...at: number[]): Float64Array => Float64Array.from(at, (minute) => minute * 60_000);

describe('recorded cache reads', () => {
  const all = prefixes.map((tokens) => 2 * tokens);

  it('are reproduced exactly where only the tokenizer differs', () => {
    const found = reproduceCache(recorded, facts(all), BOOK, minutes(0, 1, 2, 3));
    expect(found).toMatchObject({ steps: 4, scale: 2, expiredSteps: 0, missedSteps: 0 });
    expect(found.ratio).toBeCloseTo(1, 12);
    expect(found.recordedCached).toBe(all.reduce((sum, tokens) => sum + tokens, 0));
  });

  it('a prefix that no call used for too long is gone, as the record says', () => {
    const found = reproduceCache(recorded, facts([all[0]!, all[1]!, 0, all[3]!]), BOOK, minutes(0, 1, 9, 10));
    expect(found).toMatchObject({ expiredSteps: 1, expiredAsRecorded: 1, missedSteps: 0 });
    expect(found.ratio).toBeCloseTo(1, 12);
  });

  it('a miss that neither bytes nor time explain is told apart', () => {
    const found = reproduceCache(recorded, facts([all[0]!, all[1]!, 0, all[3]!]), BOOK, minutes(0, 1, 2, 3));
    expect(found).toMatchObject({ missedSteps: 1, missedTokens: all[2] });
    expect(found.ratio).toBeCloseTo((all[1]! + all[2]! + all[3]!) / (all[1]! + all[3]!), 12);
    expect(found.ratioElsewhere).toBeCloseTo(1, 12);
  });

  it('says nothing without a record', () => {
    expect(reproduceCache(recorded, INPUT.facts, BOOK, minutes(0, 1, 2, 3))).toMatchObject({ steps: 0, ratio: null, ratioElsewhere: null });
  });
});
