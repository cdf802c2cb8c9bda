/** Import cases D (tokens) and E (variants, record types) and the rest of the fixture list, a `describe` a number; see import-cases.test.ts. */
import { describe, expect, it } from 'vitest';
import { zip, zipMember } from '../../testing/archives';
import { claude, codex, file, lines, read, readTogether, said, tokenCount, toolResult, toolUse } from '../../testing/import-cases';
import { bytesSource } from '../base/byte-source';
import { importFiles } from './import-files';
import { spanId } from './span-id';

describe('D51, D52: usage on every line of one message', () => {
  it('counts once, the largest of each class', async () => {
    const part = (id: number, output: number): object => claude('assistant', id, [{ type: 'text', text: `part ${id}` }], { messageId: 'msg_one', usage: { input_tokens: 100, cache_read_input_tokens: 5000, cache_creation_input_tokens: 7, output_tokens: output } });
    const { run } = await read(lines(claude('user', 0, 'go'), part(1, 3), part(2, 40), part(3, 40), part(4, 41)));
    expect(run.usage).toEqual({ input: 100, cachedInput: 5000, cacheWrite: 7, output: 41, reasoning: null });
    expect(run.columns.n).toBe(2);
  });
});

/** Ids of version 7: the time is in them. */
const uuid7 = (ms: number): string => `${ms.toString(16).padStart(12, '0').replace(/^(.{8})(.{4})$/, '$1-$2')}-7000-8000-000000000000`;
const START = Date.parse('2026-01-01T00:10:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const turn = (madeMs: number, lineMs: number): object => codex('event_msg', { type: 'task_started', turn_id: uuid7(START + madeMs) }, at(lineMs));

describe('D53: a fork replays the token counts of its parent', () => {
  it.each([
    ['told by forked_from_id', [codex('session_meta', { id: uuid7(START), forked_from_id: uuid7(START - 9e6) }, at(0))]],
    ['told by a second session_meta', [codex('session_meta', { id: uuid7(START) }, at(0)), codex('session_meta', { id: uuid7(START - 9e6) }, at(0))]],
    ['told by its source', [codex('session_meta', { id: uuid7(START), source: { subagent: { thread_spawn: { parent_thread_id: uuid7(START - 9e6) } } } }, at(0))]],
  ])('%s: only what comes after its own first turn is its', async (_, head) => {
    const replay = [turn(-8e6, 1), said('user', 'parent asks', at(1)), said('assistant', 'parent answers', at(1)), tokenCount(50_000, at(2)), tokenCount(90_000, at(3))];
    const own = [turn(60_000, 60_000), said('user', 'child asks', at(60_001)), said('assistant', 'child answers', at(60_002)), tokenCount(100_000, at(60_003))];
    const { run } = await read(lines(...head, ...replay, ...own));
    expect([run.usage.input, run.usage.output]).toEqual([10_000, 1000]);
  });
});

describe('D54: the same running total written again', () => {
  it('adds nothing; a fall of the total starts anew', async () => {
    const head = [codex('session_meta', { id: 'c' }), said('user', 'go'), said('assistant', 'a')];
    expect((await read(lines(...head, tokenCount(1000), tokenCount(1000), tokenCount(1000), said('assistant', 'b'), tokenCount(1500), tokenCount(1500)))).run.usage.input).toBe(1500);
    const reset = codex('event_msg', { type: 'token_count', info: { total_token_usage: { input_tokens: 300, cached_input_tokens: 0, output_tokens: 30, total_tokens: 330 }, last_token_usage: { input_tokens: 300, cached_input_tokens: 0, output_tokens: 30, total_tokens: 330 } } });
    expect((await read(lines(...head, tokenCount(1000), said('user', 'more'), said('assistant', 'b'), reset))).run.usage.input).toBe(1300);
  });
});

describe('D56: an unknown record between replayed token counts', () => {
  it('does not end the replay: turns do', async () => {
    const settings = codex('event_msg', { type: 'thread_settings_applied', thread_settings: {} }, at(3));
    const { run } = await read(lines(codex('session_meta', { id: uuid7(START), forked_from_id: uuid7(START - 9e6) }, at(0)), turn(-8e6, 1), said('assistant', 'old', at(1)), tokenCount(50_000, at(2)), settings, tokenCount(90_000, at(4))));
    expect(run.usage.input).toBeNull();
  });
});

describe('D57: a record in an odd place', () => {
  it('never stops the import', async () => {
    const { report, texts } = await read(lines(tokenCount(10), codex('session_meta', { id: 'c' }), codex('token_count', { type: 'token_count', info: null }), codex('event_msg', { type: 'token_count', info: null }), codex('brand_new', { type: 'x' }), said('user', 'a'), { timestamp: 1, type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: 'many' } } }, said('assistant', 'b')));
    expect([texts, report.badRecordCount]).toEqual([['a', 'b'], 0]);
    expect(Object.keys(report.unknownRecords).length).toBeGreaterThan(0);
  });
});

