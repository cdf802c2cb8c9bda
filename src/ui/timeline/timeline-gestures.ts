/** What a drag does, by where it began: playhead, brush, pan or scroll. Pure, so that it is tested without a pointer. */
import { stepToX } from '../../core/layout/time-scale';
import { hitTimeline, type HitContext, type TimelineHit } from '../../core/layout/timeline-frame';
import { scrollThumb } from '../../core/layout/row-scale';

export type DragMode = 'playhead' | 'brush' | 'pan' | 'scroll';

/** Reach of the playhead line to each side, CSS pixels. */
const GRAB_PX = 5;
/** A press that moves less is a click. */
export const CLICK_SLOP_PX = 4;

export function dragMode(context: HitContext, step: number, x: number, y: number, shift: boolean): { mode: DragMode; hit: TimelineHit | null } | null {
  const { frame } = context;
  const thumb = scrollThumb(context.rows);
  const right = frame.left + frame.plotWidth;
  if (thumb && x > right && x <= right + 12 && y >= frame.lifelines.top && y < frame.lifelines.top + frame.lifelines.height) return { mode: 'scroll', hit: null };
  const hit = hitTimeline(context, x, y);
  const onPlayhead = Math.abs(x - stepToX(context.time, step)) <= GRAB_PX && x >= frame.left && x <= right && y < frame.axis.top + frame.axis.height;
  if (onPlayhead && !shift) return { mode: 'playhead', hit };
  if (!hit) return null;
  if (hit.band === 'axis') return { mode: 'playhead', hit };
  // Bars are dragged, empty ground is brushed; Shift pans everywhere.
  if (shift || (hit.band === 'lifelines' && hit.block !== null)) return { mode: 'pan', hit };
  return { mode: 'brush', hit };
}
