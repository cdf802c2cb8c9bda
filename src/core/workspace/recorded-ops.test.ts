import { describe, expect, it } from 'vitest';
import { buildBlocks } from '../trace/blocks';
import type { TraceEvent } from '../trace/model';
import { parseTrace } from '../../testing/trace';
import { trajectoryOf } from '../../testing/trace-reader';
import { inputOf, countWords, blocksOf } from '../../testing/workspace';
import { recordedOps } from './recorded-ops';
import { replay } from './replay';
import { stateAt } from './state-at';

type Data = NonNullable<TraceEvent['data']>;
const compaction = (afterRow: number, data: Data): TraceEvent => ({ kind: 'compaction', sourceKind: 'test', thread: 'main', afterRow, label: `compacted after ${afterRow}`, data });
const toolClear = (afterRow: number, count: number): TraceEvent => ({ kind: 'context-edit', sourceKind: 'test', thread: 'main', afterRow, label: `cleared ${count}`, data: { cleared_tool_uses: count } });

function opsOf(notation: string, events: TraceEvent[]) {
  const messages = parseTrace(notation);
  const trajectory = { ...trajectoryOf(messages), events };
  return recordedOps(trajectory, messages.map((message) => message.row), buildBlocks(messages, { countsReasoning: false, encoding: 'o200k_base' }));
}

/** Blocks are counted like messages: one each. */
const RUN = `
system: s
user: task
call c1 read {"path":"a"}
result c1: one
user [compactSummary]: first summary
call c2 read {"path":"b"}
result c2: two
user [compactSummary]: second summary
call c3 read {"path":"c"}
result c3: three
assistant: done
`;

describe('recorded compactions', () => {
  it('names what went since the compaction before, the earlier summary among it, and spares the system prompt', () => {
    const ops = opsOf(RUN, [compaction(3, { summaryRow: 4, tokensBefore: 90, tokensAfter: 9 }), compaction(6, { summaryRow: 7 })]);
    expect(ops.map(({ op, step, blocks, summaryBlock, tokensBefore }) => ({ op, step, blocks, summaryBlock, tokensBefore }))).toEqual([
      { op: 'summarise', step: 2, blocks: [1, 2, 3], summaryBlock: 4, tokensBefore: 90 },
      { op: 'summarise', step: 3, blocks: [4, 5, 6], summaryBlock: 7, tokensBefore: null },
    ]);
  });

  it('keeps a tail, which the next compaction takes with the rest (pi: words in a record of their own)', () => {
    const ops = opsOf(RUN, [compaction(6, { summary: 'words one', firstKeptRow: 5 }), compaction(9, { summary: 'words two', firstKeptRow: 8 })]);
    expect(ops.map(({ step, blocks, text, summaryBlock }) => ({ step, blocks, text, summaryBlock }))).toEqual([
      { step: 3, blocks: [1, 2, 3, 4], text: 'words one', summaryBlock: undefined },
      { step: 4, blocks: [5, 6, 7], text: 'words two', summaryBlock: undefined },
    ]);
  });

  it('is not confused by the order of the events, nor by a second compaction of the same messages', () => {
    const late = compaction(6, { summaryRow: 7 });
    const early = compaction(3, { summaryRow: 4 });
    expect(opsOf(RUN, [late, early])).toEqual(opsOf(RUN, [early, late]));
    expect(opsOf(RUN, [early, compaction(3, { summary: 'again' })])).toHaveLength(1);
  });

  it('names every block once, however often a run is compacted', () => {
    const rounds = 200;
    const round = (i: number) => `call r${i} read {}\nresult r${i}: text\nuser [compactSummary]: summary ${i}`;
    const events = Array.from({ length: rounds }, (_, i) => compaction(3 * i + 3, { summaryRow: 3 * i + 4 }));
    const ops = opsOf(`system: s\nuser: task\n${Array.from({ length: rounds }, (_, i) => round(i)).join('\n')}\nassistant: done`, events);
    const named = ops.flatMap((op) => op.blocks);
    expect(ops).toHaveLength(rounds);
    expect(named).toEqual(Array.from({ length: 3 * rounds }, (_, i) => i + 1));
  });

  it('takes rows that stand in the file in another order than in the line', () => {
    const messages = parseTrace('user: task\nassistant: one\nuser: two\nassistant: three');
    const trajectory = { ...trajectoryOf(messages, { main: Uint32Array.of(0, 3, 1, 2) }), events: [compaction(1, { summary: 'words' })] };
    const ops = recordedOps(trajectory, [0, 3, 1, 2], buildBlocks(messages, { countsReasoning: false, encoding: 'o200k_base' }));
    expect(ops.map((op) => op.blocks)).toEqual([[0, 1, 2]]);
  });
});

describe('inferred events', () => {
  it('a fall of tokens is noted with its sizes and takes nothing out; messages that left a prompt are marked as inferred', () => {
    const drop = { ...compaction(6, { inferred: true, tokensBefore: 90_000, tokensAfter: 9_000, summaryRow: null, firstKeptRow: null }), label: 'Inferred compaction: fell' };
    const left = { ...toolClear(9, 0), label: '1 message is no longer in the prompt.', data: { inferred: true, removedRows: '3' } };
    expect(opsOf(RUN, [drop, left]).map(({ op, step, blocks, label, tokensBefore }) => [op, step, blocks, label, tokensBefore])).toEqual([
      ['note', 3, [], 'Inferred compaction: fell', 90_000],
      ['trim', 4, [3], 'Inferred: 1 message is no longer in the prompt.', null],
    ]);
  });
});

