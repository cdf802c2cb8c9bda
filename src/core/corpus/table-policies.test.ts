import { describe, expect, it } from 'vitest';
import { listPolicies } from '../workspace/policies';
import { replay } from '../workspace/replay';
import { testPart } from '../../testing/corpus';
import { replayInput } from '../../testing/corpus-replay';
import { corpusFiles } from './corpus-files';
import { COMPARED_POLICIES, mapPolicies, WHOLE_HISTORY } from './policy-part';
import { reduceParts } from './reduce-parts';
import { DEFAULT_SETTINGS, type RunPart } from './types';

const BUDGET = 300;
const count = (text: string): number => Math.ceil(text.length / 4);
const settings = { ...DEFAULT_SETTINGS, controlDraws: 3, tables: ['policies' as const], budget: BUDGET };

async function part(blocks: number, name: string): Promise<RunPart> {
  return { ...(await testPart(blocks, name, settings)), policies: await mapPolicies(await replayInput(blocks, name), settings, count) };
}

describe('mapPolicies', () => {
  it('takes the totals of the replays, with evidence as shares', async () => {
    const input = await replayInput(20, 'a');
    const { policies, peak, steps } = await mapPolicies(input, settings, count);
    expect(Object.keys(policies)).toEqual([WHOLE_HISTORY, ...COMPARED_POLICIES]);
    for (const [policy, { values }] of Object.entries(policies)) {
      const { totals } = replay(input, { policy, budget: BUDGET }, count);
      expect(values).toMatchObject({ trajectoryTokens: totals.trajectoryTokens, peakContext: totals.peakContext, reads: totals.reads, overflowSteps: totals.overflowSteps, steps });
      const shares = [values.evidenceVisible, values.evidenceRecoverable, values.evidenceLost];
      expect(shares.reduce((sum: number, x) => sum + (x ?? 0), 0)).toBeCloseTo(1, 12);
    }
    expect(policies[WHOLE_HISTORY]!.values).toMatchObject({ peakContext: peak, removals: 0, evidenceLost: 0 });
    expect(policies['append-truncate']!.values.removals).toBeGreaterThan(0);
    expect(policies['auto-archive']!.values.evidenceLost).toBe(0);
  });

  it('replays nothing of a run that fits, and can be stopped between policies', async () => {
    const input = await replayInput(20, 'a');
    expect((await mapPolicies(input, { budget: 1e6 }, count)).policies).toEqual({});
    let calls = 0;
    await expect(mapPolicies(input, settings, count, () => {
      if (++calls === 3) throw new Error('stopped');
    })).rejects.toThrow('stopped');
    expect(calls).toBe(3);
  });

  it('compares policies there are', () => {
    const ids = new Set(listPolicies().map(({ id }) => id));
    expect([WHOLE_HISTORY, ...COMPARED_POLICIES].filter((id) => !ids.has(id))).toEqual([]);
  });
});

describe('the table of policies', () => {
  it('has VISTA’s rows over the runs above the window, with its printed numbers beside', async () => {
    const small: RunPart = { ...(await part(20, 'c')), run: { file: 'fits.jsonl', sha256: 'fits', format: '', trajectory: 0, name: '' }, policies: { peak: 10, steps: 2, policies: {} } };
    const tables = reduceParts([await part(24, 'b'), small, await part(20, 'a')]);
    const [table] = tables.tables;
    expect(table).toMatchObject({ id: 'policies', notes: [expect.stringContaining('2 of 3 runs exceed'), expect.any(String), expect.any(String), expect.any(String)] });
    const rows = table!.rows;
    const of = (scope: string, label: string) => rows.find((row) => row.scope === scope && row.label === label)!.cells;
    const perRun = rows.filter((row) => row.scope === 'run' && row.label.endsWith(' · vista'));
    expect(perRun.map((row) => row.label)).toEqual(['a.jsonl · vista', 'b.jsonl · vista']);
    const mean = (key: string): number => perRun.reduce((sum, row) => sum + row.cells[key]!.value!, 0) / 2;
    expect(of('runs', 'vista')['trajectoryTokens']!.value).toBeCloseTo(mean('trajectoryTokens'), 6);
    expect(of('runs', 'vista')).toMatchObject({ state: { value: 1 }, control: { value: 1 }, recovery: { value: 1 } });
    expect(of('effect', 'vista − append-truncate')['evidenceLost']!.value).toBeCloseTo(of('runs', 'vista')['evidenceLost']!.value! - of('runs', 'append-truncate')['evidenceLost']!.value!, 12);
    expect(of('seed', 'vista')).toMatchObject({ trajectoryTokens: { value: 2.86e6 }, usd: { value: 0.93 } });
    expect(table!.tests).toHaveLength(12);
    expect(table!.tests.every(({ n, p, pHolm }) => n === 2 && pHolm >= p)).toBe(true);
    const files = corpusFiles(tables);
    expect(files.map(({ name }) => name)).toEqual(['runs.csv', 'table-policies.csv', 'table-policies.md', 'table-policies.tex', 'figure-policies.svg', 'summary.json']);
    expect(files[2]!.text).toContain(`window B = ${BUDGET} tokens`);
    expect(files[0]!.text.split('\n')[0]).toContain('trajectoryTokens.vista');
  });

  it('says so where every run fits', async () => {
    const fits: RunPart = { ...(await part(20, 'a')), policies: { peak: 10, steps: 2, policies: {} } };
    const [table] = reduceParts([fits]).tables;
    expect(table!.notes[0]).toContain('0 of 1 runs');
    expect(table!.rows.every((row) => row.scope === 'seed')).toBe(true);
    expect(table!.tests).toEqual([]);
  });
});
