import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { importSource } from '../import/import-source';
import { createTraceReader } from '../import/reader';
import { loadTokenCounter } from '../tokens/counter';
import { defaultLine } from '../trace/line';
import { analyseRecordedLine } from './analyse';
import { replay } from './replay';
import { stateAt } from './state-at';

/** A file's recorded ops, and what a replay of them shows. */
async function recordedOf(text: string) {
  const source = bytesSource('x', new TextEncoder().encode(text));
  const [trajectory] = (await importSource(source)).trajectories;
  const counter = await loadTokenCounter('o200k_base');
  const line = await analyseRecordedLine(createTraceReader(source, trajectory!), trajectory!, defaultLine(trajectory!), counter);
  return { line, recorded: line.recorded.map(({ op, step, blocks, text: words }) => ({ op, step, blocks, ...(words === undefined ? {} : { text: words }) })), count: (words: string) => counter.count(words) };
}

const message = (seq: number, role: string, content: string, more: object = {}): object => ({ seq, ts: '2026-01-01T00:00:00Z', kind: 'message', id: `msg-00${seq}`, role, content, ...more });
const call = (id: string, name = 'read', args: object = {}): object => ({ calls: [{ id, name, arguments: args }], callIds: [id] });

describe('directives of an ACM log', () => {
  const log = (...lines: object[]): string => lines.map((line) => JSON.stringify(line)).join('\n');
  const RUN = log(
    message(1, 'system', 'manage your context'), message(2, 'user', 'find it'),
    message(3, 'assistant', 'reading', call('c1')), message(4, 'tool', 'many words of a log that is long', { callIds: ['c1'] }),
    message(5, 'assistant', 'tidying', call('c2', 'manage_context', { op: 'remove_context', ids: ['msg-003', 'msg-004', 'msg-002'] })),
    { seq: 6, kind: 'directive', op: 'remove_context', ids: ['msg-002', 'msg-003', 'msg-004'], label: 'log', summary: 'The log was read.', by: 'msg-005', effective: ['msg-003', 'msg-004'], refused: [{ id: 'msg-002', why: 'pinned' }] },
    message(7, 'tool', 'done', { callIds: ['c2'] }), message(8, 'assistant', 'and on', call('c3')), message(9, 'tool', 'more', { callIds: ['c3'] }),
  );
  const REST = log(
    { seq: 10, kind: 'directive', op: 'pin', ids: ['msg-009'], by: 'msg-008', effective: ['msg-009'] },
    { seq: 11, kind: 'directive', op: 'retrieve_context', label: 'log', ids: [], effective: ['msg-003', 'msg-004'] },
    message(12, 'assistant', 'looking again'), { seq: 13, kind: 'directive', op: 'unpin', ids: ['msg-009'], by: 'msg-0012', effective: ['msg-009'] }, message(14, 'assistant', 'done'),
  );

  it('become ops on what they really took, in force from the next call, once each though the call says the same', async () => {
    const { recorded } = await recordedOf(`${RUN}\n${REST}`);
    expect(recorded).toEqual([
      { op: 'archive', step: 3, blocks: [2, 3], text: 'The log was read.' },
      { op: 'pin', step: 4, blocks: [7] },
      { op: 'recover', step: 4, blocks: [2, 3] },
      { op: 'unpin', step: 5, blocks: [7] },
    ]);
  });

  it('are what a replay shows: the summary in the place of the span, the span again after a retrieve', async () => {
    const { line, count } = await recordedOf(`${RUN}\n${REST}`);
    const result = replay(line, { policy: 'recorded', budget: 10_000 }, count);
    const names = (step: number): (string | number)[] => [...stateAt(result, step).visible].map((item) => (result.blocks.base[item]! >= 0 ? result.blocks.base[item]! : (result.blocks.text[item] ?? '').includes('The log was read.') ? 'handle' : 'copy'));
    expect(names(2)).toEqual([0, 1, 2, 3]);
    expect(names(3)).toEqual([0, 1, 'handle', 4, 5]);
    expect(names(4).filter((name) => name === 'copy')).toHaveLength(2);
    expect(stateAt(result, 4).archived.length).toBeGreaterThan(0);
  });

  it('an unknown directive does nothing to the context', async () => {
    const { recorded } = await recordedOf(`${RUN}\n${log({ seq: 10, kind: 'directive', op: 'constructor', ids: ['msg-009'] }, message(12, 'assistant', 'on'))}`);
    expect(recorded.map(({ op }) => op)).toEqual(['archive']);
  });
});

describe('edits of a LOCA-bench run', () => {
  const answer = (id: string): object => ({ role: 'assistant', content: `step ${id}`, tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] });
  const result = (id: string): object => ({ role: 'tool', tool_call_id: id, content: `out ${id}` });
  const HISTORY = [{ role: 'user', content: 'task' }, answer('0'), result('0'), answer('0'), result('0'), { role: 'user', content: 'Current token usage: 9' }, answer('0'), result('0'), answer('0'), result('0'), { role: 'assistant', content: 'done' }];
  const run = (events: object): string => JSON.stringify({ schema_version: 'loca_traj_v1', messages: [], conversation: { full_messages_history: HISTORY }, events, metrics: {} });
  const reset = (step: number, pairs: number): object => ({ step, total_tokens: 900, reset_info: { num_pairs_removed: pairs, total_pairs: 9 } });

  it('a reset is in force from the next call, clears the oldest that are left, and is not confused by ids used again', async () => {
    const { recorded } = await recordedOf(run({ reset: [reset(2, 1), reset(3, 1)], trim: [], summary: [] }));
    expect(recorded).toEqual([{ op: 'clear', step: 3, blocks: [2] }, { op: 'clear', step: 4, blocks: [4] }]);
  });

  it('a trim takes the oldest answers with their results and notes, and never what the user asked', async () => {
    const { recorded } = await recordedOf(run({ reset: [reset(2, 1)], trim: [{ step: 3, trim_info: { removed_count: 4 } }], summary: [] }));
    expect(recorded).toEqual([{ op: 'clear', step: 3, blocks: [2] }, { op: 'trim', step: 4, blocks: [1, 3, 4, 5] }]);
  });

  it('what the API cleared is reported with the call it was cleared for', async () => {
    const { recorded } = await recordedOf(run({ reset: [], trim: [], summary: [], context_management: [{ step: 3, type: 'clear_tool_uses_20250919', cleared_tool_uses: 1 }] }));
    expect(recorded).toEqual([{ op: 'clear', step: 3, blocks: [2] }]);
  });
});
