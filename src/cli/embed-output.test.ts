import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readNpy } from '../core/numerics/npy';
import { embedReport, vectorsAsNpy, writeVectors, type EmbedRow } from './embed-output';

const rows: EmbedRow[] = [
  { kind: 'block', index: 0, hash: 'aa', tokens: 3 },
  { kind: 'final', index: 0, hash: 'bb', tokens: 5 },
];
const vectors = [Float32Array.of(0.1, -2, 3), Float32Array.of(0, 0, 0)];
const folder = mkdtempSync(resolve(tmpdir(), 'contextscope-embed-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('output of embed', () => {
  it('is a float32 matrix in .npy', async () => {
    const path = resolve(folder, 'x.npy');
    await writeVectors(path, rows, vectors, 3);
    expect(readNpy(readFileSync(path))).toEqual({ rows: 2, columns: 3, data: Float32Array.of(0.1, -2, 3, 0, 0, 0) });
    expect(readNpy(vectorsAsNpy([], 384))).toEqual({ rows: 0, columns: 384, data: new Float32Array(0) });
  });

  it('is one object a line in .jsonl, with the exact numbers', async () => {
    const path = resolve(folder, 'x.jsonl');
    await writeVectors(path, rows, vectors, 3);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as EmbedRow & { vector: number[] });
    expect(lines.map(({ kind, index, hash, tokens }) => ({ kind, index, hash, tokens }))).toEqual(rows);
    expect(Float32Array.from(lines[0]?.vector ?? [])).toEqual(vectors[0]);
  });

  it('refuses another ending', async () => {
    await expect(writeVectors('x.csv', rows, vectors, 3)).rejects.toThrow('--out: expected a path ending in .npy or .jsonl, found "x.csv".');
  });

  it('has the JSON of the specification', () => {
    expect(embedReport({ id: 'e', dim: 3, sha256: null }, rows)).toEqual({ encoder: { id: 'e', dim: 3, sha256: null }, rows });
  });
});
