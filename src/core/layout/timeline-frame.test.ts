import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { replay } from '../workspace';
import { SWATCHES } from '../workspace/types';
import { tokenAxis } from './composition';
import { placeEvents, stepEvents } from './event-marks';
import { buildLifelines } from './lifelines';
import { rowScale, rowToY } from './row-scale';
import { fitView, stepToX } from './time-scale';
import { hitTimeline, LANE_PX, timelineFrame, type HitContext } from './timeline-frame';

const input = inputOf(blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read !, A 30, O 300 grep, A 30'));
const { steps, ...rest } = replay(input, { policy: 'keep-everything', budget: 2000 }, countWords);
const replayed = { steps, ...rest };

function context(width = 1200, height = 500): HitContext {
  const frame = timelineFrame(width, height);
  const time = { view: fitView(steps.n), left: frame.left, width: frame.plotWidth };
  const lines = buildLifelines(replayed, input.blocks, input.evidence);
  return {
    frame, time, lines, steps, rows: rowScale(lines.rows, frame.lifelines.top, frame.lifelines.height, null, 0),
    tokenMax: tokenAxis(steps, 2000, input.facts.measuredInput).max, events: placeEvents(stepEvents(replayed, input.blocks, []), time, 9),
  };
}

describe('frame', () => {
  it('stacks the bands without overlap inside the canvas', () => {
    for (const [width, height] of [[1600, 560], [1024, 320], [700, 240], [400, 120], [320, 60]] as const) {
      const frame = timelineFrame(width, height);
      const bands = [frame.composition, frame.events, frame.lifelines, frame.axis].filter((band) => band.height > 0);
      bands.forEach((band, i) => {
        if (i > 0) expect(band.top).toBeGreaterThanOrEqual((bands[i - 1]?.top ?? 0) + (bands[i - 1]?.height ?? 0));
      });
      expect(frame.left + frame.plotWidth).toBeLessThanOrEqual(Math.max(width, 112));
    }
  });

  it('gives up lifelines before events, and events before the composition', () => {
    expect(timelineFrame(1200, 500).lifelines.height).toBeGreaterThan(0);
    expect(timelineFrame(1200, 200)).toMatchObject({ lifelines: { height: 0 }, events: { height: 3 * LANE_PX } });
    expect(timelineFrame(1200, 100)).toMatchObject({ lifelines: { height: 0 }, events: { height: 0 } });
    expect(timelineFrame(1200, 100).composition.height).toBeGreaterThan(40);
  });
});

describe('hit testing', () => {
  it('finds step and kind in the composition', () => {
    const at = context();
    const { top, height } = at.frame.composition;
    expect(hitTimeline(at, stepToX(at.time, 3), top + height - 1)).toMatchObject({ band: 'composition', step: 3, swatch: SWATCHES.indexOf('system') });
    expect(hitTimeline(at, stepToX(at.time, 3), top + 1)).toMatchObject({ swatch: -1 });
  });

  it('finds the block of a row while it lives and nothing before it was born', () => {
    const at = context();
    const y = rowToY(at.rows, 5.5);
    expect(hitTimeline(at, stepToX(at.time, 4), y)).toEqual({ band: 'lifelines', step: 4, row: 5, block: 5 });
    expect(hitTimeline(at, stepToX(at.time, 1), y)).toMatchObject({ row: 5, block: null });
    expect(hitTimeline(at, stepToX(at.time, 1), at.frame.axis.top - 4)).toMatchObject({ row: -1, block: null });
  });

  it('names the largest of the blocks that share a line', () => {
    const at = context();
    const merged = { ...at, rows: { ...at.rows, rowHeight: 0.1 } };
    expect(hitTimeline(merged, stepToX(at.time, 4), at.frame.lifelines.top + 0.05)).toMatchObject({ block: 3 });
  });

  it('finds an event by its lane and nothing beside the plot', () => {
    const at = context();
    const error = at.events.find(({ kind }) => kind === 'error');
    expect(hitTimeline(at, (error?.x ?? 0) + 3, at.frame.events.top + 1.5 * LANE_PX)).toMatchObject({ band: 'events', kind: 'error', step: 3 });
    expect(hitTimeline(at, (error?.x ?? 0) + 3, at.frame.events.top + 1)).toMatchObject({ kind: null });
    expect(hitTimeline(at, 10, at.frame.composition.top + 5)).toBeNull();
    expect(hitTimeline(at, stepToX(at.time, 2), at.frame.axis.top + 5)).toEqual({ band: 'axis', step: 2 });
  });
});
