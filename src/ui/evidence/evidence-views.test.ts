import { describe, expect, it } from 'vitest';
import { evidenceByAge } from '../../core/evidence/evidence-by-age';
import { auditOf } from '../../core/workspace/audit';
import { stateAt } from '../../core/workspace/state-at';
import { lineOf, replayOf } from '../../testing/line';
import { ageTable, ageVerdict, ageWords } from './age-model';
import { auditSentence, auditTable } from './audit-table';
import { blockValues, blockValueTable, paging, runFacts } from './run-evidence';

const LINE = lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash, A 5, O 30 read, A 5', [
  { step: 2, sources: [3], weight: 2, lexeme: 'src/a.ts' },
  { step: 4, sources: [3], weight: 3, lexeme: 'E1234' },
  { step: 4, sources: [5], weight: 1, lexeme: 'other' },
]);

describe('evidence of a run', () => {
  it('block values are tokens × steps in view after the last use, by a count over the states of all steps', () => {
    for (const policy of ['keep-everything', 'append-truncate', 'auto-archive', 'vista']) {
      for (const budget of [600, 900, 1200, 10_000]) {
        const replay = replayOf(LINE, { policy, budget });
        const expected = new Map<number, number>();
        for (let t = 1; t <= replay.steps.n; t++) {
          for (const item of stateAt(replay, t).visible) {
            const base = replay.blocks.base[item] ?? -1;
            if (base >= 0 && t > (LINE.evidence.lastUse[base] ?? 0)) expected.set(item, (expected.get(item) ?? 0) + (replay.blocks.tokens[item] ?? 0));
          }
        }
        expect(new Map(blockValues(LINE, replay).map(({ index, stale }) => [index, stale])), `${policy} ${budget}`).toEqual(expected);
      }
    }
  });

  it('are listed most costly first and exported with plain numbers', () => {
    const rows = blockValues(LINE, replayOf(LINE, { policy: 'keep-everything', budget: 10_000 }));
    const stale = rows.map((row) => row.stale);
    expect(stale).toEqual([...stale].sort((a, b) => b - a));
    // Never used, seen by all four calls.
    expect(rows.find(({ id }) => id === 'B1')).toMatchObject({ stale: 400, lastUse: 0 });
    expect(blockValueTable(rows)[1]?.[6]).toBe(rows[0]?.lastUse === 0 ? null : rows[0]?.lastUse);
  });

  it('says obligations, reads and faults of a step, and the rates of the run', () => {
    const replay = replayOf(LINE, { policy: 'append-truncate', budget: 900 });
    const facts = new Map(runFacts(replay).map(({ name, value }) => [name, value]));
    expect(facts.get('lost')).not.toBe('0.0 %');
    expect(facts.get('faults')).toBe(`${replay.totals.paging.faults} (${(replay.totals.paging.faults / 4).toFixed(2)} a step)`);
    expect(facts.get('fault rate')).toBe(`${(((replay.totals.paging.faultRate ?? 0)) * 100).toFixed(2)} %`);
    expect(paging(replay.steps, 3).map(({ name, value }) => [name, value])).toEqual([['obligations', '0'], ['reads', '0'], ['faults', String(replay.steps.faults[3])]]);
    expect(new Map(runFacts(replayOf(LINE, { policy: 'keep-everything', budget: 900 })).map(({ name, value }) => [name, value])).get('fault rate')).toBe('–');
  });
});

describe('use against age in words', () => {
  const age = evidenceByAge(LINE.evidence, LINE.blocks, 'newest');

  it('names ages, and lists every kind and bin', () => {
    expect(age.rows.map(ageWords)).toEqual(['0', '1', '2–3']);
    const table = ageTable(age);
    expect(table).toHaveLength(1 + age.rows.length * (1 + age.byKind.length));
    expect(table.slice(1).filter(([, kind]) => kind === 'all').reduce((sum, row) => sum + Number(row[4]), 0)).toBe(6);
  });

  it('sets the run beside the claim only where there is evidence', () => {
    expect(ageVerdict(age)).toMatch(/^\d+ % of the evidence weight comes from the older half/);
    expect(ageVerdict({ ...age, weight: 0, medianAge: null, olderHalf: null })).toBeNull();
    expect(ageVerdict({ ...age, olderHalf: 0.5 })).toContain('hardly falls');
    expect(ageVerdict({ ...age, olderHalf: 0.05 })).toMatch(/use falls with age here\.$/);
  });
});

it('the audit is exported row by row and summed up in one sentence', () => {
  const replay = replayOf(LINE, { policy: 'auto-archive', budget: 950 });
  const audit = auditOf(replay, LINE.evidence, LINE.blocks);
  const [head = [], ...rows] = auditTable(audit);
  expect(rows).toHaveLength(audit.totals.removals);
  expect(rows.map((row) => row[head.indexOf('tokensFreed')])).toEqual(audit.rows.map(({ tokensFreed }) => tokensFreed));
  expect(auditSentence(audit)).toContain(`${audit.totals.removals} removal`);
});
