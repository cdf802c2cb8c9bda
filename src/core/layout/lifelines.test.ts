import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf, type TestDemand } from '../../testing/workspace';
import { BLOCK_KINDS } from '../trace/blocks-types';
import { replay } from '../workspace';
import { BLOCK_STATUSES, SWATCHES, type Replay } from '../workspace/types';
import { lifelineBars, placeMarks } from './lifeline-window';
import { buildLifelines, SEGMENT_STYLES, type Lifelines } from './lifelines';
import { sourceOfBlock, swatchOfBlock } from './names';
import { rowScale, type RowScale } from './row-scale';
import { blockCounts, statusAt } from './status-at';
import { fitView } from './time-scale';

const RUN = blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 30, O 900 bash !, A 10, O 200 bash, A 40, A 15, A 15');
const DEMANDS: TestDemand[] = [{ step: 2, sources: [3] }, { step: 7, sources: [3], lexeme: 'needle' }];
const input = inputOf(RUN, DEMANDS);
const archived = replay(input, { policy: 'auto-archive', budget: 1400 }, countWords);

/** Row as text: one `style from-to` a segment. */
function row(lines: Lifelines, block: number): string {
  const r = lines.rowOfBlock[block] ?? -1;
  const parts: string[] = [];
  for (let s = lines.start[r] ?? 0; s < (lines.start[r + 1] ?? 0); s++) parts.push(`${SEGMENT_STYLES[lines.style[s] ?? 0] ?? ''} ${lines.from[s]}-${lines.to[s]}`);
  return parts.join(', ');
}

describe('lifelines', () => {
  it('are solid until the last use and pale after it when nothing is taken out', () => {
    const kept = replay(input, { policy: 'keep-everything', budget: 1e6 }, countWords);
    const lines = buildLifelines(kept, input.blocks, input.evidence);
    expect(lines.rows).toBe(RUN.length);
    expect(row(lines, 3)).toBe('used 2-8, idle 8-9');
    expect(row(lines, 5)).toBe('used 3-4, idle 4-9');
  });

  it('hatch what is archived, dot what is offloaded, and lay a recovered block on the row of its source', () => {
    const lines = buildLifelines(archived, input.blocks, input.evidence);
    const guests = [...archived.blocks.kind.keys()].filter((i) => BLOCK_KINDS[archived.blocks.kind[i] ?? 0] === 'recovered');
    expect(guests.length).toBeGreaterThan(0);
    for (const guest of guests) {
      const source = sourceOfBlock(archived.blocks, guest);
      expect(source).not.toBe(guest);
      expect(lines.rowOfBlock[guest]).toBe(lines.rowOfBlock[source]);
      expect(swatchOfBlock(archived.blocks, input.blocks, guest)).toBe(swatchOfBlock(archived.blocks, input.blocks, source));
    }
    expect([...lines.rings.block]).toEqual(guests);
    expect([...lines.rings.step]).toEqual(guests.map((guest) => archived.blocks.bornStep[guest]));
  });

  it('give a placeholder no row of its own: the block behind it is hatched', () => {
    const lines = buildLifelines(archived, input.blocks, input.evidence);
    const offload = archived.ops.find(({ op }) => op === 'offload');
    const held = Number(offload?.ids[0]?.slice(1)) - 1;
    expect(lines.rowOfBlock[Number(offload?.result?.slice(1)) - 1]).toBe(lines.rowOfBlock[held]);
    expect(row(lines, held)).toContain(`archived ${offload?.step}-`);
  });

  it('agree with the status of every block at every step', () => {
    const lines = buildLifelines(archived, input.blocks, input.evidence);
    const visible = new Set(['used', 'idle', 'recovered']);
    for (let block = 0; block < archived.blocks.n; block++) {
      if (['recovered', 'placeholder'].includes(BLOCK_KINDS[archived.blocks.kind[block] ?? 0] ?? '')) continue;
      const r = lines.rowOfBlock[block] ?? -1;
      for (let step = 1; step <= archived.steps.n; step++) {
        const { status } = statusAt(archived.history, block, step);
        const styles: string[] = [];
        for (let s = lines.start[r] ?? 0; s < (lines.start[r + 1] ?? 0); s++) if (step >= (lines.from[s] ?? 0) && step < (lines.to[s] ?? 0)) styles.push(SEGMENT_STYLES[lines.style[s] ?? 0] ?? '');
        // A guest may lie over the archived stretch of its source.
        const own = styles.filter((style) => style !== 'recovered');
        if (status === 'unborn') expect(styles).toEqual([]);
        else if (status === 'visible') expect(own.some((style) => visible.has(style))).toBe(true);
        else if (status === 'archived' || status === 'offloaded') expect(own).toContain('archived');
        else if (status === 'masked') expect(own).toContain('dotted');
        else expect(own).toContain('removed');
      }
    }
  });

  it('draw errors in the hue of notices', () => {
    expect(SWATCHES[swatchOfBlock(archived.blocks, input.blocks, 10)]).toBe('notice');
    expect(SWATCHES[swatchOfBlock(archived.blocks, input.blocks, 3)]).toBe('tool_result');
  });

  it('count visible and born blocks as the history has them', () => {
    const counts = blockCounts(archived);
    for (let step = 1; step <= archived.steps.n; step++) {
      const states = Array.from({ length: archived.blocks.n }, (_, block) => statusAt(archived.history, block, step).status);
      expect(counts.visible[step - 1]).toBe(states.filter((status) => status === 'visible').length);
      expect(counts.born[step - 1]).toBe(states.filter((status) => status !== 'unborn').length);
    }
  });
});

