import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { importFiles } from './import-files';
import { createTraceReader } from './reader';
import type { ImportOptions, ImportedGroup } from './types';

const file = (name: string, ...lines: (object | string)[]): ByteSource => bytesSource(name, new TextEncoder().encode(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')));
const pretty = (name: string, value: unknown): ByteSource => bytesSource(name, new TextEncoder().encode(JSON.stringify(value, null, 2)));
const run = async (sources: ByteSource[], options?: ImportOptions) => importFiles(sources, options);

/** Every text of a group, so that spans are proved to point into what is stored. */
async function texts({ source, trajectories }: ImportedGroup): Promise<string[]> {
  const all: string[] = [];
  for (const trajectory of trajectories) {
    expect(traceFaults(trajectory, source.size)).toEqual([]);
    await createTraceReader(source, trajectory).readMessages(Array.from({ length: trajectory.columns.n }, (_, row) => row), ({ parts }) => { all.push(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join()); });
  }
  return all;
}

describe('a folder store of OpenCode', () => {
  const session = (id: string, more: object = {}): object => ({ id: `ses_${id}`, title: `Session ${id}`, time: { created: 1_700_000_000_000 }, ...more });
  const message = (id: string, of: string, role: string): object => ({ id: `msg_${id}`, sessionID: `ses_${of}`, role, time: { created: 1_700_000_000_000 } });
  const part = (id: string, of: string, ses: string, more: object): object => ({ id: `prt_${id}`, sessionID: `ses_${ses}`, messageID: `msg_${of}`, ...more });
  const STORE = [
    pretty('data/storage/part/msg_2/prt_3.json', part('3', '2', 'a', { type: 'tool', callID: 'c1', tool: 'task', state: { status: 'completed', input: { prompt: 'sub' }, output: 'found', metadata: { sessionId: 'ses_b' } } })),
    pretty('data/storage/part/msg_1/prt_1.json', part('1', '1', 'a', { type: 'text', text: 'do it' })),
    pretty('data/storage/message/ses_a/msg_1.json', message('1', 'a', 'user')),
    pretty('data/storage/message/ses_a/msg_2.json', message('2', 'a', 'assistant')),
    pretty('data/storage/part/msg_2/prt_2.json', part('2', '2', 'a', { type: 'text', text: 'delegating' })),
    pretty('data/storage/session/p/ses_a.json', session('a')),
    pretty('data/storage/session/p/ses_b.json', session('b', { parentID: 'ses_a' })),
    pretty('data/storage/message/ses_b/msg_3.json', message('3', 'b', 'user')),
    pretty('data/storage/part/msg_3/prt_4.json', part('4', '3', 'b', { type: 'text', text: 'sub' })),
    pretty('data/storage/project/p.json', { id: 'p', worktree: '/w', vcs: 'git', sandboxes: [] }),
    pretty('data/storage/todo/ses_a.json', []),
  ];

  it('becomes sessions, children as threads under the call that started them, whatever the order of the files', async () => {
    for (const sources of [STORE, [...STORE].reverse()]) {
      const { groups, failures } = await run(sources);
      expect(failures).toEqual([]);
      expect(groups.map(({ trajectories }) => trajectories.map(({ name, threads }) => [name, threads.map(({ id, spawnedBy }) => [id, spawnedBy])]))).toEqual([[['Session a', [['main', undefined], ['ses_b', 'c1']]]]]);
      expect((await texts(groups[0]!)).sort()).toEqual(['do it', 'sub', 'delegating,tool_call,tool_result'].sort());
      expect(groups[0]!.reports[0]).toMatchObject({ file: 'data/storage', format: 'opencode-store', badRecordCount: 0 });
      expect(groups[0]!.reports[0]!.warnings).toContain('11 files of an OpenCode store were read together.');
    }
  });

  it('may be written on one line a file, or some so and some not', async () => {
    const tight = STORE.map((source, i) => (i % 2 === 0 ? source : file(source.name, JSON.stringify(JSON.parse(new TextDecoder().decode(source.readSync!(0, source.size)))))));
    const { groups } = await run(tight);
    expect([groups.length, groups[0]!.reports[0]!.badRecordCount, groups[0]!.reports[0]!.messages]).toEqual([1, 0, 3]);
  });

  it('two stores stay apart, and other files beside them are files of their own', async () => {
    const other = STORE.map((source) => ({ ...source, name: source.name.replace('data', 'more') }));
    const chat = pretty('chat.json', [{ role: 'user', content: 'x' }, { role: 'assistant', content: 'y' }]);
    const { groups } = await run([...STORE, chat, ...other]);
    expect(groups.map(({ reports }) => reports[0]!.file)).toEqual(['data/storage', 'chat.json', 'more/storage']);
  });

  it('answers of an API with such ids are no store', async () => {
    const answer = (id: string): ByteSource => pretty(`${id}.json`, { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: id }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } });
    expect((await run([answer('a'), answer('b')])).groups.map(({ reports }) => reports[0]!.format)).toEqual(['anthropic-messages', 'anthropic-messages']);
  });
});

