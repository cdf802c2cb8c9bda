/** What the timeline shows, in words: the name that a screen reader gets for the drawing. */
import { EVENT_KINDS, eventTotalWords } from '../../core/layout/event-marks';
import { formatCount } from '../../core/layout/format';
import type { TimelineModel } from './timeline-data';

export function timelineSummary(model: TimelineModel): string {
  const { replay, lines } = model;
  const { steps } = replay;
  let peakStep = 1;
  for (let t = 1; t <= steps.n; t++) if ((steps.contextTokens[t - 1] ?? 0) > (steps.contextTokens[peakStep - 1] ?? 0)) peakStep = t;
  const budget = replay.budget > 0 && Number.isFinite(replay.budget) ? ` of a budget of ${formatCount(replay.budget)}` : '';
  const events = EVENT_KINDS.filter((kind) => (model.counts[kind] ?? 0) > 0).map((kind) => eventTotalWords(kind, model.counts[kind] ?? 0, model.inferred[kind] ?? 0));
  return (
    `Timeline of ${formatCount(steps.n)} steps and ${formatCount(lines.rows)} blocks under ${replay.policy}: at most ${formatCount(steps.contextTokens[peakStep - 1] ?? 0)} tokens${budget}, at step ${formatCount(peakStep)}. ` +
    `${events.length > 0 ? `Events: ${events.join(', ')}. ` : ''}Up and down select blocks; w and s zoom, a and d pan, f fits the run.`
  );
}
