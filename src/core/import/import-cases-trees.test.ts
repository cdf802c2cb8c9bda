/** Import cases C (trees, branches, sub-agents, duplicates), a `describe` a number of the list; see import-cases.test.ts. */
import { describe, expect, it } from 'vitest';
import { claude, codex, file, lines, read, readTogether, said, toolResult, toolUse } from '../../testing/import-cases';
import { MessageFlag } from '../trace/model';
import { importFiles } from './import-files';

const text = (words: string): object[] => [{ type: 'text', text: words }];

describe('C31: a missing parent, and a snapshot with the id of a message', () => {
  it('hang nothing in the air', async () => {
    const { run } = await read(lines(claude('user', 0, 'a', { parentUuid: 'gone' }), { type: 'file-history-snapshot', messageId: 'n1', snapshot: {} }, claude('assistant', 1, text('b')), claude('user', 2, 'c')));
    expect([...run.threads[0]!.main]).toEqual([0, 1, 2]);
  });
});

describe('C32: two children of one line', () => {
  it('are one chain where they answer calls of one message, a branch where a prompt was edited', async () => {
    const parallel = await read(lines(claude('user', 0, 'go'), claude('assistant', 1, [toolUse('a'), toolUse('b')]), claude('user', 2, [toolResult('a')], { parentUuid: 'n1' }), claude('user', 3, [toolResult('b')], { parentUuid: 'n1' }), claude('assistant', 4, text('done'), { parentUuid: 'n2' })));
    expect([parallel.run.threads[0]!.main.length, parallel.run.threads[0]!.branches.length]).toEqual([5, 0]);
    const edited = await read(lines(claude('user', 0, 'go'), claude('assistant', 1, text('ok')), claude('user', 2, 'first'), claude('user', 3, 'second', { parentUuid: 'n1' }), claude('assistant', 4, text('done'))));
    expect([[...edited.run.threads[0]!.main], edited.run.threads[0]!.branches.map(({ rows }) => [...rows])]).toEqual([[0, 1, 3, 4], [[2]]]);
  });
});

