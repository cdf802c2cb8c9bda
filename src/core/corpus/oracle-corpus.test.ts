import { describe, expect, it } from 'vitest';
import { oracleEncoders, oracleJson, oracleMatrix, oracleMessages, oracleRuns } from '../../testing/oracles';
import { hasShared } from '../../testing/shared';
import { staticVectors } from '../../testing/static-vectors';
import { firstRows } from '../numerics/matrix';
import { unitRows } from '../numerics/unit-rows';
import { readSelectionLine } from '../selection/selection-line';
import { interactionBlocks } from '../trace/interaction';
import { corpusTexts, mapRun, runSpectrum } from './map-run';
import { reduceParts } from './reduce-parts';
import { meanOf } from './sums';
import { DEFAULT_SETTINGS, PART_VERSION, type CorpusSettings, type CorpusTest, type MetricName, type RunPart } from './types';

type Metrics = Record<Exclude<MetricName, 'top3Older' | 'retained' | 'tokensKept'>, number>;
type Effects = Record<'actionProjection' | 'top3' | 'centroid' | 'coverage', number>;
interface PerRun { checkpoints: number; retained: number; protected: number; stops: Record<string, number>; means: Record<string, Metrics>; replacementEffects: Effects; replacementPairs: number }
interface Pooled {
  pooled: Record<string, Metrics>; upTo89: Record<string, Metrics>; checkpoints: number; perRun: Record<string, PerRun>;
  top3GemMinusGeometry: { perRun: number[]; m: number; wPlus: number; wMinus: number; p: number };
  replacementEffects: Effects; replacementPairs: number;
}
interface Test { m: number; wPlus: number; wMinus: number; p: number }
interface Spectra { rows: { run: string; n: number; erank: number; shift: number; shiftDraw0: number; r90: number; shiftR90: number }[]; erankAll: Test; erank16: Test; r90All: Test; holm: number[] }

const near = (actual: number | null | undefined, expected: number, tolerance: number): void => expect(Math.abs(actual! - expected)).toBeLessThanOrEqual(tolerance);

/** The reference leaves dear ones out in the same way: max-gain at multiples of 8, replacement at multiples of 4. */
const SETTINGS: CorpusSettings = { ...DEFAULT_SETTINGS, tables: ['1', '2'], everyOf: { 'max-gain': 8 } };
/** All four take minutes; without the variable two stand for them. */
const ALL = process.env['CONTEXTSCOPE_ALL_ORACLES'] !== undefined;
const POOLED_RUNS = ALL ? ['claude-opus-envoy', 'pi-large', 'mini-astroid', 'opencode-panda'] : ['claude-opus-envoy', 'opencode-panda'];

async function partOf(run: string): Promise<RunPart> {
  const messages = await oracleMessages(run);
  const line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 1);
  const vectors = await staticVectors(corpusTexts(line, SETTINGS));
  const encoder = { id: 'static-minilm-384@1', dim: 384, sha256: null };
  return mapRun({ run: { file: run, sha256: run, format: '', trajectory: 0, name: run }, line, encoder, vectorOf: (text) => vectors.get(text) ?? null }, SETTINGS);
}