/** n rows, one block each, born one a step and archived `life` steps later. */
function manyRows(n: number, steps: number): { lines: Lifelines; replayed: Replay } {
  const column = (at: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => at(i));
  const born = column((i) => 1 + Math.floor((i * (steps - 1)) / n));
  const replayed: Replay = {
    ...archived, ops: [],
    blocks: {
      ...archived.blocks, n, base: Int32Array.from(column((i) => i)), kind: new Uint8Array(n).fill(BLOCK_KINDS.indexOf('tool_result')), bornStep: Uint32Array.from(born), tokens: Uint32Array.from(column((i) => i % 97)),
      parent: new Int32Array(n).fill(-1), memberStart: new Uint32Array(n + 1), members: new Uint32Array(),
    },
    steps: { ...archived.steps, n: steps },
    history: {
      start: Uint32Array.from({ length: n + 1 }, (_, i) => 2 * i), step: Uint32Array.from(born.flatMap((step) => [step, Math.min(steps, step + 40)])),
      status: Uint8Array.from(born.flatMap(() => [BLOCK_STATUSES.indexOf('visible'), BLOCK_STATUSES.indexOf('archived')])), pinned: new Uint8Array(2 * n),
    },
  };
  const table = { ...input.blocks, n, isError: new Uint8Array(n) };
  const evidence = { ...input.evidence, lastUse: new Uint32Array(n), uses: new Uint32Array(n) };
  return { replayed, lines: buildLifelines(replayed, table, evidence) };
}

describe('bars on screen', () => {
  const time = { view: fitView(10_000), left: 72, width: 1200 };

  it('merge 30 000 rows into the lines there are, and lose no row', () => {
    const { lines } = manyRows(30_000, 10_000);
    const rows = rowScale(lines.rows, 100, 300, null, 0);
    const bars = lifelineBars(lines, time, rows, 1);
    expect(bars.rowsPerLine).toBe(100);
    // At most a bar a line and style here: what is drawn is bounded by the lines.
    expect(bars.n).toBeLessThanOrEqual(300 * 3);
    const covered = new Set<number>();
    for (let i = 0; i < bars.n; i++) covered.add(bars.y[i] ?? -1);
    expect(covered.size).toBe(300);
    for (let i = 0; i < bars.n; i++) {
      expect(bars.width[i]).toBeGreaterThanOrEqual(1);
      expect(bars.x[i]).toBeGreaterThanOrEqual(72);
      expect((bars.x[i] ?? 0) + (bars.width[i] ?? 0)).toBeLessThanOrEqual(1273);
      if (i > 0) expect((bars.style[i] ?? 0) * SWATCHES.length + (bars.swatch[i] ?? 0)).toBeGreaterThanOrEqual((bars.style[i - 1] ?? 0) * SWATCHES.length + (bars.swatch[i - 1] ?? 0));
    }
  });

  it('draw only the rows that are scrolled to', () => {
    const { lines } = manyRows(30_000, 10_000);
    const rows = rowScale(lines.rows, 100, 300, 24, 24 * 15_000);
    const bars = lifelineBars(lines, { ...time, view: { from: 4_990, to: 5_090 } }, rows, 1);
    const ys = [...bars.y];
    expect(bars.n).toBeGreaterThan(13);
    expect(Math.min(...ys)).toBeGreaterThanOrEqual(100 - 24);
    expect(Math.max(...ys)).toBeLessThan(400);
  });

  it('count marks that share a place into one', () => {
    const marks = { row: Uint32Array.of(0, 0, 9), step: Uint32Array.of(5, 6, 9_000), swatch: new Uint8Array(3), block: Uint32Array.of(1, 2, 3) };
    const rows: RowScale = rowScale(10, 0, 120, null, 0);
    expect(placeMarks(marks, time, rows, 6).map(({ count, block }) => [block, count])).toEqual([[1, 2], [3, 1]]);
  });
});
