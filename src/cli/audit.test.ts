import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../core/tokens/counter';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { auditOf } from '../core/workspace/audit';
import { replay } from '../core/workspace/replay';
import { hasShared, sharedPath } from '../testing/shared';
import { parseCommand } from './args';
import { auditMarkdown, auditOfTrajectory } from './audit';
import { inspectFiles } from './inspect';
import { LINE_OPTIONS, withLine } from './load-line';

const fixture = (name: string): string => resolve(import.meta.dirname, '../core/import/fixtures', name);

async function inspectAudit(path: string) {
  const counter = await loadTokenCounter('o200k_base');
  return (await inspectFiles([path], { audit: (trajectory, reader) => auditOfTrajectory(trajectory, reader, counter) })).json;
}

describe('inspect --audit', () => {
  it('has a row a removal with the fields of the audit, and a section of Markdown a thread', async () => {
    const json = await inspectAudit(fixture('claude-code/two-boundaries.jsonl'));
    const audit = json.files[0]?.trajectories[0]?.audit ?? [];
    expect(audit.map(({ thread, policy, encoding, rows }) => [thread, policy, encoding, rows.map(({ step, op, blocks }) => [step, op, blocks])])).toEqual([['main', 'recorded', 'o200k_base', [[2, 'summarise', 2], [3, 'summarise', 2]]]]);
    expect(audit[0]?.totals.tokensFreed).toBe(audit[0]?.rows.reduce((sum, { tokensFreed }) => sum + tokensFreed, 0));
    const text = auditMarkdown(json);
    expect(text).toContain('2 removals of 4 blocks freed');
    expect(text.split('\n').filter((line) => line.startsWith('| 2 | summarise'))).toHaveLength(1);
  });

  it('says so where nothing was taken out, and escapes what would break the table', async () => {
    const json = await inspectAudit(fixture('openai-chat/bare-array.json'));
    expect(auditMarkdown(json)).toContain('Nothing was taken out of the context');
    const [first] = json.files[0]?.trajectories[0]?.audit ?? [];
    expect(first?.totals).toMatchObject({ removals: 0, medianDelay: null });
  });
});

/** Real runs whose own manager took something out: the audit against a second formula straight from the columns. */
describe.skipIf(!hasShared).each([['opencode/silent-panda-102-tools.json', 31], ['codex/record-types-2026.fixture.jsonl', 6]])('%s', (sample, removals) => {
  it('agrees with a count over the block table', () => withLine(parseCommand([sharedPath('trajectories', sample)], LINE_OPTIONS), async ({ reader, trajectory, line }) => {
    const counter = await loadTokenCounter('o200k_base');
    const input = await analyseRecordedLine(reader, trajectory, line, counter);
    const recorded = replay(input, { policy: 'recorded', budget: 1e9 }, (text) => counter.count(text));
    const { rows, totals } = auditOf(recorded, input.evidence, input.blocks);
    expect(totals.removals).toBe(removals);
    const { blocks, evidence } = input;
    for (const row of rows) {
      const bases = row.ids.map((id) => recorded.blocks.base[Number(id.slice(1)) - 1] ?? -1).filter((base) => base >= 0);
      const again = Array.from({ length: blocks.n }, (_, b) => b).filter((b) => (blocks.bornStep[b] ?? 0) > row.step && (blocks.tokens[b] ?? 0) >= 16 && bases.some((base) => blocks.contentHash[base] === blocks.contentHash[b]));
      const back = again.length === 0 ? null : Math.min(...again.map((b) => blocks.bornStep[b] ?? 0));
      expect([row.backAt, row.back]).toEqual(back === null ? [null, null] : [back, 'read again']);
      // First call that has one of them among its sources, up to the return.
      let used: number | null = null;
      for (let t = row.step; t <= evidence.steps && used === null; t++) {
        for (let d = evidence.demandStart[t - 1]!; d < evidence.demandStart[t]!; d++) {
          for (let s = evidence.sourceStart[d]!; s < evidence.sourceStart[d + 1]!; s++) {
            if (evidence.demandInPrompt[d] === 0 && evidence.sourceIsEcho[s] === 0 && bases.includes(evidence.sources[s]!) && t < (back ?? Infinity)) used = t;
          }
        }
      }
      if (bases.length === 1) expect(row.usedAt).toBe(used);
    }
  }));
});
