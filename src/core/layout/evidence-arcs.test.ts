import { describe, expect, it } from 'vitest';
import { replay } from '../workspace/replay';
import { blocksOf, countWords, inputOf, type TestDemand } from '../../testing/workspace';
import { ARC_STATES, EvidenceArcs, placeArcs, type Arc } from './evidence-arcs';
import { buildLifelines } from './lifelines';
import { rowScale } from './row-scale';
import { fitView } from './time-scale';

const NOTATION = 'S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 30, O 900 bash, A 10, O 200 bash, A 40';
function arcsOf(demands: TestDemand[], policy = 'auto-archive', budget = 1400) {
  const input = inputOf(blocksOf(NOTATION), demands);
  const replayed = replay(input, { policy, budget }, countWords);
  const lines = buildLifelines(replayed, input.blocks, input.evidence);
  return { input, lines, arcs: new EvidenceArcs(replayed, input.blocks, input.facts, input.evidence, lines), replayed };
}
const gathered = (arcs: EvidenceArcs): readonly Arc[] => {
  while (!arcs.gather()) continue;
  return arcs.all;
};

describe('evidence arcs', () => {
  it('lead from where the source came in to the call that used it, at the row of what it said', () => {
    const { arcs, lines, replayed } = arcsOf([{ step: 3, sources: [3], weight: 2 }], 'keep-everything');
    // Call 3 said block 6 of the record.
    const row = (base: number): number => lines.rowOfBlock[replayed.blocks.base.indexOf(base)] ?? -1;
    expect(arcs.ofStep(3)).toEqual([{ fromRow: row(3), fromStep: 2, toRow: row(6), toStep: 3, state: 0, weight: 2 }]);
    expect(arcs.ofStep(2)).toEqual([]);
    expect(arcs.ofStep(99)).toEqual([]);
  });

  it('say whether the source was still there: the engine’s reads of that very call do not count', () => {
    const demands: TestDemand[] = [{ step: 6, sources: [3] }, { step: 6, sources: [9] }];
    const states = (policy: string): string[] => arcsOf(demands, policy).arcs.ofStep(6).map(({ state }) => ARC_STATES[state] ?? '');
    expect(states('keep-everything')).toEqual(['visible', 'visible']);
    expect(states('auto-archive')[0]).toBe('recoverable');
    expect(states('append-truncate')[0]).toBe('lost');
  });

  it('of a block are one a call, with the weight of all its strings; an echo only where nothing else holds it', () => {
    const { arcs, input, replayed } = arcsOf([{ step: 4, sources: [3], weight: 1 }, { step: 4, sources: [3, 5], weight: 2 }, { step: 6, sources: [3], weight: 4 }, { step: 6, sources: [1, 3], weight: 9, prompt: true }], 'keep-everything');
    const block = replayed.blocks.base.indexOf(3);
    expect(arcs.ofBlock(block).map(({ toStep, weight }) => [toStep, weight])).toEqual([[4, 3], [6, 4]]);
    expect(arcs.ofBlock(block)).toBe(arcs.ofBlock(block));
    input.evidence.sourceIsEcho[input.evidence.sourceStart[1]!] = 1;
    expect(arcs.ofStep(4).map(({ fromRow, weight }) => [fromRow, weight])).toEqual([[3, 1], [5, 2]]);
  });

  it('of the whole run are one a demand and come in slices', () => {
    const demands = Array.from({ length: 6 }, (_, i): TestDemand => ({ step: i + 1, sources: i < 1 ? [0] : [1 + i, 2 + (i % 2)], weight: 1 }));
    const { arcs } = arcsOf(demands, 'keep-everything');
    expect(gathered(arcs).map(({ toStep }) => toStep)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('a call with more demands than a slice is gone through all the same', () => {
    const many = Array.from({ length: 25_000 }, (_, i): TestDemand => ({ step: 4, sources: [3 + (i % 2) * 2] }));
    const { arcs } = arcsOf([{ step: 3, sources: [3] }, ...many, { step: 6, sources: [3] }], 'keep-everything');
    let slices = 1;
    while (slices < 10 && !arcs.gather()) slices++;
    expect(slices).toBe(2);
    expect(arcs.all.map(({ toStep }) => toStep)).toEqual([3, 4, 4, 6]);
  });

  it('a run of 10 000 steps is gathered in slices, none of which holds a frame', () => {
    const turns = 10_000;
    const blocks = blocksOf('S 10, T 10');
    for (let t = 1; t <= turns; t++) blocks.push({ kind: 'assistant', tokens: 5, born: t + 1, calls: 1 }, { kind: 'tool_result', tokens: 20, born: t + 1, parent: blocks.length });
    const demands: TestDemand[] = [];
    for (let t = 2; t <= turns; t++) for (let k = 0; k < 4; k++) demands.push({ step: t, sources: [Math.max(2, 2 * t - 1 - ((t * 7 + k * 311) % (2 * t - 2)))] });
    const input = inputOf(blocks, demands);
    const replayed = replay(input, { policy: 'keep-everything', budget: 1e9 }, countWords);
    const lines = buildLifelines(replayed, input.blocks, input.evidence);
    const arcs = new EvidenceArcs(replayed, input.blocks, input.facts, input.evidence, lines);
    let slices = 1;
    while (!arcs.gather()) slices++;
    expect(slices).toBe(2);
    expect(arcs.all.length).toBeGreaterThan(30_000);
    const time = { view: fitView(turns), left: 72, width: 1000 };
    const { placed, dropped } = placeArcs(arcs.all, time, rowScale(lines.rows, 100, 200, null, 0), 4000);
    expect(placed).toHaveLength(4000);
    expect(dropped).toBeGreaterThan(0);
  });
});

describe('arcs on screen', () => {
  const arc = (fromStep: number, toStep: number, change: Partial<Arc> = {}): Arc => ({ fromRow: 2, fromStep, toRow: 8, toStep, state: 0, weight: 1, ...change });
  const time = { view: { from: 100.5, to: 200.5 }, left: 72, width: 1000 };
  const rows = rowScale(20, 100, 240, 12, 0);

  it('are those that touch the view', () => {
    const { placed } = placeArcs([arc(1, 50), arc(50, 150), arc(120, 130), arc(201, 230)], time, rows, 100);
    expect(placed).toHaveLength(2);
    expect(placeArcs([arc(120, 130, { fromRow: 60, toRow: 80 })], time, rows, 100).placed).toHaveLength(0);
  });

  it('with the same ends are one, the heaviest stay, the lost lie on top', () => {
    const { placed, dropped } = placeArcs([arc(120, 130, { weight: 1 }), arc(120, 130, { weight: 2 }), arc(140, 150, { state: 2, weight: 5 }), arc(160, 170, { weight: 0.5 })], time, rows, 2);
    expect(placed.map(({ weight, state }) => [weight, state])).toEqual([[3, 0], [5, 2]]);
    expect(dropped).toBe(1);
  });
});