describe('chats of Gemini CLI and its sub-agents', () => {
  const head = (sessionId: string, kind: string): object => ({ sessionId, projectHash: 'h', startTime: '2026-01-01T00:00:00Z', lastUpdated: '2026-01-01T00:00:00Z', kind });
  const parent = (agentId?: string): ByteSource => file('chats/session-1.jsonl', head('parent-session', 'main'), { id: 'u', timestamp: '2026-01-01T00:00:00Z', type: 'user', content: 'go' }, { id: 'g', timestamp: '2026-01-01T00:00:01Z', type: 'gemini', content: 'ok', model: 'm', toolCalls: [{ id: 'call-1', name: 'investigator', args: {}, status: 'success', timestamp: '2026-01-01T00:00:02Z', ...(agentId === undefined ? {} : { agentId }), result: [{ functionResponse: { id: 'call-1', name: 'investigator', response: { output: 'done' } } }] }] });
  const child = (name: string): ByteSource => file(name, head('child-session', 'subagent'), { id: 'u', timestamp: '2026-01-01T00:00:01Z', type: 'user', content: 'look' }, { id: 'g', timestamp: '2026-01-01T00:00:02Z', type: 'gemini', content: 'found', model: 'm' });
  const threads = ({ groups }: Awaited<ReturnType<typeof run>>) => groups.map(({ trajectories }) => trajectories[0]!.threads.map(({ id, parentThread, spawnedBy }) => [id, parentThread, spawnedBy]));

  it('are joined by the agent that a call names, under that call', async () => {
    expect(threads(await run([child('elsewhere.jsonl'), parent('child-session')]))).toEqual([[['main', undefined, undefined], ['child-session', 'main', 'call-1']]]);
  });

  it('else by the folder, which is named after the session', async () => {
    expect(threads(await run([parent(), child('chats/parent-session/child-session.jsonl')]))).toEqual([[['main', undefined, undefined], ['child-session', 'main', undefined]]]);
    expect(threads(await run([parent(), child('chats/other-session/child-session.jsonl')])).length).toBe(2);
  });
});

describe('one conversation in two files', () => {
  const user = (prefix: string, i: number, words: string): object => ({ parentUuid: i === 0 ? null : `${prefix}a${i - 1}`, sessionId: prefix, uuid: `${prefix}u${i}`, isSidechain: false, type: 'user', timestamp: `2026-01-01T00:00:${10 + 2 * i}.000Z`, message: { role: 'user', content: words } });
  const answer = (prefix: string, i: number): object => ({ parentUuid: `${prefix}u${i}`, sessionId: prefix, uuid: `${prefix}a${i}`, isSidechain: false, type: 'assistant', requestId: `req${i}`, timestamp: `2026-01-01T00:00:${11 + 2 * i}.000Z`, message: { id: `msg_0000${i}`, role: 'assistant', model: 'm', content: [{ type: 'text', text: `answer ${i}` }], usage: { input_tokens: 100, output_tokens: 10 } } });
  const session = (name: string, prefix: string, turns: number, from = 0): ByteSource => file(name, ...Array.from({ length: turns - from }, (_, k) => [user(prefix, k + from, `question ${k + from}`), answer(prefix, k + from)]).flat());
  const old = session('old.jsonl', 's1', 4);
  const copied = session('new.jsonl', 's2', 7);

  it('is told in both reports, and counted', async () => {
    const { groups, overlaps } = await run([old, copied]);
    expect(overlaps).toEqual([{ files: ['old.jsonl', 'new.jsonl'], indexes: [0, 1], sharedCalls: 4, callsOfSmaller: 4, canJoin: true }]);
    expect(groups.map(({ reports }) => reports[0]!.warnings.filter((text) => text.includes('4 of 4 model calls stand in both')).length)).toEqual([1, 1]);
  });

  it.each([['new uuids', copied], ['the same uuids', session('new.jsonl', 's1', 7)]])('is one run when asked, every call and its tokens once (%s)', async (_, later) => {
    const { groups } = await run([later, old], { join: true });
    expect(groups.length).toBe(1);
    const [trajectory] = groups[0]!.trajectories;
    expect([trajectory!.columns.n, trajectory!.threads[0]!.main.length, trajectory!.threads[0]!.branches.length]).toEqual([14, 14, 0]);
    expect(trajectory!.usage).toMatchObject({ input: 700, output: 70 });
    expect((await texts(groups[0]!)).filter((text) => text === 'answer 2')).toEqual(['answer 2']);
    expect(groups[0]!.reports[0]!.warnings.join()).toContain('Joined from old.jsonl, new.jsonl');
  });

  it('a copy that went on elsewhere is a branch of the joined run', async () => {
    const forked = file('fork.jsonl', ...Array.from({ length: 3 }, (_, i) => [user('s3', i, `question ${i}`), answer('s3', i)]).flat(), { ...user('s3', 3, 'something else'), timestamp: '2026-01-02T00:00:00.000Z' });
    const [trajectory] = (await run([old, forked], { join: true })).groups[0]!.trajectories;
    expect([trajectory!.columns.n, trajectory!.threads[0]!.branches.length]).toEqual([9, 1]);
  });

  it('files that share nothing, or are the same bytes, are left alone', async () => {
    const other = file('other.jsonl', user('s9', 0, 'hello'), { ...answer('s9', 0), message: { id: 'msg_00009', role: 'assistant', model: 'm', content: 'x' } });
    expect((await run([old, other])).overlaps).toEqual([]);
    expect((await run([old, { ...old, name: 'twice.jsonl' }])).overlaps).toEqual([]);
    expect((await run([old, other], { join: true })).groups.length).toBe(2);
  });

  it('a file without an end of line is joined line by line', async () => {
    const { groups } = await run([file('cut.jsonl', user('s1', 0, 'question 0'), answer('s1', 0), answer('s1', 1)), copied], { join: true });
    expect([groups.length, groups[0]!.reports[0]!.badRecordCount]).toEqual([1, 0]);
  });
});
