import { beforeAll, describe, expect, it } from 'vitest';
import { testPart } from '../../testing/corpus';
import { holmAdjusted } from '../numerics/holm';
import { wilcoxonSignedRank } from '../numerics/wilcoxon';
import { corpusFiles } from './corpus-files';
import { reduceParts } from './reduce-parts';
import { meanOf } from './sums';
import { TABLE_IDS, type CorpusTable, type CorpusTables, type RunPart } from './types';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
let parts: RunPart[];
let tables: CorpusTables;
const table = (id: string): CorpusTable => tables.tables.find((candidate) => candidate.id === id)!;

beforeAll(async () => {
  parts = [];
  for (const [i, name] of NAMES.entries()) parts.push(await testPart([22, 25, 9, 19, 24][i]!, name));
  tables = reduceParts(parts);
});

describe('reduceParts', () => {
  it('gives every table with rows by scope, and a row a run', () => {
    expect(tables.tables.map(({ id }) => id)).toEqual([...TABLE_IDS]);
    expect(table('C1').rows.filter((row) => row.scope === 'run').map((row) => row.label)).toEqual(NAMES.map((name) => `${name}.jsonl`));
    expect(table('1').rows.filter((row) => row.scope === 'run').length).toBe(4 * 9);
    expect(table('1').rows.find((row) => row.label === 'gem')!.n).toBe(6 + 9 + 3 + 8);
    expect(table('D2').rows.filter((row) => row.scope === 'effect').map((row) => row.label)).toContain('without state − gem');
    expect(table('D3').rows.filter((row) => row.scope === 'pooled').length).toBe(4 * 13);
    // Prefixes of 20 blocks or more: 22 gives 2, 25 gives 5, 24 gives 4.
    expect(table('D3').rows[0]!.n).toBe(11);
    expect(table('D4').rows.filter((row) => row.scope === 'seed').length).toBe(2);
  });

  it('pools over checkpoints and takes trajectories as units for the rest', () => {
    const sums = parts.flatMap((part) => (part.prefixes ? [part.prefixes.selectors['gem']!.top3] : []));
    const pooled = table('1').rows.find((row) => row.scope === 'pooled' && row.label === 'gem')!.cells['top3']!;
    expect(pooled.value).toBeCloseTo(sums.reduce((sum, s) => sum + s.sum, 0) / sums.reduce((sum, s) => sum + s.count, 0), 12);
    expect(pooled.low!).toBeLessThanOrEqual(pooled.value!);
    expect(pooled.high!).toBeGreaterThanOrEqual(pooled.value!);
    const runs = table('1').rows.find((row) => row.scope === 'runs' && row.label === 'gem')!.cells['top3']!;
    expect(runs.value).toBeCloseTo(sums.map((s) => meanOf(s)!).reduce((sum, x) => sum + x, 0) / sums.length, 12);
    const difference = table('1').rows.find((row) => row.label === 'gem − geometry')!.cells['top3']!;
    const geometry = table('1').rows.find((row) => row.scope === 'runs' && row.label === 'geometry')!.cells['top3']!;
    expect(difference.value).toBeCloseTo(runs.value! - geometry.value!, 12);
  });

  it('tests are the exact signed-rank tests of the rows by run, Holm within a family', () => {
    for (const { id, tests } of tables.tables) {
      for (const family of new Set(tests.map((test) => test.family))) {
        const members = tests.filter((test) => test.family === family);
        expect(members.map((test) => test.pHolm)).toEqual(holmAdjusted(members.map((test) => test.p)));
        expect(members.every((test) => test.table === id && test.statistic === Math.min(test.wPlus, test.wMinus))).toBe(true);
      }
    }
    const rows = table('C1').rows.filter((row) => row.scope === 'run');
    const test = table('C1').tests.find(({ family, columns }) => family.includes('all runs') && columns[0] === 'erank')!;
    expect(test.p).toBe(wilcoxonSignedRank(rows.map((row) => row.cells['erank']!.value! - row.cells['erankShiftMean']!.value!)).p);
    const top3 = table('1').tests.find(({ columns }) => columns.join() === 'top3.gem,top3.recency')!;
    const means = (selector: string): number[] => parts.flatMap((part) => (part.prefixes ? [meanOf(part.prefixes.selectors[selector]!.top3)!] : []));
    expect(top3.p).toBe(wilcoxonSignedRank(means('gem').map((x, i) => x - means('recency')[i]!)).p);
  });

  it('the order of the parts changes no byte, nor does a way through JSON', () => {
    const files = corpusFiles(tables);
    expect(corpusFiles(reduceParts([...parts].reverse()))).toEqual(files);
    expect(corpusFiles(reduceParts(JSON.parse(JSON.stringify(parts)) as RunPart[]))).toEqual(files);
  });

  it('counts the same bytes once, and names trajectories of one file apart', () => {
    const copy = { ...parts[0]!, run: { ...parts[0]!.run, file: 'z/copy.jsonl' } };
    const second = { ...parts[1]!, run: { ...parts[1]!.run, file: 'a.jsonl', sha256: parts[0]!.run.sha256, trajectory: 1 } };
    const { runs, duplicates } = reduceParts([copy, second, ...parts]);
    expect(runs.map((run) => run.key)).toEqual(['a.jsonl#0', 'a.jsonl#1', 'b.jsonl', 'c.jsonl', 'd.jsonl', 'e.jsonl']);
    expect(duplicates).toEqual([{ key: 'z/copy.jsonl', sameAs: 'a.jsonl#0' }]);
  });

  it('refuses parts that must not be pooled, and none at all', async () => {
    expect(() => reduceParts([])).toThrow(/at least one run/);
    expect(() => reduceParts([parts[0]!, { ...parts[1]!, version: 0 }])).toThrow(/b.jsonl was mapped by version 0/);
    expect(() => reduceParts([parts[0]!, { ...parts[1]!, encoder: { id: 'other@1', dim: 24, sha256: null } }])).toThrow(/b.jsonl was mapped with the encoder/);
    const other = await testPart(18, 'x', { seed: 1 });
    expect(() => reduceParts([parts[0]!, other])).toThrow(/x.jsonl was mapped with the settings/);
  });

  it('only some tables; a single run has values but no intervals', () => {
    expect(reduceParts(parts, ['D4', 'C1']).tables.map(({ id }) => id)).toEqual(['C1', 'D4']);
    const [one] = reduceParts([parts[0]!], ['1']).tables;
    const cell = one!.rows.find((row) => row.scope === 'runs' && row.label === 'gem')!.cells['coverage']!;
    expect(cell.value).toBeGreaterThan(0);
    expect(cell.low).toBeUndefined();
  });

  it('the seed of the settings moves the intervals, not the values', () => {
    const again = reduceParts(parts.map((part) => ({ ...part, settings: { ...part.settings, seed: 9 } })));
    const cells = (of: CorpusTables) => of.tables.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row.cells)));
    expect(cells(again).map((cell) => cell.value)).toEqual(cells(tables).map((cell) => cell.value));
    const bounds = (of: CorpusTables) => cells(of).map((cell) => [cell.low, cell.high]);
    expect(bounds(again)).not.toEqual(bounds(tables));
  });
});
