import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { importFiles } from './import-files';
import { importSource } from './import-source';

const text = (name: string, body: string): ByteSource => bytesSource(name, new TextEncoder().encode(body));
const message = (id: string, role: string, parts: object[]): object => ({ info: { id, role, time: { created: 1_700_000_000_000 } }, parts });
const session = (info: object, messages: object[]): string => JSON.stringify({ info: { title: 'x', ...info }, messages });

describe('OpenCode export', () => {
  it('joins a child session to the task call whose result names it', async () => {
    const task = { type: 'tool', callID: 'call-9', tool: 'task', state: { status: 'completed', input: {}, output: 'ok', metadata: { sessionId: 'ses_child' } } };
    const parent = text('p', session({ id: 'ses_demo1' }, [message('msg_1', 'user', [{ type: 'text', text: 'go' }]), message('msg_2', 'assistant', [task])]));
    const child = bytesSource('c', readFileSync(resolve(import.meta.dirname, 'fixtures/opencode/child-session-after-banner.txt')));
    const { groups } = await importFiles([child, parent]);
    expect(groups.length).toBe(1);
    expect(groups[0]!.trajectories[0]!.threads.map(({ id, parentThread, spawnedBy }) => [id, parentThread, spawnedBy])).toEqual([['main', undefined, undefined], ['ses_child', 'main', 'call-9']]);
  });

  it('a part that is no JSON costs only itself, and the report says so', async () => {
    const whole = session({ id: 'ses_1' }, [message('msg_1', 'user', [{ type: 'text', text: 'a' }, { type: 'text', text: '@@' }, { type: 'text', text: 'b' }]), message('msg_2', 'assistant', [])]);
    const { report, trajectories } = await importSource(text('x', whole.replace('"@@"', '"\\q"')), { format: 'opencode' });
    expect(trajectories[0]!.columns.chars[0]).toBe(2);
    expect(report.messages).toBe(2);
    expect(report.unknownRecords).toEqual({ 'unreadable part': 1 });
    expect(report.warnings[0]).toMatch(/part at byte \d+ is not a JSON object/);
  });
});