describe('C33: rows that keep the session id of the file they were forked from', () => {
  it('a file is a run, whatever its lines are called', async () => {
    const { runs } = await readTogether(file(lines(claude('user', 0, 'one'), claude('assistant', 1, text('a'))), 'a.jsonl'), file(lines(claude('user', 0, 'two', { uuid: 'm0' }), claude('assistant', 1, text('b'), { uuid: 'm1', parentUuid: 'm0', messageId: 'msg_other' })), 'b.jsonl'));
    expect(runs.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(2);
  });
});

describe('C34: several compactions in one file', () => {
  it('each stands where it happened, with its own summary', async () => {
    const boundary = (id: string): object => ({ parentUuid: null, sessionId: 's', uuid: id, isSidechain: false, type: 'system', subtype: 'compact_boundary', content: 'compacted', compactMetadata: { trigger: 'auto', preTokens: 9 } });
    const { run } = await read(lines(claude('user', 0, 'a'), claude('assistant', 1, text('b')), boundary('c1'), claude('user', 2, 'summary one', { parentUuid: 'c1', isCompactSummary: true }), claude('assistant', 3, text('c')), boundary('c2'), claude('user', 4, 'summary two', { parentUuid: 'c2', isCompactSummary: true }), claude('assistant', 5, text('d'))));
    expect(run.events.filter(({ kind }) => kind === 'compaction').map(({ afterRow, data }) => [afterRow, data?.['summaryRow']])).toEqual([[1, 2], [3, 4]]);
  });
});

describe('C36: a resumed session copies its history under new uuids', () => {
  it('adds no row, no text and no token twice', async () => {
    const time = (second: number): object => ({ timestamp: `2026-01-01T00:00:0${second}.000Z` });
    const usage = { input_tokens: 100, output_tokens: 10 };
    const turn = (prefix: string): object[] => [claude('user', 0, 'ask', { uuid: `${prefix}0`, ...time(0) }), claude('assistant', 1, text('say'), { uuid: `${prefix}1`, parentUuid: `${prefix}0`, usage, ...time(1) }), claude('user', 2, 'more', { uuid: `${prefix}2`, parentUuid: `${prefix}1`, ...time(2) })];
    const { run, texts } = await read(lines(...turn('a'), ...turn('b'), claude('assistant', 3, text('new'), { uuid: 'b3', parentUuid: 'b2', usage, ...time(3) })));
    expect([texts, run.threads[0]!.branches.length, run.usage.input, run.usage.output]).toEqual([['ask', 'say', 'more', 'new'], 0, 200, 20]);
  });

  it('equal words at another time are said again', async () => {
    const { texts } = await read(lines(claude('user', 0, 'go on', { timestamp: '2026-01-01T00:00:00Z' }), claude('assistant', 1, text('ok')), claude('user', 2, 'go on', { timestamp: '2026-01-01T00:00:09Z' })));
    expect(texts).toEqual(['go on', 'ok', 'go on']);
  });
});

describe('C37: a call whose result stands in another file', () => {
  it('is a call without a result, and nothing waits for it', async () => {
    const { report, run } = await read(lines(claude('user', 0, 'go'), claude('assistant', 1, [toolUse('here'), toolUse('elsewhere')]), claude('user', 2, [toolResult('here')])));
    expect([report.toolCalls, report.toolResults, report.matchedPairs]).toEqual([2, 1, 1]);
    expect(run.columns.flags.some((flags) => flags & MessageFlag.failed)).toBe(false);
  });
});

describe('C38: sidechain lines without the id of their call', () => {
  const side = (id: number, words: string, more: object = {}): object => claude(id % 2 ? 'assistant' : 'user', id, id % 2 ? text(words) : words, { isSidechain: true, ...more });
  const start = [claude('user', 0, 'go'), claude('assistant', 1, [{ type: 'tool_use', id: 'task1', name: 'Task', input: { prompt: 'look here', description: 'Looking' } }])];

  it('are linked by the agent that a result names, else by the prompt, else listed on their own; none is dropped', async () => {
    const { run } = await read(lines(...start, side(10, 'look here', { parentUuid: null }), side(11, 'found'), side(20, 'another prompt', { parentUuid: null }), side(21, 'lost'), claude('user', 2, [toolResult('task1')], { parentUuid: 'n1' })));
    expect(run.threads.map(({ spawnedBy, main }) => [spawnedBy, main.length])).toEqual([[undefined, 3], ['task1', 2], [undefined, 2]]);
    const byAgent = await read(lines(...start, side(10, 'other words', { parentUuid: null, agentId: 'ag' }), side(11, 'found', { agentId: 'ag' }), claude('user', 2, [toolResult('task1')], { parentUuid: 'n1', toolUseResult: { agentId: 'ag' } })));
    expect(byAgent.run.threads.map(({ id, spawnedBy }) => [id, spawnedBy])).toEqual([['main', undefined], ['ag', 'task1']]);
  });
});

describe('C39: sub-agent files beside their session, and a journal', () => {
  it('the agents are threads, the journal is no conversation', async () => {
    const parent = lines(claude('user', 0, 'go'), claude('assistant', 1, [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'look' } }]), claude('user', 2, [toolResult('t1')], { toolUseResult: { agentId: 'aa' } }));
    const agent = lines(claude('user', 0, 'look', { isSidechain: true, agentId: 'aa', uuid: 'x0' }), claude('assistant', 1, text('found'), { isSidechain: true, agentId: 'aa', uuid: 'x1', parentUuid: 'x0', messageId: 'msg_agent' }));
    const journal = lines({ type: 'started', agentId: 'aa', sessionId: 's', timestamp: '2026-01-01T00:00:00Z' }, { type: 'result', agentId: 'aa', sessionId: 's', result: 'found', timestamp: '2026-01-01T00:00:01Z' });
    const { runs, reports } = await readTogether(file(parent, 's.jsonl'), file(agent, 's/subagents/agent-aa.jsonl'), file(journal, 's/subagents/journal.jsonl'));
    expect(runs.map(({ threads }) => threads.map(({ id, spawnedBy }) => [id, spawnedBy]))).toEqual([[['main', undefined], ['aa', 't1']]]);
    expect(reports.find((report) => report.file.includes('journal'))).toMatchObject({ messages: 0, warnings: ['No message was found in the file.'], recordKinds: { started: 1, result: 1 } });
  });

  it('an agent file alone is a run of its own', async () => {
    const { runs } = await readTogether(file(lines(claude('user', 0, 'look', { isSidechain: true, agentId: 'aa' }), claude('assistant', 1, text('found'), { isSidechain: true, agentId: 'aa' })), 'agent-aa.jsonl'));
    expect(runs.map(({ columns }) => columns.n)).toEqual([2]);
  });
});

