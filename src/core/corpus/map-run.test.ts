import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testEncoder, testLine, testPart, testVector } from '../../testing/corpus';
import { buildSelectReport } from '../selection/select';
import { selectionInput } from '../selection/selection-input';
import { checkpointOfBlocks } from '../selection/selection-line';
import { checkpointsOf, comparedCheckpoints, corpusTexts, mapRun, measuredCheckpoints } from './map-run';
import { meanOf } from './sums';
import { DEFAULT_SETTINGS, METRIC_NAMES } from './types';

const run = { file: 'a.jsonl', sha256: 'x', format: 'f', trajectory: 0, name: 'a' };

describe('checkpoints', () => {
  it('16…N−1, as many as the paper counts, thinned evenly where there are too many', () => {
    expect(checkpointsOf(16)).toEqual([]);
    expect(checkpointsOf(18)).toEqual([16, 17]);
    expect(comparedCheckpoints(18)).toEqual([17]);
    expect(comparedCheckpoints(89)).toEqual([52, 88]);
    fc.assert(fc.property(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 1, max: 500 }), (blocks, mostCheckpoints) => {
      const { thinned, all } = measuredCheckpoints(blocks, { mostCheckpoints });
      expect(thinned.size).toBeLessThanOrEqual(mostCheckpoints);
      expect(thinned.size).toBe(blocks <= 16 ? 0 : Math.ceil((blocks - 16) / Math.ceil((blocks - 16) / mostCheckpoints)));
      expect(comparedCheckpoints(blocks).every((n) => all.includes(n))).toBe(true);
      expect(all.every((n) => n >= 16 && n < blocks)).toBe(true);
    }));
  });
});

describe('mapRun', () => {
  it('gives the metrics of the select report, checkpoint by checkpoint', async () => {
    const line = testLine(21);
    const part = await testPart(21);
    const reports = checkpointsOf(21).map((n) => buildSelectReport(
      selectionInput('a', testEncoder, line, checkpointOfBlocks(line, n), testVector),
      { checkpoint: n, k: 'auto', tau: 0.9, selectors: ['all'], mode: 'core', seed: 0 }, { controlDraws: 1 },
    ));
    expect(part.prefixes!.checkpoints).toBe(5);
    for (const [selector, sums] of Object.entries(part.prefixes!.selectors)) {
      for (const name of ['top3', 'actionProjection', 'finalProjection', 'goalProjection', 'centroid', 'coverage'] as const) {
        const values = reports.map((report) => report.selectors.find((result) => result.selector === selector)!.metrics[name]!);
        expect(meanOf(sums[name]), `${selector} ${name}`).toBeCloseTo(values.reduce((sum, x) => sum + x, 0) / values.length, 10);
      }
    }
    const stops = reports.map((report) => report.selectors[0]!.stop);
    for (const [stop, count] of Object.entries(part.prefixes!.stops)) expect(stops.filter((s) => s === stop).length).toBe(count);
    expect(part.prefixes!.upTo89).toEqual(part.prefixes!.selectors);
  });

  it('is plain JSON, the same bytes each time, and holds no text of the run', async () => {
    const text = JSON.stringify(await testPart(19));
    expect(JSON.stringify(await testPart(19))).toBe(text);
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
    expect(text).not.toMatch(/NaN|Infinity|src\/a2|All done/);
    expect(text).not.toContain('null,"count"');
  });

  it('asks for no text that corpusTexts does not name', async () => {
    const line = testLine(22);
    for (const settings of [DEFAULT_SETTINGS, { ...DEFAULT_SETTINGS, mostCheckpoints: 2 }]) {
      const named = new Set(corpusTexts(line, settings));
      await mapRun({ run, line, encoder: testEncoder, vectorOf: (text) => { expect(named.has(text)).toBe(true); return testVector(text); } }, { ...settings, controlDraws: 1 });
    }
  });

  it('survives a run without blocks, short runs, clashing ids, and says why they are left out', async () => {
    for (const blocks of [0, 1, 2, 16]) {
      const part = await testPart(blocks);
      expect(part.leftOut).toMatch(new RegExp(`^${blocks} complete block`));
      expect(part.spectrum === null).toBe(blocks < 2);
      expect([part.prefixes, part.replacement, part.compared, part.ablations, part.capacities, part.targets]).toEqual([null, null, null, null, null, null]);
    }
    const clash = testLine(20, 'a', '\nassistant: again\ncall t3 bash {}\nresult t3: twice\n');
    const part = await mapRun({ run, line: clash, encoder: testEncoder, vectorOf: testVector }, { ...DEFAULT_SETTINGS, controlDraws: 1 });
    expect(part.leftOut).toMatch(/used twice/);
    expect(part.spectrum).not.toBeNull();
  });

  it('has null for what needs a vector that is not there, and refuses a block without one', async () => {
    const line = testLine(18);
    const blocks = new Set(line.blocks.map((block) => block.text));
    const part = await mapRun({ run, line, encoder: testEncoder, vectorOf: (text) => (blocks.has(text) ? testVector(text) : null) }, { ...DEFAULT_SETTINGS, controlDraws: 1 });
    const gem = part.prefixes!.selectors['gem']!;
    for (const name of METRIC_NAMES) expect(meanOf(gem[name]) === null, name).toBe(['top3', 'top3Older', 'actionProjection', 'finalProjection', 'goalProjection'].includes(name));
    expect(part.replacement!.pairs).toBe(0);
    await expect(mapRun({ run, line, encoder: testEncoder, vectorOf: () => null }, DEFAULT_SETTINGS)).rejects.toThrow(/a.jsonl: block 0 of 18 has no vector from test@1/);
    await expect(mapRun({ run, line, encoder: testEncoder, vectorOf: () => new Float32Array(3) }, DEFAULT_SETTINGS)).rejects.toThrow(/3 numbers; test@1 has 24/);
  });

  it('reports each checkpoint and can be cancelled between two', async () => {
    const seen: number[] = [];
    const line = testLine(20);
    const settings = { ...DEFAULT_SETTINGS, tables: ['1' as const] };
    const part = await mapRun({ run, line, encoder: testEncoder, vectorOf: testVector }, settings, (done, total) => { seen.push(done / total); });
    expect(seen).toEqual([0.25, 0.5, 0.75, 1]);
    expect([part.spectrum, part.replacement, part.capacities]).toEqual([null, null, null]);
    await expect(mapRun({ run, line, encoder: testEncoder, vectorOf: testVector }, settings, (done) => { if (done === 2) throw new Error('stop'); })).rejects.toThrow('stop');
  });

  it('never lets the next action or the final text choose: other vectors for them change metrics only', async () => {
    const line = testLine(20);
    const future = new Set([line.finalText, ...line.actions.map((action) => action.text)]);
    const other = await mapRun({ run, line, encoder: testEncoder, vectorOf: (text) => testVector(future.has(text) ? `other ${text}` : text) }, { ...DEFAULT_SETTINGS, controlDraws: 1 });
    const part = await testPart(20);
    for (const [selector, sums] of Object.entries(part.prefixes!.selectors)) {
      expect(other.prefixes!.selectors[selector]!.coverage).toEqual(sums.coverage);
      expect(other.prefixes!.selectors[selector]!.centroid).toEqual(sums.centroid);
    }
    expect(other.prefixes!.selectors['gem']!.actionProjection).not.toEqual(part.prefixes!.selectors['gem']!.actionProjection);
  });
});
