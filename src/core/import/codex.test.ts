import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { importFiles } from './import-files';

const line = (type: string, payload: object): string => JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type, payload });
const said = (role: string, text: string): string => line('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] });
const file = (name: string, lines: string[]): ByteSource => bytesSource(name, new TextEncoder().encode(lines.join('\n')));

describe('Codex rollout', () => {
  it('joins a sub-agent rollout to the call that spawned it', async () => {
    const call = line('response_item', { type: 'function_call', name: 'spawn_agent', arguments: '{}', call_id: 'c7' });
    const parent = file('a', [line('session_meta', { id: 'P' }), said('user', 'go'), call, line('event_msg', { type: 'collab_agent_spawn_end', call_id: 'c7', new_thread_id: 'K' })]);
    const child = file('b', [line('session_meta', { id: 'K', source: { subagent: { thread_spawn: { parent_thread_id: 'P', depth: 1 } } } }), said('user', 'sub task'), said('assistant', 'done')]);
    const { groups } = await importFiles([child, parent]);
    expect(groups.length).toBe(1);
    expect(groups[0]!.trajectories[0]!.threads.map(({ id, parentThread, spawnedBy }) => [id, parentThread, spawnedBy])).toEqual([['main', undefined, undefined], ['K', 'main', 'c7']]);
  });
});