describe('C41: one result told twice, and text beside a call', () => {
  it('one result a call; every block in its order', async () => {
    const { messages } = await read(lines(claude('assistant', 0, [...text('first'), toolUse('t'), ...text('then')]), claude('user', 1, [toolResult('t', 'out')], { toolUseResult: { stdout: 'out' } })));
    expect(messages.map(({ parts }) => parts.map(({ type }) => type))).toEqual([['text', 'tool_call', 'text'], ['tool_result']]);
  });
});

describe('C42: two session_meta lines', () => {
  it('the first is the file’s own', async () => {
    const sources = [file(lines(codex('session_meta', { id: 'own', timestamp: '2026-01-02T00:00:00Z', base_instructions: { text: 'mine' } }), codex('session_meta', { id: 'parent', timestamp: '2026-01-01T00:00:00Z', base_instructions: { text: 'theirs' } }), said('user', 'hello'), said('assistant', 'hi')))];
    const { groups } = await importFiles(sources);
    const [run] = groups[0]!.trajectories;
    expect([run!.createdMs, run!.columns.n, groups[0]!.reports[0]!.messages]).toEqual([Date.parse('2026-01-02T00:00:00Z'), 3, 2]);
  });
});

describe('C43: messages that stand in a replacement history alone', () => {
  it('are imported and flagged as not typed here', async () => {
    const item = (words: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] });
    const { run, texts } = await read(lines(codex('session_meta', { id: 'c' }), said('user', 'seen'), codex('compacted', { message: '', replacement_history: [item('seen'), item('only here')] }), said('assistant', 'on')));
    expect(texts).toEqual(['seen', 'only here', 'on']);
    expect(run.columns.flags[1]! & MessageFlag.meta).toBe(MessageFlag.meta);
  });
});

describe('C44: a compaction that is announced and recorded', () => {
  it('is one marker, in either order', async () => {
    const notice = codex('event_msg', { type: 'context_compacted' });
    const record = codex('compacted', { message: 'the summary' });
    for (const pair of [[notice, record], [record, notice]]) {
      const { run } = await read(lines(codex('session_meta', { id: 'c' }), said('user', 'a'), said('assistant', 'b'), ...pair, said('user', 'c')));
      expect(run.events.filter(({ kind }) => kind === 'compaction').map(({ sourceKind }) => sourceKind)).toEqual(['compacted']);
    }
    const alone = await read(lines(codex('session_meta', { id: 'c' }), said('user', 'a'), notice));
    expect(alone.run.events.filter(({ kind }) => kind === 'compaction').length).toBe(1);
  });
});

describe('C46: OpenHands events of either version', () => {
  it('are told by each event, not by the name of the file', async () => {
    const v1 = lines({ id: 'u', timestamp: '2026-01-01T00:00:00', source: 'user', kind: 'MessageEvent', llm_message: { role: 'user', content: [{ type: 'text', text: 'go' }] } }, { id: 'a', timestamp: '2026-01-01T00:00:01', source: 'agent', kind: 'MessageEvent', llm_message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] } });
    const v0 = JSON.stringify([{ id: 0, source: 'user', action: 'message', args: { content: 'go' } }, { id: 1, source: 'agent', action: 'message', args: { content: 'ok' } }]);
    for (const given of [v0, v1]) {
      const { report, texts } = await read(file(given, 'output.jsonl'));
      expect([report.format, texts]).toEqual(['openhands', ['go', 'ok']]);
    }
  });
});

