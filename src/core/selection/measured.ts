/** Retention metrics of a growing set, and Top-3 with the newest blocks left out. */
import { rowOf } from '../numerics/matrix';
import type { CheckpointView } from './checkpoint-view';
import { isZero } from './live-rows';
import { cosine, meanOf, nextActionTop3 } from './metrics';
import { olderTop3, shareKept } from './older-top3';
import { Span } from './span';
import type { SelectionMetrics } from './types';

export type MeasuredMetrics = SelectionMetrics;

/**
 * Metrics of the first `sizes[i]` blocks of an order of choice, for each i (rising sizes; larger than the order = all
 * of it). One pass: O(n d) a block, instead of a new span for every size.
 */
export function measureAlong(view: CheckpointView, order: readonly number[], sizes: readonly number[]): MeasuredMetrics[] {
  const { rows, targets } = view;
  const span = new Span(rows);
  const top3 = nextActionTop3(rows, targets.action);
  const older = olderTop3(rows, targets.action);
  const live = new Set(span.live);
  const all = meanOf(rows, span.live);
  const sum = new Float64Array(rows.columns);
  const share = (vector: Float64Array | null): number | null => (vector && !isZero(vector) ? span.basis.share(vector) : null);
  const out: MeasuredMetrics[] = [];
  let added = 0;
  let liveKept = 0;
  let tokens = 0;
  let chars = 0;
  for (const size of sizes) {
    for (; added < Math.min(size, order.length); added++) {
      const j = order[added]!;
      span.add(j);
      tokens += view.sizes[j]!.tokens;
      chars += view.sizes[j]!.chars;
      if (!live.has(j)) continue;
      liveKept++;
      const row = rowOf(rows, j);
      for (let k = 0; k < sum.length; k++) sum[k] = sum[k]! + row[k]!;
    }
    const kept = order.slice(0, added);
    out.push({
      top3: targets.action && !isZero(targets.action) ? kept.filter((i) => top3.includes(i)).length / 3 : null,
      top3Older: shareKept(older, kept),
      actionProjection: share(targets.action),
      finalProjection: share(targets.final),
      goalProjection: share(targets.goal),
      // The length of a mean does not matter to its direction.
      centroid: liveKept > 0 ? cosine(all, sum) : null,
      coverage: span.coverage(),
      tokens, chars,
    });
  }
  return out;
}

export function measure(view: CheckpointView, kept: readonly number[]): MeasuredMetrics {
  return measureAlong(view, kept, [kept.length])[0]!;
}
