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
