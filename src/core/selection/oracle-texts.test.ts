import { beforeAll, describe, expect, it } from 'vitest';
import { oracleJson, oracleMatrix, oracleMessages, readableRuns } from '../../testing/oracles';
import { sha256Hex } from '../base/sha256';
import { unitRows } from '../numerics/unit-rows';
import { firstRows, rowOf } from '../numerics/matrix';
import { interactionBlocks } from '../trace/interaction';
import { codePoints } from './code-points';
import { protect } from './protection';
import { checkpointOfBlocks, checkpointTexts, readSelectionLine, type SelectionLine } from './selection-line';
import type { ProtectionGroup } from './types';

interface TextRow { sha256: string; codePoints: number }
interface Blocks {
  idsClash: boolean; blocks: number; checkpoints: number[]; finalText: TextRow; lastGoal: TextRow; toolCalls: number;
  atCheckpoint: Record<string, { action: TextRow; goal: TextRow; stateQuery: TextRow }>;
  rows: (TextRow & { messages: number[]; codePointsUncut: number })[];
}
interface ProtectedFile {
  blocks: { index: number; ops: [string, string, string][]; error: string | null; source: [string, string] | null }[];
  checkpoints: Record<string, Record<string, { groups: Record<ProtectionGroup, number[]> }>>;
}

const row = (text: string): TextRow => ({ sha256: sha256Hex(text), codePoints: codePoints(text) });
const pick = ({ sha256, codePoints: count }: TextRow): TextRow => ({ sha256, codePoints: count });

describe.each(readableRuns)('%s', (run) => {
  const expected = oracleJson<Blocks>('runs', run, 'blocks.json');
  const evidence = oracleJson<ProtectedFile>('runs', run, 'protected.json');
  let line: SelectionLine;

  beforeAll(async () => {
    const messages = await oracleMessages(run);
    line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 0);
  });

  it('texts of all blocks, their messages and the final text', () => {
    expect(line.blocks.map((block) => ({ messages: block.messageIndices, ...row(block.text), codePointsUncut: block.uncutChars })))
      .toEqual(expected.rows.map((block) => ({ messages: block.messages, ...pick(block), codePointsUncut: block.codePointsUncut })));
    expect(row(line.finalText)).toEqual(pick(expected.finalText));
    expect(line.idsClash).toBe(expected.idsClash);
    expect(row(checkpointTexts(line, { n: 0, position: line.messages }).goal)).toEqual(pick(expected.lastGoal));
  });

  it.each(expected.checkpoints)('goal, action and state query at %i blocks', (n) => {
    const texts = checkpointTexts(line, checkpointOfBlocks(line, n));
    const at = expected.atCheckpoint[n]!;
    expect([texts.action, texts.goal, texts.stateQuery].map(row)).toEqual([at.action, at.goal, at.stateQuery].map(pick));
  });

  it('operations, errors and sources of every block', () => {
    for (const [i, block] of evidence.blocks.entries()) {
      const { operations, error, source } = line.blocks[i]!.detection;
      expect(operations.map((o) => [o.role, o.path, o.rule]), `block ${i}`).toEqual(block.ops);
      expect(error !== null, `error of block ${i}: ${error}`).toBe(block.error !== null);
      expect(source?.key ?? null, `source of block ${i}`).toEqual(block.source?.[1] ?? null);
    }
  });

  it.each(expected.checkpoints)('protected groups at %i blocks', (n) => {
    for (const [encoder, { groups }] of Object.entries(evidence.checkpoints[n]!)) {
      const { data, rows, columns } = oracleMatrix(run, `vectors-${encoder}`);
      const vectorAt = (file: string): Float64Array => {
        const m = oracleMatrix(run, `${file}-${encoder}`);
        return rowOf(unitRows(m.data, m.rows, m.columns), expected.checkpoints.indexOf(n));
      };
      const protection = protect({
        rows: firstRows(unitRows(data, rows, columns), n),
        detections: line.blocks.map((block) => block.detection),
        goal: vectorAt('goal-final'),
        stateQuery: vectorAt('queries'),
        stateQueryText: checkpointTexts(line, checkpointOfBlocks(line, n)).stateQuery,
      });
      expect(protection.groups, encoder).toEqual(groups);
      for (const index of protection.all) expect(protection.why[index]!.length).toBeGreaterThan(0);
    }
  });
});
