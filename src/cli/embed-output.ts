import { writeFile } from 'node:fs/promises';
import { ContextscopeError } from '../core/base/errors';
import { writeNpy } from '../core/numerics/npy';

export type EmbedKind = 'block' | 'goal' | 'action' | 'final';

/** One row of `embed --json` (cli.md), in the order of the vectors. `tokens`: of the text, in the run's encoding, as in `select`. */
export interface EmbedRow { kind: EmbedKind; index: number; hash: string; tokens: number }

/** The JSON of `embed --json`. */
export interface EmbedReport { encoder: { id: string; dim: number; sha256: string | null }; rows: EmbedRow[] }

export function embedReport(spec: { id: string; dim: number; sha256: string | null }, rows: EmbedRow[]): EmbedReport {
  return { encoder: { id: spec.id, dim: spec.dim, sha256: spec.sha256 }, rows: rows.map(({ kind, index, hash, tokens }) => ({ kind, index, hash, tokens })) };
}

/** float32 [rows, dim] in NumPy's format; `dim` says the width when there is no row. */
export function vectorsAsNpy(vectors: readonly Float32Array[], dim: number): Uint8Array {
  const data = new Float32Array(vectors.length * dim);
  vectors.forEach((vector, i) => data.set(vector, i * dim));
  return writeNpy(data, vectors.length, dim);
}

/** One JSON object a line: the row's fields and `vector` (float32 numbers at full double precision, hence exact). */
function vectorsAsJsonl(rows: readonly EmbedRow[], vectors: readonly Float32Array[]): string {
  return rows.map((row, i) => `${JSON.stringify({ ...row, vector: Array.from(vectors[i] ?? []) })}\n`).join('');
}

/** Writes `--out`: `.npy` or `.jsonl` by its ending. Throws `bad-argument` for any other. */
export async function writeVectors(path: string, rows: readonly EmbedRow[], vectors: readonly Float32Array[], dim: number): Promise<void> {
  if (rows.length !== vectors.length) throw new ContextscopeError('internal', `${rows.length} rows and ${vectors.length} vectors.`);
  if (path.endsWith('.npy')) await writeFile(path, vectorsAsNpy(vectors, dim));
  else if (path.endsWith('.jsonl')) await writeFile(path, vectorsAsJsonl(rows, vectors));
  else throw new ContextscopeError('bad-argument', `--out: expected a path ending in .npy or .jsonl, found "${path}".`);
}
