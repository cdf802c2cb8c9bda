/** The Cost tab as data: a row a policy under one price book, and where the cached prefix broke. */
import { costOf, type ReplayCost } from '../../core/workspace/cost';
import { TOKENS_ONCE } from '../../core/trace/blocks-types';
import type { PriceTable } from '../../core/workspace/prices';
import type { Op, PolicyInfo, Replay } from '../../core/workspace/types';
import type { HeldOutcome } from '../../state/react/use-replays';
import type { OpenLine } from '../../workers/api';
import type { TableRows } from '../shared/table-text';

export interface CostRow { policy: string; replayed: boolean; current: boolean; cost: ReplayCost; managementTokens: number }

/** When each call was made, from the record; NaN where it does not say. */
export function stepTimes({ facts, rows, trajectory }: Pick<OpenLine, 'facts' | 'rows' | 'trajectory'>): Float64Array {
  return Float64Array.from(facts.stepMessage, (position) => trajectory.columns.timestampMs[rows[position] ?? -1] ?? NaN);
}

export function costRows(policies: readonly PolicyInfo[], outcomes: ReadonlyMap<string, HeldOutcome>, prices: PriceTable, times: Float64Array, replayed: string): CostRow[] {
  return policies.flatMap(({ id }) => {
    const held = outcomes.get(id);
    if (!held || !('summary' in held.outcome) || !held.outcome.summary.strip) return [];
    const { strip, totals } = held.outcome.summary;
    return [{ policy: id, replayed: id === replayed, current: held.current, cost: costOf({ steps: strip.cost }, prices, times), managementTokens: totals.managementTokens }];
  });
}

export const COST_COLUMNS = ['policy', 'input', 'cached', 'written', 'uncached', 'output', 'cacheRate', 'usd', 'managementUsd', 'allUsd', 'tokensRatio', 'usdRatio'] as const;
export type CostColumn = (typeof COST_COLUMNS)[number];

/** `base` is what the two ratios are taken against: fewer tokens and cheaper are two columns, because they are two things. */
export function costValue({ policy, cost: { totals } }: CostRow, base: CostRow | undefined, column: CostColumn): number | string | null {
  switch (column) {
    case 'policy': return policy;
    case 'managementUsd': return totals.usdWithManagement - totals.usd;
    case 'allUsd': return totals.usdWithManagement;
    case 'tokensRatio': return base && base.cost.totals.input > 0 ? totals.input / base.cost.totals.input : null;
    case 'usdRatio': return base && base.cost.totals.usdWithManagement > 0 ? totals.usdWithManagement / base.cost.totals.usdWithManagement : null;
    default: return totals[column];
  }
}

export function orderCosts(rows: readonly CostRow[], base: CostRow | undefined, sort: CostColumn, descending: boolean): CostRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [costValue(a, base, sort), costValue(b, base, sort)];
    return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
  });
}

export function costTable(rows: readonly CostRow[], base: CostRow | undefined): TableRows {
  return [[...COST_COLUMNS], ...rows.filter(({ current }) => current).map((row) => COST_COLUMNS.map((column) => costValue(row, base, column)))];
}

export interface CacheBreak { step: number; /** Tokens that were in the cache and had to be sent anew. */ lost: number; usd: number; /** The prefix was whole, but too old. */ expired: boolean; ops: Op[] }

/**
 * Calls that had to send again what the call before had put into the cache: an edit early in the context, or expiry. A
 * dashboard at the tail is new in every call and breaks nothing. Most tokens first.
 */
export function cacheBreaks(replay: Replay, { prices, steps }: ReplayCost): CacheBreak[] {
  const out: CacheBreak[] = [];
  const { granularity, minimum } = prices.cache;
  const perToken = ((prices.cacheWrite ?? prices.uncachedInput) - prices.cachedInput) / 1e6;
  for (let i = 1; i < replay.steps.n; i++) {
    const stored = (steps.input[i - 1] ?? 0) - TOKENS_ONCE - (replay.steps.dashboardTokens[i - 1] ?? 0);
    const prefix = Math.min(stored, replay.steps.prefixTokens[i] ?? 0);
    const expired = (steps.cached[i] ?? 0) === 0 && prefix >= minimum + granularity;
    const lost = expired ? prefix : stored - prefix;
    if (stored < minimum || lost <= granularity) continue;
    out.push({ step: i + 1, lost, usd: lost * perToken, expired, ops: replay.ops.slice(replay.steps.opStart[i] ?? 0, replay.steps.opStart[i + 1] ?? 0).filter(({ op }) => op !== 'admit' && op !== 'note') });
  }
  return out.sort((a, b) => b.lost - a.lost);
}