describe('C47: children before their parents, times that run backwards', () => {
  it('make one line in the order of the links', async () => {
    const records = [claude('user', 0, 'a', { timestamp: '2026-01-03T00:00:00Z' }), claude('assistant', 1, text('b'), { timestamp: '2026-01-01T00:00:00Z' }), claude('user', 2, 'c', { timestamp: '2026-01-02T00:00:00Z' })];
    const { run, texts } = await read(lines(...records.reverse()));
    expect([...run.threads[0]!.main].map((row) => texts[row])).toEqual(['a', 'b', 'c']);
  });
});

describe('C48: a line that is not shown in the middle of the chain', () => {
  it('does not split it', async () => {
    const hidden = { parentUuid: 'n0', sessionId: 's', uuid: 'h', isSidechain: false, type: 'system', subtype: 'turn_duration', content: '' };
    const { run } = await read(lines(claude('user', 0, 'a'), hidden, claude('assistant', 1, text('b'), { parentUuid: 'h' })));
    expect([[...run.threads[0]!.main], run.threads[0]!.branches.length]).toEqual([[0, 1], 0]);
  });
});

describe('C49: an export of Claude.ai with branches', () => {
  it('follows the parents, not the order of the list', async () => {
    const message = (uuid: string, parent: string | null, sender: string, words: string): object => ({ uuid, parent_message_uuid: parent, sender, text: words, content: text(words), created_at: '2026-01-01T00:00:00Z' });
    const { run, texts } = await read(JSON.stringify([{ uuid: 'c', name: 'Talk', created_at: '2026-01-01T00:00:00Z', chat_messages: [message('1', null, 'human', 'ask'), message('2', '1', 'assistant', 'first answer'), message('3', '1', 'assistant', 'second answer'), message('4', '3', 'human', 'thanks')] }]));
    const main = [...run.threads[0]!.main].map((row) => texts[row]);
    expect(main).toEqual(['ask', 'second answer', 'thanks']);
    expect(run.threads[0]!.branches.map(({ rows }) => [...rows].map((row) => texts[row]))).toEqual([['first answer']]);
  });
});

describe('fixture list 5, 7: cycles, two roots, results in odd places', () => {
  it('a circle of parents ends', async () => {
    const { run } = await read(lines(claude('user', 0, 'a', { parentUuid: 'n1' }), claude('assistant', 1, text('b'), { parentUuid: 'n0' })));
    expect(run.threads[0]!.main.length + run.threads[0]!.branches.reduce((sum, { rows }) => sum + rows.length, 0)).toBeGreaterThanOrEqual(2);
  });

  it('a result before its call, two for one, an id used again and a call without one are all kept and counted', async () => {
    const reused = JSON.stringify({ messages: [{ role: 'user', content: 'x' }, ...[1, 2].flatMap(() => [{ role: 'assistant', content: null, tool_calls: [{ id: '0', type: 'function', function: { name: 'f', arguments: '{}' } }] }, { role: 'tool', tool_call_id: '0', content: 'r' }]), { role: 'assistant', content: null, tool_calls: [{ type: 'function', function: { name: 'g', arguments: '{}' } }] }] });
    const { report } = await read(reused);
    expect([report.toolCalls, report.toolResults, report.matchedPairs]).toEqual([3, 2, 2]);
    const odd = await read(lines(claude('user', 0, [toolResult('t')]), claude('assistant', 1, [toolUse('t')]), claude('user', 2, [toolResult('t', 'again')])));
    expect([odd.report.toolCalls, odd.report.toolResults, odd.report.matchedPairs]).toEqual([1, 2, 1]);
  });
});
