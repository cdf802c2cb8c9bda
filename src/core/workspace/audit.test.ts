import { describe, expect, it } from 'vitest';
import { runTwelve, TWELVE_INPUT } from '../../testing/twelve-blocks';
import { blocksOf, countWords, inputOf, type TestDemand } from '../../testing/workspace';
import { auditOf } from './audit';
import { replay } from './replay';
import type { RecordedOp, Replay } from './types';

const auditTwelve = (replayed: Replay) => auditOf(replayed, TWELVE_INPUT.evidence, TWELVE_INPUT.blocks);

// Blocks 0 S, 1 T, then rounds (2 3), (4 5), (6 7), (8 9), (10 11), call 6 = block 12. A round of call t is born in step t + 1.
const NOTATION = 'S 100, T 50, A 10, O 1000 read, A 10, O 600 bash, A 10, O 300 grep, A 10, O 1000 read, A 10, O 200 read, A 10';
function recordedRun(recorded: Partial<RecordedOp>[], demands: TestDemand[] = [], texts: Record<number, string> = {}) {
  const blocks = blocksOf(NOTATION).map((block, i) => (texts[i] === undefined ? block : { ...block, text: texts[i] }));
  const input = { ...inputOf(blocks, demands), recorded: recorded.map((op): RecordedOp => ({ step: 1, op: 'note', blocks: [], label: 'compaction', tokensBefore: null, tokensAfter: null, ...op })) };
  return auditOf(replay(input, { policy: 'recorded', budget: 100_000 }, countWords), input.evidence, input.blocks);
}

describe('audit of the recorded manager', () => {
  it('says what a compaction freed, what of it was used again and missed, and that nothing came back', () => {
    const { rows, totals } = recordedRun([{ step: 4, op: 'summarise', blocks: [2, 3, 4, 5], text: 'one two three' }], [
      { step: 3, sources: [3], weight: 9, lexeme: 'before' },
      { step: 5, sources: [3], weight: 2, lexeme: 'small' },
      { step: 5, sources: [5], weight: 3, lexeme: 'large' },
      { step: 6, sources: [3, 9], weight: 5, lexeme: 'also elsewhere' },
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      step: 4, op: 'summarise', actor: 'agent', blocks: 4, tokensGone: 1620, usedAt: 5, uses: 2, usedWeight: 10,
      missedAt: 5, misses: 1, missedWeight: 5, missedLexeme: 'large', backAt: null, back: null, delaySteps: null, undone: 'no',
    });
    // Four messages with 4 each; the summary takes its three words and 4.
    expect(rows[0]?.tokensFreed).toBe(1620 + 16 - 7);
    expect(totals).toEqual({ removals: 1, blocks: 4, tokensFreed: 1629, usedAgain: 1, missed: 1, cameBack: 0, undone: 0, medianDelay: null });
  });

  it('a use in the very step of the removal counts: the call comes after it', () => {
    const [row] = recordedRun([{ step: 4, op: 'trim', blocks: [3] }], [{ step: 4, sources: [3] }]).rows;
    expect(row).toMatchObject({ usedAt: 4, missedAt: 4, op: 'trim', result: null });
  });

  it('an archive that is read back is undone; a block of a bundle in part', () => {
    const { rows } = recordedRun([{ step: 3, op: 'archive', blocks: [3, 5].slice(0, 1), text: 'later' }, { step: 4, op: 'archive', blocks: [4, 5], text: 'both' }, { step: 5, op: 'recover', blocks: [3] }, { step: 6, op: 'recover', blocks: [5] }],
      [{ step: 5, sources: [3] }, { step: 6, sources: [3] }]);
    expect(rows[0]).toMatchObject({ blocks: 1, backAt: 5, back: 'recovered', delaySteps: 2, undone: 'wholly', tokensBack: 1000, usedAt: null, missedAt: null });
    expect(rows[1]).toMatchObject({ blocks: 2, backAt: 6, delaySteps: 2, undone: 'partly', tokensBack: 600 });
  });

  it('the same bytes read again are a return that no op made; a short answer is none', () => {
    const long = 'the file, line by line';
    const { rows, totals } = recordedRun([{ step: 3, op: 'clear', blocks: [3, 5] }], [{ step: 4, sources: [3] }, { step: 6, sources: [3] }], { 3: long, 9: long, 5: 'ok', 7: 'ok' });
    expect(rows.map(({ blocks, backAt, back, undone, tokensBack }) => ({ blocks, backAt, back, undone, tokensBack }))).toEqual([
      { blocks: 1, backAt: 5, back: 'read again', undone: 'no', tokensBack: 1000 },
      // 300 tokens are enough to be no chance, and they are the same bytes.
      { blocks: 1, backAt: 4, back: 'read again', undone: 'no', tokensBack: 300 },
    ]);
    // What is there again is not out when call 6 uses it.
    expect(rows[0]).toMatchObject({ usedAt: 4, uses: 1 });
    expect(totals).toMatchObject({ cameBack: 2, undone: 0, medianDelay: 1.5 });
  });

  it('has no row where nothing went', () => {
    expect(recordedRun([{ step: 2, op: 'note', blocks: [3] }]).totals).toMatchObject({ removals: 0, medianDelay: null });
  });
});

describe('audit of any policy', () => {
  it('a trimmed round is missed by call 6 and never comes back', () => {
    const { rows } = auditTwelve(runTwelve('append-truncate'));
    const missed = rows.filter(({ missedAt }) => missedAt !== null);
    expect(missed).toHaveLength(1);
    expect(missed[0]).toMatchObject({ op: 'trim', missedAt: 6, misses: 1, missedWeight: 3, missedLexeme: 'needle', backAt: null });
  });

  it('what the engine reads back was missed in the call that needed it, and is undone', () => {
    const { rows } = auditTwelve(runTwelve('auto-archive'));
    const missed = rows.filter(({ missedAt }) => missedAt !== null);
    expect(missed).toHaveLength(1);
    expect(missed[0]).toMatchObject({ op: 'offload', missedAt: 6, backAt: 6, back: 'recovered', undone: 'wholly', tokensBack: 1000 });
    expect(missed[0]?.delaySteps).toBe(6 - (missed[0]?.step ?? 0));
  });

  it('tokens freed by all ops and added by arrivals and reads make up the context', () => {
    for (const policy of ['append-truncate', 'auto-archive', 'tool-clearing', 'lcm', 'vista']) {
      const replayed = runTwelve(policy);
      const freed = auditTwelve(replayed).totals.tokensFreed;
      const others = replayed.ops.filter(({ op, step }) => step <= 6 && (op === 'admit' || op === 'recover')).reduce((sum, op) => sum + op.tokensAfter - op.tokensBefore, 0);
      // The fixed part is there from the start; a dashboard also changes with age, between ops.
      const dashboard = replayed.steps.dashboardTokens.some((tokens) => tokens > 0);
      if (!dashboard) expect(replayed.steps.contextTokens[5], policy).toBe(3 + replayed.protocolTokens + others - freed);
    }
  });
});
