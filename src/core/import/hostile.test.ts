import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { sha256HexOfBytes } from '../base/sha256';
import { traceFaults } from '../trace/integrity';
import { importSource } from './import-source';
import { createTraceReader } from './reader';
import type { ImportedFile } from './types';

const text = (value: string): ByteSource => bytesSource('x', new TextEncoder().encode(value));
const user = (id: number, words = 'hello'): string => JSON.stringify({ parentUuid: id === 0 ? null : `n${id - 1}`, isSidechain: false, sessionId: 's', uuid: `n${id}`, type: 'user', timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: words } });
const answer = (id: number, content: unknown = [{ type: 'text', text: 'yes' }]): string => JSON.stringify({ parentUuid: `n${id - 1}`, isSidechain: false, sessionId: 's', uuid: `n${id}`, type: 'assistant', message: { id: `m${id}`, role: 'assistant', model: 'x', content } });

describe('hostile input', () => {
  it('reads a line of 13 MB, whatever the slices', async () => {
    const source = text(`${user(0, 'x'.repeat(13_000_000))}\n${answer(1)}\n`);
    const { report, trajectories } = await importSource(source, { sliceBytes: 1 << 20 });
    expect([report.messages, report.badRecordCount]).toEqual([2, 0]);
    const message = await createTraceReader(source, trajectories[0]!).readMessage(0);
    expect(message.parts.map((part) => part.type === 'text' && part.text.length)).toEqual([13_000_000]);
  });

  it('passes over 5 000 large progress lines and keeps the chain through them', async () => {
    const progress = (id: number): string => JSON.stringify({ parentUuid: `n${id - 1}`, isSidechain: false, type: 'progress', data: { type: 'agent_progress', filler: 'y'.repeat(5000) }, toolUseID: 't', uuid: `n${id}`, timestamp: '2026-01-01T00:00:00Z' });
    const lines = [user(0), ...Array.from({ length: 5000 }, (_, i) => progress(i + 1)), user(5001, 'still here'), answer(5002)];
    const { report, trajectories } = await importSource(text(lines.join('\n')));
    expect([report.records, report.messages, report.recordKinds['progress']]).toEqual([5003, 3, 5000]);
    expect([...trajectories[0]!.threads[0]!.main]).toEqual([0, 1, 2]);
  });

  it.each(['forwards', 'backwards'])('takes a chain of 50 000 messages, %s', async (direction) => {
    const lines = Array.from({ length: 50_000 }, (_, i) => (i % 2 === 0 ? user(i) : answer(i)));
    if (direction === 'backwards') lines.reverse();
    const { trajectories } = await importSource(text(lines.join('\n')));
    const main = trajectories[0]!.threads[0]!.main;
    expect([main.length, main[0], main[49_999]]).toEqual(direction === 'backwards' ? [50_000, 49_999, 0] : [50_000, 0, 49_999]);
  });

  it('takes JSON 10 000 levels deep as tool input', async () => {
    const deep = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`;
    const line = answer(1, [{ type: 'tool_use', id: 't', name: 'f', input: 'HERE' }]).replace('"HERE"', deep);
    const source = text(`${user(0)}\n${line}\n`);
    const { trajectories } = await importSource(source);
    const message = await createTraceReader(source, trajectories[0]!).readMessage(1);
    expect(message.parts).toEqual([{ type: 'tool_call', id: 't', name: 'f', args: deep }]);
  });

  it('takes an array of a million elements inside a message', async () => {
    const source = text(JSON.stringify([{ role: 'user', content: 'x' }, { role: 'assistant', content: 'ok', tool_calls: [{ id: 'c', function: { name: 'f', arguments: { list: new Array<number>(1_000_000).fill(7) } } }] }]));
    expect((await importSource(source)).report.toolCalls).toBe(1);
  });

  it('mentions the pipe buffer where a document ends at a multiple of 65 536 bytes', async () => {
    const whole = JSON.stringify({ messages: Array.from({ length: 400 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `${i} ${'z'.repeat(300)}` })) }, null, 1);
    const { report } = await importSource(text(whole.slice(0, 65_536)));
    expect(report.messages).toBeGreaterThan(150);
    expect(report.badRecords).toEqual([{ line: 0, byteOffset: 65_536, reason: expect.stringContaining('65 536') as string }]);
  });

  it('survives any cut and any flipped byte: a sound result or a helpful error', async () => {
    const base = new TextEncoder().encode([user(0), answer(1, [{ type: 'text', text: 'é😀' }, { type: 'tool_use', id: 't', name: 'f', input: { a: [1, { b: null }] } }]), JSON.stringify({ parentUuid: 'n1', sessionId: 's', uuid: 'n2', type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] } }), answer(3)].join('\n'));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: base.length }), fc.array(fc.tuple(fc.nat(base.length - 1), fc.nat(255)), { maxLength: 4 }), fc.integer({ min: 1, max: 64 }), async (end, flips, sliceBytes) => {
        const bytes = base.slice();
        for (const [at, value] of flips) bytes[at] = value;
        const source = bytesSource('x', bytes.subarray(0, end));
        let file: ImportedFile;
        try {
          file = await importSource(source, { sliceBytes });
        } catch (error) {
          expect(error).toMatchObject({ name: 'ContextscopeError' });
          return;
        }
        for (const trajectory of file.trajectories) {
          expect(traceFaults(trajectory, source.size)).toEqual([]);
          const reader = createTraceReader(source, trajectory);
          for (let row = 0; row < trajectory.columns.n; row++) await reader.readMessage(row);
        }
      }),
      { numRuns: 400, seed: 3 },
    );
  });
});

describe('importing', () => {
  const long = text(Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? user(i, `message ${i} ${'w'.repeat(200)}`) : answer(i))).join('\n'));

  it('hashes the source and reports progress up to its end', async () => {
    const seen: number[] = [];
    const { report, trajectories } = await importSource(long, { sliceBytes: 100_000, onProgress: ({ bytesRead }) => { seen.push(bytesRead); } });
    const expected = sha256HexOfBytes(await long.read(0, long.size));
    expect([report.sha256, trajectories[0]!.id]).toEqual([expected, `${expected}#0`]);
    expect(seen.at(-1)).toBe(long.size);
    expect(seen.every((bytes, i) => i === 0 || bytes > seen[i - 1]!)).toBe(true);
  });

  it('offers a first look once, long before the end, and it stays as it was', async () => {
    const looks: ImportedFile[] = [];
    let readWhenLooked = 0;
    let read = 0;
    const file = await importSource(long, { sliceBytes: 200_000, onProgress: ({ bytesRead }) => { read = bytesRead; }, onFirst: (partial) => { looks.push(partial); readWhenLooked = read; } });
    expect(looks.length).toBe(1);
    expect(readWhenLooked).toBeLessThan(1_300_000);
    const first = looks[0]!.trajectories[0]!;
    expect(first.columns.n).toBeGreaterThan(1000);
    expect(first.columns.n).toBeLessThan(file.trajectories[0]!.columns.n);
    expect(traceFaults(first, long.size)).toEqual([]);
    expect(first.threads[0]!.main.length).toBe(first.columns.n);
  });

  it('gives no first look at a small file', async () => {
    let looks = 0;
    await importSource(text(`${user(0)}\n${answer(1)}`), { onFirst: () => { looks++; } });
    expect(looks).toBe(0);
  });

  it('stops between slices when cancelled', async () => {
    const controller = new AbortController();
    let slices = 0;
    const attempt = importSource(long, { sliceBytes: 50_000, signal: controller.signal, onProgress: () => { if (++slices === 3) controller.abort(); } });
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
    expect(slices).toBe(3);
  });

  it('says when the source shrinks while it is read', async () => {
    const shrunk: ByteSource = { ...long, read: (from, to) => long.read(from, Math.min(to, 300_000)) };
    await expect(importSource(shrunk, { sliceBytes: 100_000 })).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('lets a forced format win, and refuses one that it does not know', async () => {
    const source = text('{"role":"user","content":"x"}\n{"role":"assistant","content":"y"}');
    expect((await importSource(source, { format: 'pi' })).report).toMatchObject({ format: 'pi', formatConfidence: 'forced', messages: 0 });
    await expect(importSource(source, { format: 'nonsense' })).rejects.toMatchObject({ code: 'bad-argument' });
  });
});

describe('reader', () => {
  it('says when it is given another source', async () => {
    const { trajectories } = await importSource(text(`${user(0)}\n${answer(1)}`));
    await expect(createTraceReader(text('short'), trajectories[0]!).readMessage(1)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(createTraceReader(text('no json '.repeat(100)), trajectories[0]!).readMessage(1)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(createTraceReader(text(''), trajectories[0]!).readMessage(7)).rejects.toMatchObject({ code: 'bad-argument' });
  });

  it('gives the raw source text, and positions in the order asked for', async () => {
    const source = text(`${user(0)}\r\n${answer(1)}`);
    const { trajectories } = await importSource(source);
    const reader = createTraceReader(source, trajectories[0]!);
    expect(await reader.readRaw(0)).toEqual([user(0)]);
    const order: number[][] = [];
    await reader.readMessages([1, 0], ({ index, row }) => { order.push([index, row]); });
    expect(order).toEqual([[0, 1], [1, 0]]);
  });
});
