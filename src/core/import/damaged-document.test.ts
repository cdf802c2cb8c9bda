import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

const text = (value: string): ByteSource => bytesSource('x', new TextEncoder().encode(value));
const document = (words: string): string => `[\n {"role":"user","content":"${words}"},\n {"role":"assistant","content":"b"}\n]`;

describe('a document with a raw control character in a string', () => {
  it.each(['\t', '\u0001', '\u0000', '\n'])('is read with it, and the character is reported where it stands (%j)', async (control) => {
    const given = document(`a${control}b`);
    for (const heldBytes of [undefined, 16]) {
      const source = text(given);
      const { report, trajectories } = await importSource(source, { heldBytes });
      expect([report.messages, report.badRecordCount]).toEqual([2, 1]);
      expect(report.badRecords[0]).toEqual({ line: 0, byteOffset: given.indexOf(`a${control}b`) + 1, reason: expect.stringContaining('control character') as string });
      expect((await createTraceReader(source, trajectories[0]!).readMessage(0)).parts).toEqual([{ type: 'text', text: `a${control}b` }]);
    }
  });

  it('is read with it in one line, too', async () => {
    const { report } = await importSource(text('[{"role":"user","content":"a\tb"},{"role":"assistant","content":"b"}]'));
    expect([report.messages, report.badRecords.map(({ byteOffset }) => byteOffset)]).toEqual([2, [28]]);
  });
});

describe('a document that is cut off', () => {
  it('says where, held or paged', async () => {
    const given = document('a').slice(0, -4);
    for (const heldBytes of [undefined, 16]) {
      const { report } = await importSource(text(given), { heldBytes });
      expect(report.badRecords).toEqual([{ line: 0, byteOffset: given.length, reason: expect.stringContaining('cut off') as string }]);
    }
  });
});

describe('a document that is no valid JSON deep inside', () => {
  const chat = (broken: string): string => JSON.stringify({ messages: [{ role: 'user', content: 'one' }, { role: 'assistant', content: 'HERE' }, { role: 'user', content: 'three' }, { role: 'assistant', content: 'four' }] }).replace('HERE', broken);
  const trajectory = (broken: string): string => JSON.stringify({ history: [{ role: 'user', content: 'one' }, { role: 'assistant', content: 'HERE', action: 'ls' }, { role: 'user', content: 'three' }], trajectory: [{ action: 'ls', observation: 'x', response: 'r', thought: 't' }], info: { model_stats: {} } }).replace('HERE', broken);

  it.each([['OpenAI chat', chat, ['one', 'three', 'four']], ['SWE-agent', trajectory, ['one', 'three']]])('keeps what is sound and says where it is not (%s)', async (_, make, kept) => {
    const given = make('two \\q');
    for (const heldBytes of [undefined, 16]) {
      const source = text(given);
      const { report, trajectories } = await importSource(source, { heldBytes });
      const texts: string[] = [];
      await createTraceReader(source, trajectories[0]!).readMessages([...trajectories[0]!.threads[0]!.main], ({ parts }) => { texts.push(parts.map((part) => (part.type === 'text' ? part.text : '')).join('')); });
      expect(texts).toEqual(kept);
      expect(report.badRecords).toEqual([{ line: 1, byteOffset: given.indexOf('"two'), reason: expect.stringContaining('not valid JSON') as string }]);
    }
  });

  it('is recognised by its sound messages, wherever the fault stands', async () => {
    const [before, after] = JSON.stringify([{ role: 'user', content: 'one' }, { role: 'HERE', content: 'two' }, { role: 'assistant', content: 'three', tool_calls: [] }]).split('HERE') as [string, string];
    const { report } = await importSource(text(`${before}\\q${after}`));
    expect([report.format, report.messages, report.badRecordCount]).toEqual(['openai-chat', 2, 1]);
  });
});

describe('numbers that JSON does not know', () => {
  it.each([
    ['a document', '[{"role":"user","content":"NaN and Infinity in words"},{"role":"assistant","content":"b","score":NaN,"low":-Infinity}]', 2],
    ['lines', '{"type":"session","version":3,"id":"p","cwd":"/","x":Infinity}\n{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"NaN"}]}}', 1],
  ])('are counted, and read as unknown (%s)', async (_, given, numbers) => {
    const { report } = await importSource(text(given));
    expect(report.badRecordCount).toBe(0);
    expect(report.warnings.filter((warning) => /^\d+ numbers? (is|are) NaN or infinite/.test(warning))).toEqual([expect.stringContaining(String(numbers)) as string]);
  });
});
