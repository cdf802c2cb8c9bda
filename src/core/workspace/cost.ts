/**
 * What a replay would cost (evidence.md §2): per step the cached prefix at a price book's granularity, writes, expiry and
 * output. "Fewer tokens" and "cheaper" are two numbers: an edit early in the context saves tokens and loses the cache.
 */
import { cachedTokens } from './provider-cache';
import type { PriceTable } from './prices';
import type { ReplaySteps } from './types';

/** What a cost is made of, by step. */
export type CostColumns = Pick<ReplaySteps, 'n' | 'contextTokens' | 'prefixTokens' | 'outputTokens' | 'managementInput' | 'managementOutput'>;

export interface StepCosts {
  /** All by step, tokens: input = cached + written + uncached. */
  input: Float64Array;
  cached: Float64Array;
  /** Put into the cache for the next call; 0 where the book has no price for it. */
  written: Float64Array;
  uncached: Float64Array;
  output: Float64Array;
  /** USD of the call itself. */
  usd: Float64Array;
  /** USD of the step's management calls: their input counts as uncached, an upper bound. */
  managementUsd: Float64Array;
}

export interface ReplayCost {
  prices: PriceTable;
  steps: StepCosts;
  totals: {
    input: number; cached: number; written: number; uncached: number; output: number;
    /** Calls of the run alone, and with the management calls. */
    usd: number; usdWithManagement: number;
    /** cached ÷ input; null without steps. */
    cacheRate: number | null;
    /** Steps whose prefix had expired. */
    expiredSteps: number;
  };
}

/** `stepTimesMs`: when each call was made (NaN = not recorded); without it no prefix expires. Linear in steps. */
export function costOf(replay: { steps: CostColumns }, prices: PriceTable, stepTimesMs?: ArrayLike<number>): ReplayCost {
  const { steps } = replay;
  const column = (): Float64Array => new Float64Array(steps.n);
  const costs: StepCosts = { input: column(), cached: column(), written: column(), uncached: column(), output: column(), usd: column(), managementUsd: column() };
  const totals = { input: 0, cached: 0, written: 0, uncached: 0, output: 0, usd: 0, usdWithManagement: 0, cacheRate: null as number | null, expiredSteps: 0 };
  for (let i = 0; i < steps.n; i++) {
    const input = steps.contextTokens[i] ?? 0;
    const expired = hasExpired(prices, stepTimesMs, i);
    const cached = expired ? 0 : cachedTokens(steps.prefixTokens[i] ?? 0, prices.cache);
    // What follows the cached part is written, when the whole is long enough to be cached at all.
    const written = prices.cacheWrite === undefined ? 0 : Math.max(0, cachedTokens(input, prices.cache) - cached);
    const uncached = input - cached - written;
    const output = steps.outputTokens[i] ?? 0;
    const usd = (cached * prices.cachedInput + written * (prices.cacheWrite ?? 0) + uncached * prices.uncachedInput + output * prices.output) / 1e6;
    const managementUsd = ((steps.managementInput[i] ?? 0) * prices.uncachedInput + (steps.managementOutput[i] ?? 0) * prices.output) / 1e6;
    costs.input[i] = input;
    costs.cached[i] = cached;
    costs.written[i] = written;
    costs.uncached[i] = uncached;
    costs.output[i] = output;
    costs.usd[i] = usd;
    costs.managementUsd[i] = managementUsd;
    totals.input += input;
    totals.cached += cached;
    totals.written += written;
    totals.uncached += uncached;
    totals.output += output;
    totals.usd += usd;
    totals.usdWithManagement += usd + managementUsd;
    if (expired) totals.expiredSteps += 1;
  }
  totals.cacheRate = totals.input > 0 ? totals.cached / totals.input : null;
  return { prices, steps: costs, totals };
}

/** Unknown times expire nothing. */
function hasExpired(prices: PriceTable, times: ArrayLike<number> | undefined, row: number): boolean {
  if (prices.cacheExpiryMs === undefined || !times || row === 0) return false;
  return (times[row] ?? NaN) - (times[row - 1] ?? NaN) > prices.cacheExpiryMs;
}
