import { describe, expect, it } from 'vitest';
import { Crc32 } from '../base/crc32';
import { sha256Hex } from '../base/sha256';
import { writeNpy } from '../numerics/npy';
import { parquet } from '../../testing/parquet';
import { coverageNote, coverageOf, importedVectorOf, importVectors, rangesOf, type PlacedTexts } from './imported-vectors';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const jsonl = (...rows: unknown[]): Uint8Array => bytesOf(rows.map((row) => JSON.stringify(row)).join('\n'));

/** A list of strings as NumPy writes it. */
function npyStrings(strings: string[], kind: 'U' | 'S'): Uint8Array {
  const width = Math.max(...strings.map((s) => s.length));
  const step = kind === 'U' ? 4 : 1;
  const out = writeNpy(new Float32Array((strings.length * width * step) / 4), strings.length, (width * step) / 4);
  const header = `{'descr': '${kind === 'U' ? '<U' : '|S'}${width}', 'fortran_order': False, 'shape': (${strings.length},), }`;
  out.set(bytesOf(header.padEnd(out.length - strings.length * width * step - 11) + '\n'), 10);
  const view = new DataView(out.buffer, out.length - strings.length * width * step);
  strings.forEach((s, i) => [...s].forEach((char, c) => (kind === 'U' ? view.setUint32(4 * (i * width + c), char.charCodeAt(0), true) : view.setUint8(i * width + c, char.charCodeAt(0)))));
  return out;
}

/** A ZIP with 64-bit sizes in the local headers, as NumPy's savez writes. */
async function zip(members: Record<string, Uint8Array>, deflate: boolean): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, data] of Object.entries(members)) {
    const packed = deflate ? new Uint8Array(await new Response(new Blob([new Uint8Array(data)]).stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer()) : data;
    const local = new Uint8Array(30 + name.length + 20);
    const head = new DataView(local.buffer);
    head.setUint32(0, 0x04034b50, true);
    head.setUint16(26, name.length, true);
    head.setUint16(28, 20, true);
    local.set(bytesOf(name), 30);
    const entry = new Uint8Array(46 + name.length);
    const central = new DataView(entry.buffer);
    central.setUint32(0, 0x02014b50, true);
    central.setUint16(10, deflate ? 8 : 0, true);
    const sum = new Crc32();
    sum.update(data);
    central.setUint32(16, sum.value(), true);
    central.setUint32(20, packed.length, true);
    central.setUint16(28, name.length, true);
    central.setUint32(42, offset, true);
    entry.set(bytesOf(name), 46);
    pieces.push(local, packed);
    directory.push(entry);
    offset += local.length + packed.length;
  }
  const end = new Uint8Array(22);
  const tail = new DataView(end.buffer);
  tail.setUint32(0, 0x06054b50, true);
  tail.setUint16(10, directory.length, true);
  tail.setUint32(16, offset, true);
  return new Uint8Array(await new Blob([...pieces, ...directory, end].map((piece) => new Uint8Array(piece))).arrayBuffer());
}

const texts: PlacedTexts = {
  blocks: ['first', '', 'third'],
  at: (n) => ({ action: `action ${n}`, goal: 'goal', stateQuery: `query ${n}` }),
  finalText: 'the end',
};
const rows = Float32Array.from([1, 0, 0, 0, 0, 0, 0, 0.6, 0.8]);

