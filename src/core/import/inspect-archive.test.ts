import { describe, expect, it } from 'vitest';
import { zip, zipMember } from '../../testing/archives';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { importFiles } from './import-files';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

const header = { version: 2, status: 'success', eval: { task: 'count', task_id: 't', model: 'openai/x', created: '2026-01-01T00:00:00Z', dataset: {}, config: {} }, plan: { steps: [] }, results: null };
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How many?' },
  { role: 'assistant', content: '', tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }] },
  { role: 'tool', tool_call_id: 'c1', function: 'bash', content: 'a b' },
  { role: 'assistant', content: 'Two.' },
];
const sample = (id: number | string, own: readonly object[] = messages): object => ({ id, epoch: 1, input: 'How many?', target: '2', messages: own, scores: {}, metadata: {}, events: [] });
const given = (bytes: Uint8Array, name = 'x'): ByteSource => bytesSource(name, bytes);
const json = (name: string, value: unknown, method: 0 | 8 | 93 = 0) => zipMember(name, JSON.stringify(value), method);

describe('.eval archives', () => {
  it.each([0, 8, 93] as const)('method %i: one trajectory a sample, texts read back', async (method) => {
    const source = given(zip([json('_journal/start.json', { version: 2, eval: header.eval, plan: header.plan }, method), json('samples/1_epoch_1.json', sample(1), method), json('samples/a/b_epoch_1.json', sample('a/b'), method), json('summaries.json', [], method), json('header.json', header, method)]));
    const { report, trajectories, content } = await importSource(source);
    expect(report).toMatchObject({ format: 'inspect', container: 'zip', file: 'x', bytes: source.size, records: 2, messages: 10, toolCalls: 2, toolResults: 2, matchedPairs: 2, warnings: [] });
    for (const trajectory of trajectories) expect(traceFaults(trajectory, content!.size)).toEqual([]);
    expect(trajectories.map(({ columns }) => columns.n)).toEqual([5, 5]);
    // Both from what was unpacked, and from the archive itself.
    for (const from of [content!, source]) expect((await createTraceReader(from, trajectories[1]!).readMessage(4)).parts).toEqual([{ type: 'text', text: 'Two.' }]);
  });

  it('reads a log that is still being written: no header, no directory', async () => {
    const bytes = zip([json('_journal/start.json', { version: 2, eval: header.eval, plan: header.plan }), json('samples/1_epoch_1.json', sample(1), 8)], { directory: false });
    const { report } = await importSource(given(bytes));
    expect(report).toMatchObject({ format: 'inspect', messages: 5 });
    expect(report.warnings).toEqual(expect.arrayContaining([expect.stringContaining('no usable directory'), expect.stringContaining('no header')]));
  });

  it('loses only the sample that is damaged, and names it', async () => {
    const broken = { ...json('samples/2_epoch_1.json', sample(2), 8), packed: Uint8Array.of(1, 2, 3) };
    const { report } = await importSource(given(zip([json('header.json', header), json('samples/1_epoch_1.json', sample(1)), broken, json('samples/3_epoch_1.json', sample(3))])));
    expect([report.records, report.messages]).toEqual([2, 10]);
    expect(report.warnings).toEqual([expect.stringMatching(/^The sample samples\/2_epoch_1.json is missing: /) as string]);
  });

  it('puts a chunked sample together: messages by ranges into their pool', async () => {
    const folder = 'samples/7_epoch_1';
    const { messages: _, events: __, ...shell } = sample(7) as Record<string, unknown>;
    const source = given(zip([
      json('header.json', header, 93),
      json(`${folder}/sample.json`, { ...shell, message_refs: [[0, 2], [3, 6]] }, 93),
      json(`${folder}/messages/0.json`, [messages[0], messages[1], { role: 'user', content: 'dropped' }], 93),
      json(`${folder}/messages/3.json`, messages.slice(2), 93),
      json(`${folder}/events/0.json`, [{ event: 'model', model: 'openai/x', input: [], input_refs: [[0, 2]], output: { model: 'openai/x', choices: [], usage: { input_tokens: 10, output_tokens: 3, total_tokens: 13 } } }], 93),
      json(`${folder}/events/stats.json`, { version: 1, chunks: [] }, 93),
      json(`${folder}/skeleton.json`, { version: 1 }, 93),
      json(`${folder}/attachments/0.json`, ['long text'], 93),
      json('samples/8_epoch_1.json', sample(8), 93),
    ]));
    const { report, trajectories, content } = await importSource(source);
    expect(report).toMatchObject({ records: 2, messages: 10, matchedPairs: 2, warnings: [] });
    const chunked = trajectories.find(({ name }) => name.includes('7'))!;
    const texts: string[] = [];
    await createTraceReader(content!, chunked).readMessages([0, 1, 2, 3, 4], ({ parts }) => { texts.push(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join()); });
    expect(texts).toEqual(['Be brief.', 'How many?', ',tool_call', 'tool_result', 'Two.']);
  });

  it('is found inside other archives', async () => {
    const { groups } = await importFiles([given(zip([zipMember('logs/one.eval', zip([json('header.json', header), json('samples/1_epoch_1.json', sample(1))])), zipMember('logs/two.eval', zip([json('header.json', header), json('samples/2_epoch_1.json', sample(2))]), 8)]), 'all.zip')]);
    expect(groups.map(({ reports: [report] }) => [report!.file, report!.format, report!.messages])).toEqual([['all.zip!logs/one.eval', 'inspect', 5], ['all.zip!logs/two.eval', 'inspect', 5]]);
  });
});
