import { describe, expect, it } from 'vitest';
import { compositionColumns, tokenAxis } from '../core/layout/composition';
import { placeEvents, stepEvents } from '../core/layout/event-marks';
import { lifelineBars, placeMarks } from '../core/layout/lifeline-window';
import { buildLifelines } from '../core/layout/lifelines';
import { rowScale } from '../core/layout/row-scale';
import { fitView } from '../core/layout/time-scale';
import { timelineFrame } from '../core/layout/timeline-frame';
import { replay } from '../core/workspace';
import { SWATCHES } from '../core/workspace/types';
import { blocksOf, countWords, inputOf } from '../testing/workspace';
import { drawComposition, tokensToY } from './composition';
import { drawEvents } from './events';
import { AXIS_NAME_GAP_PX, drawStepAxis } from './frame-labels';
import { drawLifelines } from './lifelines';
import { drawOverlay, type OverlayDrawing } from './overlay';
import type { Palette } from './palette';
import { PatternCache } from './patterns';
import { recordSurface } from './recording-context';
import { TextMeasurer } from './text';

const palette: Palette = {
  surface: 'surface', surface1: 's1', surface2: 's2', raised: 'raised', ink: 'ink', inkMuted: 'muted', line: 'line', grid: 'grid', accent: 'accent', accentInk: 'accent-ink', danger: 'danger',
  kinds: SWATCHES, kindInks: SWATCHES.map((swatch) => `${swatch}-ink`), fontUi: 'ui', fontMono: 'mono',
};
const patterns = (): PatternCache => new PatternCache((kind, colour) => `${kind}(${colour})`);
const input = inputOf(blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 30, O 900 bash !, A 10, O 200 bash, A 40, A 15, A 15'), [{ step: 7, sources: [3], lexeme: 'needle' }]);
const replayed = replay(input, { policy: 'auto-archive', budget: 1400 }, countWords);
const frame = timelineFrame(1000, 420);
const time = { view: fitView(replayed.steps.n), left: frame.left, width: frame.plotWidth };
const lines = buildLifelines(replayed, input.blocks, input.evidence);
const rows = rowScale(lines.rows, frame.lifelines.top, frame.lifelines.height, null, 0);

describe('composition', () => {
  const measured = Float64Array.from({ length: replayed.steps.n }, (_, i) => (i === 2 ? NaN : 900));
  const draw = (budget: number): string[] => {
    const { surface, calls } = recordSurface();
    drawComposition({ surface, pixelRatio: 1 }, palette, patterns(), {
      frame, time, axis: tokenAxis(replayed.steps, budget, measured), columns: compositionColumns(replayed.steps, time, 1), budget, measured,
    });
    return calls;
  };

  it('fills one path a kind, in order, on whole pixels', () => {
    const calls = draw(1400);
    const fills = calls.filter((call) => call.startsWith('fillStyle = ') && SWATCHES.some((swatch) => call === `fillStyle = ${swatch}`));
    expect(fills).toEqual(SWATCHES.map((swatch) => `fillStyle = ${swatch}`));
    const rects = calls.filter((call) => call.startsWith('rect('));
    for (const rect of rects) expect(rect).toMatch(/^rect\(-?\d+, -?\d+, \d+, \d+\)$/);
  });

  it('dashes the budget where its value is, tints the danger zone, and breaks the measured line at a gap', () => {
    const calls = draw(1400);
    const axis = tokenAxis(replayed.steps, 1400, measured);
    const y = Math.round(tokensToY(frame.composition, axis.max, 1400)) + 0.5;
    expect(calls).toContain('setLineDash([5 3])');
    expect(calls).toContain(`moveTo(${frame.left}, ${y})`);
    expect(calls.some((call) => call.startsWith('fillStyle = danger'))).toBe(true);
    const line = calls.slice(calls.indexOf('lineWidth = 1.25'));
    expect(line.filter((call) => call.startsWith('moveTo'))).toHaveLength(2 + 1);
  });

  it('hatches what is over the budget and nothing when nothing is', () => {
    expect(draw(600)).toContain('fillStyle = overflow(danger)');
    const within = draw(1400);
    const hatch = within.indexOf('fillStyle = overflow(danger)');
    const path = within.slice(within.lastIndexOf('beginPath()', hatch), hatch);
    expect(path.filter((call) => call.startsWith('rect'))).toEqual([]);
  });

  it('draws no budget that would flatten the chart', () => {
    expect(draw(1e7)).not.toContain('setLineDash([5 3])');
  });
});

describe('lifelines', () => {
  const drawAt = (rowHeight: number | null): string[] => {
    const scale = rowScale(lines.rows, frame.lifelines.top, frame.lifelines.height, rowHeight, 0);
    const { surface, calls } = recordSurface();
    drawLifelines({ surface, pixelRatio: 1 }, palette, patterns(), {
      frame, rows: scale, bars: lifelineBars(lines, time, scale, 1), rings: placeMarks(lines.rings, time, scale, 6), pins: placeMarks(lines.pins, time, scale, 6),
    });
    return calls;
  };

  it('uses each colour once a status, so that the canvas changes state seldom', () => {
    const calls = drawAt(null);
    const bars = calls.slice(0, calls.findIndex((call) => call.startsWith('arc(')));
    const fills = bars.filter((call) => call === 'fill()').length;
    expect(fills).toBeLessThanOrEqual(12);
    expect(bars.filter((call) => call.startsWith('rect(')).length).toBeGreaterThan(fills);
  });

  it('hatches what lies in the archive', () => {
    expect(drawAt(null).join()).toMatch(/fillStyle = hatch\(tool_result/);
  });

  it('rings what was recovered, once', () => {
    expect(drawAt(null).filter((call) => call.startsWith('arc('))).toHaveLength(lines.rings.row.length);
  });

  it('shows a scroll bar only when rows do not fit', () => {
    const bar = (calls: string[]): number => calls.filter((call) => call.startsWith(`fillRect(${frame.left + frame.plotWidth + 3},`)).length;
    expect(bar(drawAt(null))).toBe(0);
    expect(bar(drawAt(24))).toBe(1);
  });
});

describe('events and axis', () => {
  it('draws a glyph for each event, one path a kind', () => {
    const { surface, calls } = recordSurface();
    const placed = placeEvents(stepEvents(replayed, input.blocks, []), time, 9);
    drawEvents({ surface, pixelRatio: 1 }, palette, frame, placed);
    expect(calls.filter((call) => call === 'beginPath()')).toHaveLength(new Set(placed.map(({ kind }) => kind)).size);
    expect(calls.filter((call) => call.startsWith('fillText')).map((call) => call.split(',')[0])).toEqual(['fillText(out', 'fillText(lost', 'fillText(back']);
  });

  it('dashes what was inferred, and only that', () => {
    const { surface, calls } = recordSurface();
    const mark = { kind: 'compaction' as const, lane: 0 as const, x: 10, step: 1, count: 1, firstStep: 1, lastStep: 1 };
    drawEvents({ surface, pixelRatio: 1 }, palette, frame, [mark, { ...mark, x: 40, inferred: true }]);
    expect(calls.filter((call) => call.startsWith('setLineDash') || call.startsWith('stroke(') || call.startsWith('fill('))).toEqual(['fill()', 'setLineDash([2 1.5])', 'stroke()', 'setLineDash([])']);
  });

  it('labels at most five steps and says what the axis is', () => {
    const { surface, calls } = recordSurface();
    drawStepAxis({ surface, pixelRatio: 1 }, palette, new TextMeasurer(), frame, { ...time, view: fitView(10_000) }, 10_000);
    const texts = calls.filter((call) => call.startsWith('fillText')).map((call) => call.slice(9).split(',')[0]);
    expect(texts).toEqual(['1', '2\u202f500', '5\u202f000', '7\u202f500', '10\u202f000', 'step']);
  });
});

describe('overlay', () => {
  const drawing: OverlayDrawing = {
    frame, time, rows, axis: tokenAxis(replayed.steps, 1400, input.facts.measuredInput), steps: replayed.steps, budget: 1400, measured: input.facts.measuredInput, step: 4, approx: '',
    blockCount: { visible: 7, born: 8 }, selectedRow: null, hoverRow: null, hoverStep: null, brush: null, brushedRows: [], arcs: [],
  };
  const draw = (change: Partial<OverlayDrawing>): string[] => {
    const { surface, calls } = recordSurface();
    drawOverlay({ surface, pixelRatio: 1 }, palette, new TextMeasurer(), { ...drawing, ...change });
    return calls;
  };
  const texts = (calls: string[]): string[] => calls.filter((call) => call.startsWith('fillText')).map((call) => /^fillText\((.*), [^,]+, [^,]+\)$/.exec(call)?.[1] ?? '');

  it('marks brushed rows, and only those in sight', () => {
    const marks = (brushedRows: number[]): number => draw({ brushedRows }).filter((call) => call.startsWith('fillRect')).length - draw({}).filter((call) => call.startsWith('fillRect')).length;
    expect(marks([0, 2])).toBe(4);
    expect(marks([-1, 100_000])).toBe(0);
  });

  it('prints total and share at the playhead, each kind with letter, word and value, and the blocks', () => {
    const printed = texts(draw({}));
    const total = replayed.steps.contextTokens[3] ?? 0;
    const grouped = String(total).replace(/\B(?=(\d{3})+$)/g, '\u202f');
    expect(printed[0]).toBe(`${grouped} · ${Math.round((total / 1400) * 100)}\u202f%`);
    expect(printed).toEqual(expect.arrayContaining(['4', 'O', 'tool results', 'A', 'assistant', 'budget', '1\u202f400', '7 of 8 blocks visible']));
  });

  it('marks an estimate', () => {
    expect(texts(draw({ approx: '≈\u202f' }))[0]?.startsWith('≈')).toBe(true);
  });

  it('clears first, and costs the same at every step', () => {
    expect(draw({})[0]).toBe(`clearRect(0, 0, 1000, 420)`);
    expect(Math.abs(draw({ step: 1 }).length - draw({ step: 8 }).length)).toBeLessThan(30);
  });

  it('keeps its flag inside the canvas at both ends', () => {
    for (const step of [1, replayed.steps.n]) {
      const flag = draw({ step }).find((call) => /^fillRect\([\d.]+, 2, /.test(call));
      const [x = NaN, , width = NaN] = (flag?.match(/[\d.]+/g) ?? []).map(Number);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(1000);
    }
  });

  it('leaves the name of the step axis whole, wherever the playhead stands', () => {
    for (const step of [1, 2, replayed.steps.n]) {
      const rects = draw({ step }).flatMap((call) => {
        const [, x = NaN, y = NaN] = /^fillRect\(([\d.]+), ([\d.]+), /.exec(call)?.map(Number) ?? [];
        return y >= frame.axis.top ? [x] : [];
      });
      expect(rects.length).toBeGreaterThanOrEqual(2);
      expect(Math.min(...rects)).toBeGreaterThan(frame.left - AXIS_NAME_GAP_PX);
    }
  });
});
