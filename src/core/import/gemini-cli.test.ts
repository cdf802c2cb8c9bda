import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

const chat = (messages: string): string => `{"sessionId":"s","projectHash":"h","messages":[${messages}]}`;
const user = (id: string, text: string): string => JSON.stringify({ id, type: 'user', content: text });

describe('Gemini CLI chat', () => {
  it('a message that is no JSON costs only itself, and the rest reads back', async () => {
    const source = bytesSource('x', new TextEncoder().encode(chat([user('1', 'one'), '{"id":"2","type":"user","content":"\\q"}', user('3', 'three')].join())));
    const { report, trajectories } = await importSource(source, { format: 'gemini-cli' });
    expect([report.records, report.messages, report.unknownRecords]).toEqual([3, 2, { 'unreadable message': 1 }]);
    const reader = createTraceReader(source, trajectories[0]!);
    expect((await reader.readMessage(1)).parts).toEqual([{ type: 'text', text: 'three' }]);
  });

  it('takes the last of a growing record, wherever its lines stand', async () => {
    const lines = ['{"sessionId":"s","projectHash":"h"}', '{"id":"g","type":"gemini","content":"a","tokens":{"input":5,"output":1,"cached":0}}', user('u', 'next'), '{"id":"g","type":"gemini","content":"abc","tokens":{"input":5,"output":3,"cached":2}}'];
    const source = bytesSource('x', new TextEncoder().encode(lines.join('\n')));
    const { trajectories } = await importSource(source);
    const run = trajectories[0]!;
    expect(run.usage).toMatchObject({ input: 3, cachedInput: 2, output: 3 });
    expect((await createTraceReader(source, run).readMessage(0)).parts).toEqual([{ type: 'text', text: 'abc' }]);
    expect([...run.threads[0]!.main]).toEqual([0, 1]);
  });
});
