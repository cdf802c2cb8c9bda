/**
 * Issue 5, Done-when 6: `recorded` reproduces the cached input that providers recorded within 10 %, in their tokens (one factor
 * over a run takes out tokenizer and unrecorded system prompt) and with expiry by the timestamps. The pi sample is 9.1 % above:
 * 34 calls that the record calls misses although the bytes before them had not changed and less than five minutes had passed.
 * All but one answer a new message of the user, the one comes after a call that failed; over all other calls the sum is right
 * to 0.05 %. Our inference, which the file can neither show nor refute: the harness builds its system prompt anew at such a
 * message, outside of what it records.
 */
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../core/tokens/counter';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { reproduceCache, type CacheReproduction } from '../core/workspace/cache-reproduction';
import { PAPER_PRICES, PRICE_PRESETS, type PriceTable } from '../core/workspace/prices';
import { replay } from '../core/workspace/replay';
import { hasShared, sharedPath } from '../testing/shared';
import { parseCommand } from './args';
import { LINE_OPTIONS, withLine } from './load-line';

/** The provider's rules: Anthropic caches from 1 024 tokens for five minutes, OpenAI in granules of 128. */
const ANTHROPIC = PRICE_PRESETS.find(({ id }) => id === 'claude-sonnet-4-5') ?? PAPER_PRICES;
const OPENAI = PRICE_PRESETS.find(({ id }) => id === 'gpt-5') ?? PAPER_PRICES;

async function reproduced(sample: string, prices: PriceTable): Promise<CacheReproduction & { kindsBefore: (number | undefined)[] }> {
  return withLine(parseCommand([sharedPath('trajectories', sample)], LINE_OPTIONS), async ({ reader, trajectory, line, rows }) => {
    const counter = await loadTokenCounter('o200k_base');
    const { blocks, facts, evidence, recorded } = await analyseRecordedLine(reader, trajectory, line, counter);
    const replayed = replay({ blocks, facts, evidence, recorded }, { policy: 'recorded', budget: 1_000_000 }, (text) => counter.count(text));
    const times = Float64Array.from(facts.stepMessage, (position) => trajectory.columns.timestampMs[rows[position] ?? -1] ?? NaN);
    // Kind of the block that each missed call answers.
    const missed = [...facts.measuredCached.keys()].filter((i) => i > 0 && facts.measuredCached[i] === 0 && (replayed.steps.prefixTokens[i] ?? 0) >= prices.cache.minimum);
    const kindsBefore = missed.map((i) => blocks.kind[blocks.messageIndex.indexOf(facts.stepMessage[i] ?? 0) - 1]);
    return { ...reproduceCache(replayed, facts, prices, times), kindsBefore };
  });
}

const USER = 2;

describe.skipIf(!hasShared)('cached input as recorded', () => {
  it('pi: within 10 %, and what is too much is 34 calls after a new message of the user', async () => {
    const found = await reproduced('pi/large-session.jsonl', ANTHROPIC);
    expect(found).toMatchObject({ steps: 439, recordedInput: 47_526_750, recordedCached: 43_229_469, expiredSteps: 3, expiredAsRecorded: 3, missedSteps: 34 });
    expect(Math.abs(found.ratio! - 1)).toBeLessThan(0.1);
    expect(Math.abs(found.ratioElsewhere! - 1)).toBeLessThan(0.001);
    expect(found.kindsBefore).toHaveLength(37);
    expect(found.kindsBefore.filter((kind) => kind !== USER)).toHaveLength(1);
  });

  it.each([
    ['codex/gpt-5-2-codex-quickjs.jsonl', OPENAI],
    ['claude-code/opus-4-6-envoy-task-todos.jsonl', ANTHROPIC],
    ['opencode/silent-panda-102-tools.json', OPENAI],
    ['gemini-cli/gemini-3-pro-blosc.json', OPENAI],
  ] as const)('%s: within 10 %%', async (sample, prices) => {
    const { ratio, recordedCached } = await reproduced(sample, prices);
    expect(recordedCached).toBeGreaterThan(2e6);
    expect(Math.abs(ratio! - 1)).toBeLessThan(0.1);
  });
});