describe('recorded tool clears', () => {
  it('clears the oldest results that are not cleared yet, for the call that reports it', () => {
    const ops = opsOf(RUN, [toolClear(5, 1), toolClear(8, 2), toolClear(10, 2)]);
    expect(ops.map(({ op, step, blocks }) => ({ op, step, blocks }))).toEqual([
      { op: 'clear', step: 2, blocks: [3] },
      { op: 'clear', step: 3, blocks: [6] },
    ]);
  });

  it('an edit without a number of results is a note', () => {
    const [op] = opsOf(RUN, [{ ...toolClear(5, 0), label: 'edited' }]);
    expect(op).toMatchObject({ op: 'note', blocks: [], label: 'edited' });
  });
});

describe('events that say exactly what left the context', () => {
  const condensation = (afterRow: number, data: Data): TraceEvent => ({ ...compaction(afterRow, data), kind: 'condensation' });
  const edit = (afterRow: number, data: Data): TraceEvent => ({ ...toolClear(afterRow, 0), data });
  const shape = (events: TraceEvent[]) => opsOf(RUN, events).map(({ op, step, blocks }) => ({ op, step, blocks }));

  it('a condensation names rows, and keeps those in between and before (OpenHands)', () => {
    const first = condensation(6, { firstForgottenRow: 2, firstKeptRow: 7, forgottenRows: '2,3,6', summary: 'words' });
    expect(shape([first])).toEqual([{ op: 'summarise', step: 3, blocks: [2, 3, 6] }]);
    // A later one names rows that are gone already, and a compaction takes the rest.
    expect(shape([first, condensation(9, { forgottenRows: '3,5,6,8', summary: 'more' }), compaction(9, { summary: 'all', firstKeptRow: 9 })])).toEqual([
      { op: 'summarise', step: 3, blocks: [2, 3, 6] },
      { op: 'summarise', step: 4, blocks: [5, 8] },
      { op: 'summarise', step: 4, blocks: [1, 4, 7] },
    ]);
  });

  it('a condensation that names the first row of a range spares what stands before it', () => {
    expect(shape([condensation(6, { firstForgottenRow: 2, firstKeptRow: 5, summary: 'words' })])).toEqual([{ op: 'summarise', step: 3, blocks: [2, 3, 4] }]);
  });

  it('a condensation without a summary trims, and one whose rows are elsewhere does nothing', () => {
    expect(shape([condensation(6, { forgottenRows: '2,3', summary: null })])).toEqual([{ op: 'trim', step: 3, blocks: [2, 3] }]);
    expect(shape([condensation(6, { forgottenRows: '', summary: 'words' })])).toEqual([]);
  });

  it('removed messages are trimmed, and the system prompt stays (LangGraph, inferred edits)', () => {
    expect(shape([edit(6, { removedRows: '0,2,3', removedMessages: 3 })])).toEqual([{ op: 'trim', step: 3, blocks: [2, 3] }]);
  });

  it('pruned results are those of the calls, each once (OpenCode)', () => {
    expect(shape([edit(7, { cleared_tool_uses: 1, callIds: 'c2' }), edit(9, { cleared_tool_uses: 3, callIds: 'c2\nc3\nnone' })])).toEqual([
      { op: 'clear', step: 3, blocks: [6] },
      { op: 'clear', step: 4, blocks: [9] },
    ]);
  });

  it('a result that was forgotten is not cleared afterwards', () => {
    expect(shape([condensation(6, { forgottenRows: '3', summary: 'words' }), edit(9, { callIds: 'c1' })])).toHaveLength(1);
  });

  it('the fold shows the summary and what was not named', () => {
    const input = inputOf(blocksOf('T 10, A 10, U 10, A 10, U 10, A 10'));
    const recorded = [{ op: 'trim' as const, step: 3, blocks: [1, 3], label: 'left', tokensBefore: null, tokensAfter: null }];
    const result = replay({ ...input, recorded }, { policy: 'recorded', budget: 1000 }, countWords);
    expect([...stateAt(result, 3).visible]).toEqual([0, 2, 4]);
  });
});

describe('the fold of recorded compactions', () => {
  it('shows one summary before what is kept: its words take in those of the compaction before', () => {
    const input = inputOf(blocksOf('T 10, A 10, U 10, A 10, U 10, A 10'));
    const op = { op: 'summarise' as const, label: 'compacted', tokensBefore: null, tokensAfter: null };
    const recorded = [{ ...op, step: 2, blocks: [0, 1], text: 'first words' }, { ...op, step: 3, blocks: [2, 3], text: 'second words' }];
    const result = replay({ ...input, recorded }, { policy: 'recorded', budget: 1000 }, countWords);
    const { visible } = stateAt(result, 3);
    expect([...visible].map((item) => result.blocks.text[item])).toEqual(['second words', undefined]);
  });
});