describe.skipIf(!hasShared)('tables 1 and 2 against the pooled reference', () => {
  it('per-run means, stops, effects, and what is pooled from them', async () => {
    const expected = oracleJson<{ encoders: Record<string, Pooled> }>('pooled.json').encoders['static-minilm-384']!;
    const parts: RunPart[] = [];
    for (const run of POOLED_RUNS) parts.push(await partOf(run));
    const names = Object.keys(expected.pooled['gem']!) as (keyof Metrics)[];
    for (const { run, prefixes, replacement } of parts) {
      const reference = expected.perRun[run.name]!;
      expect([prefixes!.checkpoints, prefixes!.stops, replacement!.pairs]).toEqual([reference.checkpoints, reference.stops, reference.replacementPairs]);
      near(meanOf(prefixes!.protected), reference.protected, 1e-9);
      near(meanOf(prefixes!.selectors['gem']!.retained), reference.retained, 1e-9);
      for (const [selector, means] of Object.entries(reference.means)) for (const name of names) near(meanOf(prefixes!.selectors[selector]![name]), means[name], 1e-6);
      for (const name of ['actionProjection', 'top3', 'centroid', 'coverage'] as const) near(meanOf(replacement!.effects[name]), reference.replacementEffects[name], 1e-6);
    }
    const [table1, table2] = reduceParts(parts).tables;
    const effect = table1!.rows.find((row) => row.scope === 'effect' && row.label === 'gem − geometry')!;
    const differences = POOLED_RUNS.map((run) => expected.perRun[run]!.means['gem']!.top3 - expected.perRun[run]!.means['geometry']!.top3);
    near(effect.cells['top3']!.value, differences.reduce((sum, x) => sum + x, 0) / differences.length, 1e-6);
    if (POOLED_RUNS.length < 4) return;
    for (const scope of ['pooled', 'upTo89'] as const) {
      for (const [selector, means] of Object.entries(expected[scope])) {
        const row = table1!.rows.find((candidate) => candidate.scope === scope && candidate.label === selector)!;
        for (const name of names) near(row.cells[name]!.value, means[name], 1e-6);
      }
    }
    const test = table1!.tests.find(({ columns }) => columns[1] === 'top3.geometry')!;
    expect([test.m, test.wPlus, test.wMinus, test.p]).toEqual([expected.top3GemMinusGeometry.m, expected.top3GemMinusGeometry.wPlus, expected.top3GemMinusGeometry.wMinus, expected.top3GemMinusGeometry.p]);
    expect(table2!.rows[0]!.n).toBe(expected.replacementPairs);
    for (const name of ['actionProjection', 'top3', 'centroid', 'coverage'] as const) near(table2!.rows[0]!.cells[name]!.value, expected.replacementEffects[name], 1e-6);
  });
});

describe.skipIf(!hasShared)('Table C1 against the reference', () => {
  it.each(ALL ? oracleEncoders : oracleEncoders.slice(0, 1))('%s: every run, the tests and Holm', (encoder) => {
    const expected = oracleJson<{ erankAgainstShift: Record<string, Spectra> }>('stats.json').erankAgainstShift[encoder]!;
    const settings: CorpusSettings = { ...DEFAULT_SETTINGS, tables: ['C1'] };
    const parts = oracleRuns.flatMap((run): RunPart[] => {
      const { data, rows, columns } = oracleMatrix(run, `vectors-${encoder}`);
      if (rows < 2) return [];
      // The reference takes the last checkpoint of a run that has one.
      const spectrum = runSpectrum(firstRows(unitRows(data, rows, columns), rows > 16 ? rows - 1 : rows), settings);
      return [{ version: PART_VERSION, run: { file: run, sha256: run, format: '', trajectory: 0, name: run }, encoder: { id: encoder, dim: columns, sha256: null }, settings, blocks: rows, leftOut: null, spectrum, prefixes: null, replacement: null, compared: null, ablations: null, capacities: null, targets: null, policies: null }];
    });
    const [table] = reduceParts(parts).tables;
    for (const row of expected.rows) {
      const { cells } = table!.rows.find((candidate) => candidate.scope === 'run' && candidate.label === row.run)!;
      near(cells['erank']!.value, row.erank, 1e-9 * row.erank);
      near(cells['erankShiftMean']!.value, row.shift, 1e-9 * row.shift);
      near(cells['erankShift']!.value, row.shiftDraw0, 1e-9 * row.shiftDraw0);
      near(cells['r90Share']!.value, row.r90, 1e-12);
      near(cells['r90ShareShiftMean']!.value, row.shiftR90, 1e-12);
    }
    const of = (family: string, column: string): CorpusTest => table!.tests.find((test) => test.family.includes(family) && test.columns[0] === column)!;
    for (const [test, reference] of [[of('all runs', 'erank'), expected.erankAll], [of('≥ 16', 'erank'), expected.erank16], [of('all runs', 'r90Share'), expected.r90All]] as const) {
      expect([test.m, test.wPlus, test.wMinus]).toEqual([reference.m, reference.wPlus, reference.wMinus]);
      near(test.p, reference.p, 1e-12 * reference.p);
    }
    expect([of('all runs', 'erank').pHolm, of('all runs', 'r90Share').pHolm]).toEqual(expected.holm);
  });
});