describe('E58, E59: Gemini’s event log', () => {
  it('is replayed: `$set` replaces, bare records and those of a list are one by their id, the later wins', async () => {
    const head = { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z', lastUpdated: '2026-01-01T00:00:00Z', kind: 'main' };
    const message = (id: string, type: string, content: string): object => ({ id, timestamp: '2026-01-01T00:00:00Z', type, content });
    const { run, texts } = await read(lines(head, message('1', 'user', 'ask'), message('2', 'gemini', 'half'), { $set: { messages: [message('1', 'user', 'ask'), message('2', 'gemini', 'whole')] } }, message('3', 'user', 'more'), { $set: { summary: 'Title' } }));
    expect([[...run.threads[0]!.main].map((row) => texts[row]), run.name]).toEqual([['ask', 'whole', 'more'], 'Title']);
  });
});

describe('E61: ATIF of any 1.x, under any name', () => {
  it.each(['ATIF-v1.0', 'ATIF-v1.6', 'ATIF-v1.7', 'ATIF-v1.99'])('%s is read, unknown keys and all', async (version) => {
    const text = JSON.stringify({ schema_version: version, session_id: 's', trajectory_id: 't', agent: { name: 'a', version: '1' }, extra: { partial: true }, steps: [{ step_id: 1, source: 'user', message: 'go', llm_call_count: 1 }, { step_id: 2, source: 'agent', message: 'ok', novel: [1] }] });
    const { report, texts } = await read(file(text, 'run.json.partial'));
    expect([report.format, texts]).toEqual(['atif', ['go', 'ok']]);
  });
});

describe('E62: usage without ids of messages', () => {
  it('goes to the answer before it', async () => {
    const { run } = await read(lines(codex('session_meta', { id: 'c' }), said('user', 'a'), said('assistant', 'b'), tokenCount(100), said('user', 'c'), said('assistant', 'd'), tokenCount(250)));
    expect([run.columns.usage[1 * 5], run.columns.usage[3 * 5]]).toEqual([100, 150]);
  });
});

describe('E63: a database that is no database of an agent', () => {
  it('is named as what it is, and nothing else is shown in its place', async () => {
    const magic = new Uint8Array(4096);
    magic.set(new TextEncoder().encode('SQLite format 3\0'));
    const { groups, failures } = await importFiles([bytesSource('sessions.db', magic)]);
    expect(groups).toEqual([]);
    expect(failures[0]!.error.message).toMatch(/SQLite/i);
  });
});

describe('E64: ids of traces as hex, base64, bytes and objects', () => {
  const hex = '0123456789abcdef';
  const raw = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];
  const forms: [string, unknown][] = [['hex', hex], ['hex in capitals', hex.toUpperCase()], ['0x', `0x${hex}`], ['base64', btoa(String.fromCharCode(...raw))], ['bytes', raw], ['numbered bytes', Object.fromEntries(raw.map((byte, i) => [i, byte]))], ['a buffer', { type: 'Buffer', data: raw }]];

  it.each(forms)('%s', (_, form) => {
    expect(spanId(form)).toBe(hex);
  });

  it('nothing is no id', () => {
    expect([spanId(''), spanId(null), spanId('0000000000000000'), spanId({}), spanId(['a'])]).toEqual(['', '', '', '', '']);
  });

  it('spans of one trace are one run, in whatever form each writes it', async () => {
    const trace = Array.from({ length: 16 }, (_, i) => i + 1);
    const traceHex = trace.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const ids: unknown[] = [traceHex, btoa(String.fromCharCode(...trace)), trace, Object.fromEntries(trace.map((byte, i) => [i, byte]))];
    const span = (traceId: unknown, i: number): object => ({ traceId, spanId: `000000000000000${i + 1}`, ...(i === 0 ? {} : { parentSpanId: [0, 0, 0, 0, 0, 0, 0, 1] }), name: 'chat', startTimeUnixNano: String(i + 1), endTimeUnixNano: String(i + 2), attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }, { key: 'gen_ai.input.messages', value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"q"}]}]' } }, { key: 'gen_ai.output.messages', value: { stringValue: `[{"role":"assistant","parts":[{"type":"text","content":"a${i}"}]}]` } }] });
    const { runs } = await read(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: ids.map(span) }] }] }));
    expect(runs.length).toBe(1);
  });
});

