import { describe, expect, it } from 'vitest';
import { evidenceOf, blocksOf, tableOf, type TestDemand } from '../../testing/workspace';
import { evidenceByAge } from './evidence-by-age';

// Blocks 0 S, 1 T (prompt), 2 A and 3 O of step 2, 4 A and 5 O (error) of step 3, 6 A and 7 O of step 4, 8 A of step 5: four calls.
const BLOCKS = blocksOf('S 10, T 10, A 5, O 50 read, A 5, O 70 bash !, A 5, O 30 read, A 5');
const TABLE = tableOf(BLOCKS);
const STEPS = 4;

function measure(demands: TestDemand[], echoes: [demand: number, source: number][] = [], choice: 'newest' | 'origin' = 'newest') {
  const evidence = evidenceOf(STEPS, BLOCKS.length, demands);
  evidence.isPrompt[0] = 1;
  evidence.isPrompt[1] = 1;
  for (const [d, s] of echoes) evidence.sourceIsEcho[(evidence.sourceStart[d] ?? 0) + s] = 1;
  return evidenceByAge(evidence, TABLE, choice);
}

describe('use against age', () => {
  it('puts each demand at the age of its source, and counts the blocks of that age there were', () => {
    const found = measure([{ step: 2, sources: [3], weight: 2 }, { step: 4, sources: [3], weight: 3 }, { step: 4, sources: [7], weight: 1 }, { step: 3, sources: [1], weight: 7, prompt: true }]);
    expect(found).toMatchObject({ weight: 6, promptWeight: 7 });
    // Alive until call 4: blocks 2, 3 from step 2 (ages 0–2), 4, 5 from 3 (0–1), 6, 7 from 4 (0); 8 comes after the last call.
    expect(found.rows.map(({ from, to, weight, demands, blockSteps }) => [from, to, weight, demands, blockSteps])).toEqual([[0, 0, 3, 2, 6], [1, 1, 0, 0, 4], [2, 3, 3, 1, 2]]);
    expect(found.rows.map(({ rate }) => rate)).toEqual([500, 0, 1500]);
    expect(found.medianAge).toBe(0);
  });

  it('the newest holder is what a window must reach; the origin is the first that did not repeat it', () => {
    const demand: TestDemand[] = [{ step: 4, sources: [2, 3, 6], weight: 1 }];
    expect(measure(demand, [[0, 0], [0, 2]]).rows.map(({ weight }) => weight)).toEqual([1, 0, 0]);
    expect(measure(demand, [[0, 0], [0, 2]], 'origin').rows.map(({ weight }) => weight)).toEqual([0, 0, 1]);
    // Where all only repeated it, the first of them.
    expect(measure(demand, [[0, 0], [0, 1], [0, 2]], 'origin').rows.map(({ weight }) => weight)).toEqual([0, 0, 1]);
  });

  it('tells kinds apart, an error result from another one', () => {
    const { byKind } = measure([{ step: 4, sources: [5], weight: 4 }, { step: 4, sources: [3], weight: 2 }, { step: 3, sources: [4], weight: 1 }]);
    expect(byKind.map(({ kind, weight, medianAge }) => [kind, weight, medianAge])).toEqual([['error', 4, 1], ['tool_result', 2, 2], ['assistant', 1, 0]]);
    // Assistant blocks 2, 4, 6: ages up to 2, 1, 0.
    expect(byKind[2]?.rows.map(({ blockSteps }) => blockSteps)).toEqual([3, 2, 1]);
  });

  it('the older half of the blocks there were; ½ where use does not depend on age', () => {
    // At call 4 blocks 2–7 are there: 2, 3, 4 are the older half.
    const half = (sources: number[]) => measure(sources.map((source) => ({ step: 4, sources: [source] }))).olderHalf;
    expect(half([2, 3, 4])).toBe(1);
    expect(half([5, 6, 7])).toBe(0);
    expect(half([2, 3, 4, 5, 6, 7])).toBe(0.5);
    expect(half([4, 5])).toBe(0.5);
    expect(half([])).toBeNull();
  });

  it('weights of the rows are the weight in all, and those of the kinds too', () => {
    const demands = Array.from({ length: 20 }, (_, i): TestDemand => ({ step: 2 + (i % 3), sources: [2 + (i % 2)], weight: 1 + (i % 5) }));
    const { weight, rows, byKind } = measure(demands);
    const sum = (values: { weight: number }[]): number => values.reduce((a, b) => a + b.weight, 0);
    expect(sum(rows)).toBe(weight);
    expect(sum(byKind)).toBe(weight);
    for (let bin = 0; bin < rows.length; bin++) expect(byKind.reduce((a, { rows: own }) => a + (own[bin]?.blockSteps ?? 0), 0)).toBe(rows[bin]?.blockSteps);
  });
});
