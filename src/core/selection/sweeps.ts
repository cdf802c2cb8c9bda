/**
 * The paper's sweeps at one checkpoint (Tables 2, D.2–D.4): capacity K, coverage target τ, one protection group left
 * out, and targeted against matched replacement. Pure functions for the Selectors tab, the command line and the corpus.
 */
import { capacityAt, type Capacity } from './capacity';
import type { CheckpointView } from './checkpoint-view';
import { naturalCore } from './checkpoint-view';
import { complete } from './completion';
import { CAPACITY } from './constants';
import { measure, measureAlong, type MeasuredMetrics } from './measured';
import { protect } from './protection';
import { controlledReplacement, type Replacement } from './replacement';
import { selectorById } from './selectors';
import { PROTECTION_GROUPS, type ProtectionGroup, type StopReason } from './types';

/** K = 8…20 (paper, Table D.3). */
export const SWEPT_CAPACITIES: readonly number[] = Array.from({ length: 13 }, (_, i) => 8 + i);
/** τ of Table D.4. */
export const SWEPT_TARGETS: readonly number[] = [0.85, 0.9, 0.95];
/** Compared at every K; the paper's fourth is not named, ours is the newest k. */
export const SWEPT_SELECTORS: readonly string[] = ['gem', 'geometry', 'random', 'recency'];

export interface CapacitySweepRow {
  /** Nominal K. */
  capacity: number;
  selector: string;
  /** Blocks asked for: max(K, |P|), at most n; the same for every selector. */
  k: number;
  /** Blocks kept; below k only where nothing is left that would add a direction. */
  kept: number;
  metrics: MeasuredMetrics;
}

/**
 * Every selector at K = 8…20 with the τ stop off. A capacity below the protected set keeps that set whole (K_t =
 * max(K, |P|)), and the others get as many blocks. Rows in order of selector, then K. Selectors whose choice for a
 * smaller k is not the beginning of that for a larger one are run anew for each k.
 */
export function capacitySweep(view: CheckpointView, selectors = SWEPT_SELECTORS, capacities = SWEPT_CAPACITIES): CapacitySweepRow[] {
  const n = view.rows.rows;
  const ks = [...capacities].sort((a, b) => a - b).map((capacity) => ({ capacity, k: Math.min(n, Math.max(capacity, view.protection.all.length)) }));
  const largest = ks.at(-1)?.k ?? 0;
  return selectors.flatMap((id) => {
    const orders = NOT_NESTED.has(id) ? ks.map(({ k }) => chosen(view, id, k)) : [newestFirst(id, chosen(view, id, largest))];
    const along = orders.length === 1 ? measureAlong(view, orders[0]!, ks.map(({ k }) => k)) : orders.map((order) => measure(view, order));
    return ks.map(({ capacity, k }, i) => ({ capacity, selector: id, k, kept: Math.min(k, (orders[i] ?? orders[0]!).length), metrics: along[i]! }));
  });
}

/** The newest k come in order of index; a smaller k keeps the end of that list. */
const newestFirst = (id: string, order: number[]): number[] => (id === 'recency' ? order.reverse() : order);

/** Evenly spaced blocks move when k changes. */
const NOT_NESTED: ReadonlySet<string> = new Set(['uniform']);

/** Kept blocks of a selector at exactly k blocks, in order of choice. An unknown id is a mistake of the caller. */
export function chosen(view: CheckpointView, id: string, k: number): number[] {
  const selector = selectorById(id);
  if (!selector) throw new RangeError(`No selector is called “${id}”.`);
  const whole = selector.groups.length === PROTECTION_GROUPS.length;
  const start = selector.groups.length === 0 ? [] : whole ? view.protection.all : protect(view.evidence, selector.groups).all;
  return selector.select({ rows: view.rows, gram: view.gram, start, k, goal: view.targets.goal, seed: view.seed }).kept;
}

export interface TargetSweepRow {
  tau: number;
  kept: number;
  /** kept / n. */
  retained: number;
  stop: StopReason;
  metrics: MeasuredMetrics;
}

/** gem's natural size at each τ, capacity K (paper, Table D.4). */
export function targetSweep(view: CheckpointView, taus = SWEPT_TARGETS, capacity: Capacity = CAPACITY): TargetSweepRow[] {
  return taus.map((tau) => {
    const { kept, stop } = naturalCore(view, capacityAt(capacity, view.rows.rows), tau);
    return { tau, kept: kept.length, retained: view.rows.rows > 0 ? kept.length / view.rows.rows : 0, stop, metrics: measure(view, kept) };
  });
}

export interface AblationRow {
  /** The group left out; null = gem itself. */
  without: ProtectionGroup | null;
  selector: string;
  protected: number;
  metrics: MeasuredMetrics;
}

/** gem, and gem without one group, each completed to exactly k blocks (paper, Table D.2); k = gem's natural size unless given. */
export function ablationTable(view: CheckpointView, k = naturalCore(view).kept.length): AblationRow[] {
  return [null, ...PROTECTION_GROUPS].map((without) => {
    const start = without === null ? view.protection.all : protect(view.evidence, PROTECTION_GROUPS.filter((group) => group !== without)).all;
    // At a fixed k the τ stop is off; a target above 1 is never reached.
    const { kept } = complete(view.rows, start, { capacity: k, tau: 2 });
    return { without, selector: without === null ? 'gem' : `gem-${without}`, protected: start.length, metrics: measure(view, kept) };
  });
}

/** Targeted against matched replacement within gem's natural core (paper, §4.3 and Table 2); null without a next action. */
export function replacementAt(view: CheckpointView, kept: readonly number[] = naturalCore(view).kept): Replacement | null {
  const { action } = view.targets;
  if (!action || kept.length === 0) return null;
  return controlledReplacement(view.rows, kept, action, view.sizes.map((size) => size.chars));
}
