/**
 * How well the prefix arithmetic of evidence.md §2 reproduces a provider's recorded cache reads (issue 5, Done-when 6). Our
 * tokenizer is not the provider's, and a record may lack the system prompt: one factor over the whole run, recorded input ÷
 * counted input, takes both out (model.md §2). What is left is told apart by step.
 */
import type { LineFacts } from '../trace/blocks-types';
import { costOf, type CostColumns } from './cost';
import type { PriceTable } from './prices';

export interface CacheReproduction {
  /** Steps with recorded input and cached tokens; all sums are over them. */
  steps: number;
  recordedInput: number;
  recordedCached: number;
  /** Input as counted here. */
  countedInput: number;
  /** Recorded ÷ counted input. */
  scale: number;
  /** Cached tokens by the common prefix, as counted; and in the provider's tokens. */
  countedCached: number;
  reproducedCached: number;
  /** reproduced ÷ recorded; null = nothing was cached. */
  ratio: number | null;
  /** Steps whose prefix had expired by the timestamps; and of these, steps for which the record says so too (cached 0). */
  expiredSteps: number;
  expiredAsRecorded: number;
  /** Steps that the record calls a miss (cached 0) though the prefix stood and had not expired, and what was reproduced for them. */
  missedSteps: number;
  missedTokens: number;
  /** reproduced ÷ recorded over the other steps; null = there are none. */
  ratioElsewhere: number | null;
}

/** `times`: when each call was made, NaN = not recorded. Linear in steps. */
export function reproduceCache(replay: { steps: CostColumns }, facts: LineFacts, prices: PriceTable, times: ArrayLike<number>): CacheReproduction {
  const { cached, input } = costOf(replay, prices, times).steps;
  const rows = [...Array(facts.steps).keys()].filter((i) => Number.isFinite(facts.measuredInput[i]) && Number.isFinite(facts.measuredCached[i]));
  const sum = (of: (row: number) => number, over: readonly number[] = rows): number => over.reduce((total, row) => total + of(row), 0);
  const recorded = (row: number): number => facts.measuredCached[row] ?? 0;
  const counted = (row: number): number => cached[row] ?? 0;
  const recordedInput = sum((row) => facts.measuredInput[row] ?? 0);
  const countedInput = sum((row) => input[row] ?? 0);
  const scale = countedInput > 0 ? recordedInput / countedInput : 1;
  const isExpired = (row: number): boolean => row > 0 && prices.cacheExpiryMs !== undefined && (times[row] ?? NaN) - (times[row - 1] ?? NaN) > prices.cacheExpiryMs;
  const expired = rows.filter(isExpired);
  const missed = rows.filter((row) => recorded(row) === 0 && counted(row) > 0);
  const others = rows.filter((row) => !missed.includes(row));
  const ratioOver = (over: readonly number[]): number | null => (sum(recorded, over) > 0 ? (scale * sum(counted, over)) / sum(recorded, over) : null);
  return {
    steps: rows.length, recordedInput, recordedCached: sum(recorded), countedInput, scale, countedCached: sum(counted), reproducedCached: scale * sum(counted), ratio: ratioOver(rows),
    expiredSteps: expired.length, expiredAsRecorded: expired.filter((row) => recorded(row) === 0).length,
    missedSteps: missed.length, missedTokens: scale * sum(counted, missed), ratioElsewhere: ratioOver(others),
  };
}
