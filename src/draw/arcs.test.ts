import { expect, it } from 'vitest';
import type { PlacedArc } from '../core/layout/evidence-arcs';
import { timelineFrame } from '../core/layout/timeline-frame';
import { SWATCHES } from '../core/workspace/types';
import { drawArcs } from './arcs';
import type { Palette } from './palette';
import { recordSurface } from './recording-context';

const palette: Palette = {
  surface: 'surface', surface1: 's1', surface2: 's2', raised: 'raised', ink: 'ink', inkMuted: 'muted', line: 'line', grid: 'grid', accent: 'accent', accentInk: 'accent-ink', danger: 'danger',
  kinds: SWATCHES, kindInks: SWATCHES.map((swatch) => `${swatch}-ink`), fontUi: 'ui', fontMono: 'mono',
};
const frame = timelineFrame(1000, 420);
const ARCS: PlacedArc[] = [0, 0, 1, 2].map((state, i) => ({ x1: 100, y1: 200 + i, x2: 300 + i, y2: 260, state, weight: 1 }));
const draw = (arcs: PlacedArc[], faint: boolean): string[] => {
  const { surface, calls } = recordSurface();
  drawArcs({ surface, pixelRatio: 1 }, palette, frame, arcs, faint);
  return calls;
};

it('tells states by hue, by dash and by the mark at the end', () => {
  const calls = draw(ARCS, false);
  for (const [hue, dash] of [['tool_result-ink', 'setLineDash([])'], ['summary-ink', 'setLineDash([6 3])'], ['danger', 'setLineDash([2 3])']]) {
    const at = calls.indexOf(`strokeStyle = ${hue}`);
    expect(at).toBeGreaterThan(0);
    expect(calls.slice(at, at + 3)).toContain(dash);
  }
  expect(calls.filter((call) => call.startsWith('quadraticCurveTo'))).toHaveLength(2 * ARCS.length);
  // Discs for the two visible ones, two halves for the recoverable one, no disc for the lost one.
  expect(calls.filter((call) => call.startsWith('arc('))).toHaveLength(2 + 2);
  expect(calls).toContain('quadraticCurveTo(300, 200, 300, 260)');
});

it('all of the run are thin, without ends, one path a state', () => {
  const calls = draw(ARCS, true);
  expect(calls.filter((call) => call === 'stroke()')).toHaveLength(3);
  expect(calls.some((call) => call.startsWith('arc('))).toBe(false);
  expect(calls.filter((call) => call.startsWith('globalAlpha = 0.'))).not.toHaveLength(0);
});

it('draws nothing where there is nothing, or no lifelines', () => {
  expect(draw([], false)).toEqual([]);
  const { surface, calls } = recordSurface();
  drawArcs({ surface, pixelRatio: 1 }, palette, timelineFrame(1000, 100), ARCS, false);
  expect(calls).toEqual([]);
});
