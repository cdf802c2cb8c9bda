import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../testing/shared';
import { inspectFiles } from './inspect';
import { renderInspect } from './inspect-text';

const fixture = (name: string): string => resolve(import.meta.dirname, '../core/import/fixtures', name);
const SUBAGENTS = ['session.jsonl', 'session/subagents/agent-aaa.jsonl', 'session/subagents/agent-bbb.jsonl', 'session/subagents/agent-ccc.jsonl'].map((name) => fixture(`claude-code/subagents/${name}`));

describe('inspect', () => {
  let folder = '';
  beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'contextscope-')); });
  afterAll(() => { rmSync(folder, { recursive: true }); });

  it('prints every field of cli.md', async () => {
    const path = fixture('mini-swe-agent/v1.1-parallel-native-calls.traj.json');
    const { json, failures } = await inspectFiles([path]);
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
    expect(failures).toEqual([]);
    expect(json).toEqual({
      files: [{
        file: path, bytes: readFileSync(path).length, sha256, format: 'mini-swe-agent', formatConfidence: 'certain', container: 'none',
        records: 6, recordKinds: { message: 6 }, badRecords: [], badRecordCount: 0, unknownRecords: {}, warnings: [],
        messages: 6, toolCalls: 2, toolResults: 2, matchedPairs: 2,
        usage: { input: 36, output: 9, cacheWrite: null, cacheRead: 64, reasoning: null },
        trajectories: [{
          index: 0, id: `${sha256}#0`, name: 'proj-1', model: 'deepseek-x', steps: 1, messages: 6, toolCalls: 2, toolResults: 2, matchedPairs: 2, interactionBlocks: 1, tokens: null,
          usage: { input: 36, output: 9, cacheWrite: null, cacheRead: 64, reasoning: null }, events: {}, inferredEvents: {}, outcome: { reward: null, success: null, label: 'Submitted' },
          threads: [{ id: 'main', parent: null, title: null, steps: 1, messages: 6, branches: 0 }],
        }],
      }],
    });
  });

  it('takes token counts from the function it is given', async () => {
    const { json } = await inspectFiles([fixture('openai-chat/bare-array.json')], {
      countTokens: async (trajectory, reader) => ({ encoding: 'o200k_base', total: (await reader.readMessage(0)).parts.length, peakContext: trajectory.columns.n }),
    });
    expect(json.files[0]!.trajectories[0]!.tokens).toEqual({ encoding: 'o200k_base', total: 1, peakContext: 6 });
  });

  it('gives a row a file, and joins sub-agents as threads of the parent', async () => {
    const { json } = await inspectFiles(SUBAGENTS);
    expect(json.files.map((file) => [file.file, file.messages, file.trajectories.length])).toEqual([[SUBAGENTS[0], 5, 1], [SUBAGENTS[1], 4, 0], [SUBAGENTS[2], 2, 0], [SUBAGENTS[3], 2, 0]]);
    const threads = json.files[0]!.trajectories[0]!.threads.map(({ id, parent }) => [id, parent]);
    expect(threads).toEqual([['main', null], ['aaa', 'main'], ['bbb', 'main'], ['ccc', 'aaa']]);
    const only = await inspectFiles(SUBAGENTS, { thread: 'ccc' });
    expect(only.json.files[0]!.trajectories[0]!.threads.map(({ id }) => id)).toEqual(['ccc']);
    await expect(inspectFiles(SUBAGENTS, { thread: 'nope' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('reports the files it can read when others fail', async () => {
    const missing = join(folder, 'missing.jsonl');
    const { json, failures } = await inspectFiles([missing, folder, fixture('unreadable/prose.txt'), fixture('unreadable/empty.jsonl')]);
    expect(failures.map(({ file, error }) => [file, error.code])).toEqual([[missing, 'not-found'], [folder, 'bad-argument'], [fixture('unreadable/prose.txt'), 'unknown-format']]);
    expect(json.files.map((file) => [file.format, file.records, file.messages, file.warnings.length])).toEqual([['empty', 0, 0, 1]]);
  });

  it('lists many trajectories a line each, with the number that --trajectory takes, and tells one of them alone', async () => {
    const path = join(folder, 'many.jsonl');
    writeFileSync(path, Array.from({ length: 30 }, (_, i) => JSON.stringify({ messages: [{ role: 'user', content: `q${i}` }, { role: 'assistant', content: 'a' }] })).join('\n'));
    const page = renderInspect((await inspectFiles([path])).json);
    expect(page).toContain('trajectories 30; --trajectory I');
    expect(page.split('\n').filter((line) => /^ +\d+ {2}many #\d+: 1 step, 2 messages$/.test(line))).toHaveLength(30);
    const { json } = await inspectFiles([path], { trajectory: 17 });
    expect(json.files[0]!.trajectories.map(({ index, name }) => [index, name])).toEqual([[17, 'many #18']]);
    await expect(inspectFiles([path], { trajectory: 30 })).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('between 0 and 29') as string });
  });

  it('says which files hold one conversation, and joins them when asked', async () => {
    const line = (session: string, i: number): string => [
      JSON.stringify({ parentUuid: i === 0 ? null : `${session}a${i - 1}`, sessionId: session, uuid: `${session}u${i}`, isSidechain: false, type: 'user', timestamp: `2026-01-01T00:00:1${i}.000Z`, message: { role: 'user', content: `q${i}` } }),
      JSON.stringify({ parentUuid: `${session}u${i}`, sessionId: session, uuid: `${session}a${i}`, isSidechain: false, type: 'assistant', timestamp: `2026-01-01T00:00:1${i}.500Z`, message: { id: `msg_0000${i}`, role: 'assistant', model: 'm', content: 'a' } }),
    ].join('\n');
    const [old, copy] = [join(folder, 'old.jsonl'), join(folder, 'copy.jsonl')];
    writeFileSync(old, [0, 1].map((i) => line('s', i)).join('\n'));
    writeFileSync(copy, [0, 1, 2].map((i) => line('t', i)).join('\n'));
    const apart = (await inspectFiles([old, copy])).json.files;
    expect(apart.map(({ warnings }) => warnings.some((text) => text.includes('2 of 2 model calls')) && warnings.some((text) => text.includes('--join')))).toEqual([true, true]);
    const joined = (await inspectFiles([old, copy], { join: true })).json.files;
    expect(joined.map(({ trajectories }) => trajectories.map(({ messages, steps }) => [messages, steps]))).toEqual([[[6, 3]]]);
  });

  it('writes a page for people', async () => {
    const path = join(folder, 'run.jsonl');
    writeFileSync(path, readFileSync(fixture('claude-code/null-array-string-lines.jsonl')));
    const { json } = await inspectFiles([path, ...SUBAGENTS]);
    const page = renderInspect(json);
    expect(page).toContain('format      claude-code');
    expect(page).toMatch(/records {5}\d+, 6 bad/);
    expect(page).toContain('bad record  line 9, byte 675: the record is cut off');
    expect(page).toContain('thread    ccc in aaa: 1 step, 2 messages – Nested');
    expect(page.replaceAll('found "null"', '')).not.toMatch(/undefined|null|NaN/);
  });

  it.skipIf(!hasShared)('joins the split sample: one trajectory, five threads, five rows with their own sums', async () => {
    const base = 'b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093';
    const agents = ['a775a67', 'aa9d784', 'ac47f8c', 'ae52dab'].map((id) => sharedPath('trajectories', 'claude-code', 'subagents-split', base, 'subagents', `agent-${id}.jsonl`));
    const { json } = await inspectFiles([...agents, sharedPath('trajectories', 'claude-code', 'subagents-split', `${base}.jsonl`)]);
    expect(json.files.map((file) => [file.messages, file.toolCalls, file.usage.output])).toEqual([[4, 1, 11], [4, 1, 10], [4, 1, 6], [4, 1, 6], [7, 4, 4]]);
    const run = json.files[4]!.trajectories[0]!;
    expect([run.messages, run.toolCalls, run.matchedPairs, run.usage.output]).toEqual([23, 8, 8, 37]);
    expect(run.threads.map(({ id, parent }) => [id, parent])).toEqual([['main', null], ['a775a67', 'main'], ['aa9d784', 'main'], ['ac47f8c', 'main'], ['ae52dab', 'main']]);
  });
});