describe('importVectors', () => {
  it('reads .npy in block order', async () => {
    const imported = await importVectors('x.npy', writeNpy(rows, 3, 3));
    const vectorOf = importedVectorOf(imported, texts, 'x.npy');
    expect([imported.dim, imported.rows, imported.scaled]).toEqual([3, 3, 0]);
    expect([...vectorOf('third')!]).toEqual([0, Math.fround(0.6), Math.fround(0.8)]);
    expect(vectorOf('action 1')).toBeNull();
  });

  it.each([true, false])('reads .npz by place and by hash (deflated: %s)', async (deflate) => {
    const one = (a: number, b: number, c: number): Uint8Array => writeNpy(Float32Array.from([a, b, c]), 1, 3);
    const placed = await importVectors('x.npz', await zip({ 'blocks.npy': writeNpy(rows, 3, 3), 'actions.npy': one(0, 1, 0), 'final.npy': one(0, 0, 1) }, deflate));
    const vectorOf = importedVectorOf(placed, texts, 'x.npz');
    expect([...vectorOf('first')!]).toEqual([1, 0, 0]);
    expect([...vectorOf('action 0')!]).toEqual([0, 1, 0]);
    expect([...vectorOf('the end')!]).toEqual([0, 0, 1]);
    for (const kind of ['U', 'S'] as const) {
      const hashed = await importVectors('h.npz', await zip({ 'vectors.npy': writeNpy(rows, 3, 3), 'hashes.npy': npyStrings(['goal', 'query 2', 'third'].map(sha256Hex), kind) }, deflate));
      const byHash = importedVectorOf(hashed, texts, 'h.npz');
      expect([...byHash('goal')!]).toEqual([1, 0, 0]);
      expect(byHash('third')![2]).toBeCloseTo(0.8, 6);
      expect(byHash('first')).toBeNull();
    }
    const single = await importVectors('s.npz', await zip({ 'arr_0.npy': writeNpy(rows, 3, 3) }, deflate));
    expect(single.byPlace.block.size).toBe(3);
  });

  it('reads JSONL by hash or by place, empty lines and a last line without end included', async () => {
    const lines = jsonl({ hash: sha256Hex('first').toUpperCase(), vector: [3, 4] }, { kind: 'action', index: 2, embedding: [0, 1] }, { kind: 'query', index: 1, vector: [1, 0] }, { kind: 'final', vector: [1, 0] });
    const imported = await importVectors('x.jsonl', bytesOf(`\n${new TextDecoder().decode(lines)}`));
    const vectorOf = importedVectorOf(imported, texts, 'x.jsonl');
    expect(vectorOf('first')![0]).toBeCloseTo(0.6, 7);
    expect(imported.scaled).toBe(1);
    expect([...vectorOf('action 2')!]).toEqual([0, 1]);
    expect([...vectorOf('query 1')!]).toEqual([1, 0]);
    expect([...vectorOf('the end')!]).toEqual([1, 0]);
  });

  it.each([
    ['dimensions that differ', jsonl({ index: 0, vector: [1, 0] }, { index: 1, vector: [1] }), /line 2: 1 numbers, but the first vector has 2/],
    ['a number that is none', writeNpy(Float32Array.from([1, NaN]), 1, 2), /row 0: the vector holds something that is not a finite number/],
    ['a vector that is no list', jsonl({ index: 0, vector: 'x' }), /line 1: expected "vector" to be a list of numbers/],
    ['a null in the list', jsonl({ index: 0, vector: [1, null] }), /list of numbers/],
    ['no place', jsonl({ vector: [1] }), /expected "hash", or "index" counted from 0/],
    ['a hash of another kind', jsonl({ hash: 'abc', vector: [1] }), /SHA-256/],
    ['an unknown kind', jsonl({ kind: 'blocks', index: 0, vector: [1] }), /block, action, goal, query, final/],
    ['text', bytesOf('not vectors'), /line 1: expected a JSON object/],
    ['nothing', new Uint8Array(0), /holds no vectors/],
    ['an empty vector', jsonl({ index: 0, vector: [] }), /has no numbers/],
    ['a ZIP that is cut off', bytesOf('PK\u0003\u0004 and no more'), /cut off/],
  ])('refuses %s and says where', async (_what, bytes, message) => {
    await expect(importVectors('bad', bytes)).rejects.toThrow(message);
  });

  it('refuses blocks that are not as many as the run has, with both numbers; and a ZIP without arrays', async () => {
    const imported = await importVectors('two.npy', writeNpy(rows.subarray(0, 6), 2, 3));
    expect(() => importedVectorOf(imported, texts, 'two.npy')).toThrow(/2 vectors in block order; the run has 3/);
    await expect(importVectors('x.npz', await zip({ 'weights.npy': writeNpy(rows, 3, 3), 'bias.npy': writeNpy(rows, 3, 3) }, false))).rejects.toThrow(/expected arrays named .*found weights, bias/);
    await expect(importVectors('x.npz', await zip({ 'vectors.npy': writeNpy(rows, 3, 3), 'hashes.npy': npyStrings(['a'.repeat(64)], 'U') }, false))).rejects.toThrow(/1 hashes for 3 vectors/);
  });
});

describe('Parquet', () => {
  const hash = 'ab'.repeat(32);

  it.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const)('reads vectors by hash or by index, packed by %s', async (codec) => {
    const made = await importVectors('v.parquet', parquet([
      { name: 'hash', values: [hash, null, null] }, { name: 'index', values: [null, 4, 2] }, { name: 'kind', values: [null, null, 'action'] },
      { name: 'vector', doubles: true, values: [[1, 0], [0, 2], [0.6, 0.8]] }, { name: 'note', values: ['x', 'y', 'z'] },
    ], { codec }));
    expect(made).toMatchObject({ dim: 2, rows: 3, scaled: 1 });
    expect([...made.byHash.get(hash)!]).toEqual([1, 0]);
    expect([...made.byPlace.block.get(4)!]).toEqual([0, 1]);
    expect([...made.byPlace.action.keys()]).toEqual([2]);
  });

  it('says which row is wrong, and which columns it has', async () => {
    const bad = importVectors('v.parquet', parquet([{ name: 'index', values: [0, 1] }, { name: 'embedding', doubles: true, values: [[1, 0], [1]] }]));
    await expect(bad).rejects.toMatchObject({ code: 'bad-argument', message: 'v.parquet, row 1: 1 numbers, but the first vector has 2. All must have the same dimension.' });
    const other = importVectors('v.parquet', parquet([{ name: 'id', values: ['a'] }, { name: 'text', values: ['b'] }]));
    await expect(other).rejects.toMatchObject({ code: 'bad-argument', message: expect.stringContaining('found id, text') as string });
  });
});

describe('how far a file reaches', () => {
  it('names missing blocks as ranges and what else is missing in words', () => {
    const have = new Set(['first', 'action 1', 'goal', 'the end']);
    const coverage = coverageOf((text) => (have.has(text) ? Float32Array.of(1) : null), texts);
    expect(coverage).toEqual({ blocks: 3, missingBlocks: [2], actions: { of: 4, missing: 3 }, goals: { of: 1, missing: 0 }, queries: { of: 4, missing: 4 }, final: true });
    expect(coverageNote(coverage)).toBe('No vectors for 3 of 4 next actions, 4 of 4 state queries: measures and rules that need them are left out.');
    expect(coverageNote(coverageOf(() => Float32Array.of(1), texts))).toBeNull();
    expect(rangesOf([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
    expect(rangesOf(Array.from({ length: 20 }, (_, i) => 2 * i))).toBe('0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 8 more');
  });
});
