import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { containerOf } from './containers';
import { importSource } from './import-source';
import { JsonNode } from './json-node';
import { createTraceReader } from './reader';

const ROOTS = [resolve(import.meta.dirname, 'fixtures'), ...(hasShared ? [sharedPath('trajectories')] : [])];
const documents = ROOTS.flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  .filter((path) => !/\.(tsv|md)$|unreadable/.test(path))
  .map((path) => ({ path, name: path.split('/').slice(-2).join('/'), bytes: readFileSync(path) }))
  .filter(({ bytes }) => bytes.length < 600_000 && containerOf(bytes) === 'none');

/** Never more than `limit` bytes at once, so that a page of the whole file would be seen. */
const counted = (source: ByteSource): { source: ByteSource; largest: () => number } => {
  let largest = 0;
  const see = (bytes: Uint8Array): Uint8Array => {
    largest = Math.max(largest, bytes.length);
    return bytes;
  };
  return { source: { ...source, read: async (from, to) => see(await source.read(from, to)), readSync: (from, to) => see(source.readSync!(from, to)) }, largest: () => largest };
};

describe('documents read by pages', () => {
  it.each(documents)('$name is the same as when it is held', async ({ path, bytes }) => {
    const source = bytesSource(path, bytes);
    const attempt = (options: { heldBytes?: number; sliceBytes?: number }): Promise<unknown> => importSource(source, options).then(({ report, trajectories }) => ({ report, trajectories }), (error: unknown) => String(error));
    const held = await attempt({});
    expect(await attempt({ heldBytes: 4, sliceBytes: 991 })).toEqual(held);
    expect(await attempt({ heldBytes: 4000, sliceBytes: 4096 })).toEqual(held);
  });

  it.each([0.2, 0.5, 0.77, 0.99])('cut at %f of its length: the same messages', async (part) => {
    for (const { path, bytes } of documents.filter(({ path }) => path.includes('fixtures') && /openai-chat|atif|mini-swe/.test(path))) {
      const source = bytesSource(path, bytes.subarray(0, Math.floor(bytes.length * part)));
      const attempt = (options: { heldBytes?: number }): Promise<unknown> => importSource(source, options).then(({ report, trajectories }) => [report.messages, report.badRecordCount, trajectories.map(({ columns }) => columns.n)], (error: unknown) => (error as { code?: string }).code);
      expect(await attempt({ heldBytes: 16 })).toEqual(await attempt({}));
    }
  });

  it('reads 100 MB without a string or a page of more than a few', async () => {
    const message = (i: number): string => JSON.stringify({ role: i % 2 ? 'assistant' : 'user', content: `${i} ${'plain words '.repeat(4000)}` });
    const whole = new TextEncoder().encode(`{"model":"x","messages":[${Array.from({ length: 2100 }, (_, i) => message(i)).join(',\n')}]}`);
    const texts = vi.spyOn(JsonNode.prototype, 'text');
    const { source, largest } = counted(bytesSource('x', whole));
    const { report, trajectories } = await importSource(source);
    const longest = Math.max(...texts.mock.results.map(({ value }) => (value as string).length));
    texts.mockRestore();
    expect([whole.length > 100_000_000, report.format, report.messages, report.badRecordCount]).toEqual([true, 'openai-chat', 2100, 0]);
    expect(traceFaults(trajectories[0]!, whole.length)).toEqual([]);
    expect(longest).toBeLessThan(100_000);
    expect(largest()).toBeLessThan(9_000_000);
    const last = await createTraceReader(source, trajectories[0]!).readMessage(2099);
    expect(last.parts[0]).toMatchObject({ type: 'text', text: expect.stringMatching(/^2099 plain words/) as string });
  });

  it('stops while a document is scanned when cancelled', async () => {
    const controller = new AbortController();
    const source = bytesSource('x', new TextEncoder().encode(JSON.stringify({ messages: Array.from({ length: 5000 }, (_, i) => ({ role: 'user', content: `${i} ${'x'.repeat(200)}` })) }, null, 1)));
    let calls = 0;
    await expect(importSource(source, { heldBytes: 1000, sliceBytes: 10_000, signal: controller.signal, onProgress: () => { if (++calls === 3) controller.abort(); } })).rejects.toMatchObject({ code: 'cancelled' });
    expect(calls).toBe(3);
  });
});