describe('E66: one conversation in two dropped files', () => {
  it('is told; joined on request it is counted once (joining.test.ts)', async () => {
    const session = (id: string, n: number): string => lines(...Array.from({ length: n }, (_, i) => claude(i % 2 ? 'assistant' : 'user', i, [{ type: 'text', text: `t${i}` }], { sessionId: id, uuid: `${id}${i}`, parentUuid: i === 0 ? null : `${id}${i - 1}`, messageId: `msg_background_${i}`, timestamp: `2026-01-01T00:00:${10 + i}.000Z`, usage: { input_tokens: 10, output_tokens: 1 } })));
    const given = [file(session('a', 6), 'stopped.jsonl'), file(session('b', 8), 'background.jsonl')];
    const apart = await importFiles(given);
    expect(apart.overlaps.map(({ files, sharedCalls }) => [files, sharedCalls])).toEqual([[['stopped.jsonl', 'background.jsonl'], 3]]);
    const { groups } = await importFiles(given, { join: true });
    expect(groups.map(({ trajectories: [run] }) => [run!.columns.n, run!.usage.input])).toEqual([[8, 40]]);
  });
});

describe('E67: a file of many instances', () => {
  it('is a list of runs, each with its name', async () => {
    const instance = (id: string): object => ({ instance_id: id, metadata: {}, test_result: {}, metrics: {}, history: [{ id: 0, source: 'user', action: 'message', args: { content: id } }, { id: 1, source: 'agent', action: 'message', args: { content: 'ok' } }] });
    const { runs } = await read(lines(instance('repo-1'), instance('repo-2'), instance('repo-3')));
    expect(runs.map(({ name }) => name)).toEqual(['repo-1', 'repo-2', 'repo-3']);
  });
});

describe('E68: actions of a kind that is not known', () => {
  it('are shown as what they are', async () => {
    const { report, messages } = await read(JSON.stringify([{ id: 0, source: 'user', action: 'message', args: { content: 'go' } }, { id: 1, source: 'agent', action: 'teleport', args: { to: 'mars' } }, { id: 2, source: 'agent', observation: 'teleported', content: 'arrived', cause: 1 }]));
    expect(JSON.stringify(messages)).toContain('mars');
    expect(JSON.stringify(messages)).toContain('arrived');
    expect(report.badRecordCount).toBe(0);
  });
});

describe('E69: a document beyond what is held in memory', () => {
  it('is read by pages', async () => {
    const text = JSON.stringify({ messages: Array.from({ length: 200 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i} ${'x'.repeat(200)}` })) });
    const { report, texts } = await read(text, { heldBytes: 5000, sliceBytes: 4096 });
    expect([report.messages, texts[199]!.slice(0, 4)]).toEqual([200, '199 ']);
  });
});

describe('fixture list 1, 2: lines that are no records', () => {
  it('are counted as rejected, with their place', async () => {
    const { report, texts } = await read(lines(claude('user', 0, 'a'), 'null', '[]', '"text"', '7', '', claude('assistant', 1, 'b')));
    expect([texts, report.badRecords.map(({ line }) => line)]).toEqual([['a', 'b'], [2, 3, 4, 5]]);
  });

  it('NUL and a lone surrogate stay in the text', async () => {
    const { messages } = await read(lines(claude('user', 0, 'a\u0000b'), JSON.stringify(claude('assistant', 1, 'cut X')).replace('X', '\\ud83d')));
    expect(messages.map(({ parts: [part] }) => part?.type === 'text' && part.text)).toEqual(['a\u0000b', 'cut \ud83d']);
  });
});

describe('fixture list 3: records glued on one line', () => {
  it('are both read; a half-written one before them costs itself', async () => {
    const [one, two] = [JSON.stringify(claude('user', 0, 'a')), JSON.stringify(claude('assistant', 1, 'b'))];
    expect((await read(`${one}${two}`)).texts).toEqual(['a', 'b']);
    const half = await read(`${one}\n${one.slice(0, 60)}${two}`);
    expect([half.texts, half.report.badRecordCount]).toEqual([['a', 'b'], 1]);
  });
});

describe('fixture list 6: a sub-agent file without its parent, and the reverse', () => {
  it('both are runs', async () => {
    const parent = file(lines(claude('user', 0, 'go'), claude('assistant', 1, [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'look' } }]), claude('user', 2, [toolResult('t1')])), 'parent.jsonl');
    expect((await readTogether(parent)).runs.map(({ threads }) => threads.length)).toEqual([1]);
    expect((await readTogether(file(lines(claude('user', 0, 'look', { isSidechain: true }), claude('assistant', 1, [toolUse('x')], { isSidechain: true })), 'agent.jsonl'))).runs.length).toBe(1);
  });
});

describe('fixture list 8: an archive like an Inspect log without its header', () => {
  it('is an archive of files', async () => {
    const sample = JSON.stringify({ id: 's', epoch: 1, input: 'x', target: 'y', messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' }] });
    const { groups } = await importFiles([bytesSource('x.eval', zip([zipMember('samples/s_epoch_1.json', sample, 93)]))]);
    expect(groups.map(({ reports }) => [reports[0]!.format, reports[0]!.messages])).toEqual([['inspect', 2]]);
  });
});
