/** Where the vectors of a run come from: a bundled encoder, or `vectors:PATH` brought by the user. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { sha256Hex } from '../core/base/sha256';
import { embedAll } from '../core/embedding/embed-all';
import { importedVectorOf, importVectors, type ImportedVectors } from '../core/embedding/imported-vectors';
import type { Encoder } from '../core/embedding/types';
import type { VectorOf } from '../core/selection/selection-input';
import { checkpointOfBlocks, checkpointTexts, type SelectionLine } from '../core/selection/selection-line';
import type { EncoderInfo } from '../core/selection/types';
import { createNodeEncoder, type NodeEncoderOptions } from './embed';
import { nodeHasher } from './file-source';

export interface RunVectors { encoder: EncoderInfo; vectorOf: VectorOf }

export interface VectorsSource {
  /** What names the numbers, before a run has been read: part of what a stored result is kept under. */
  id: string;
  /** Vectors of `texts` of one run. `run`: its name, by which a folder of vectors is searched. */
  vectorsOf(run: string, line: SelectionLine, texts: readonly string[], onProgress?: (done: number, total: number) => void): Promise<RunVectors>;
  dispose(): Promise<void>;
}

const PREFIX = 'vectors:';
const ENDINGS = ['.npy', '.npz', '.jsonl', '.parquet'];

/** `static`, `minilm`, … or `vectors:PATH`. Throws 'bad-argument' or 'not-found'. */
export async function openVectorsSource(name: string, options: NodeEncoderOptions = {}): Promise<VectorsSource> {
  if (!name.startsWith(PREFIX)) return encoderSource(await createNodeEncoder(name, options));
  const path = name.slice(PREFIX.length);
  if (path === '' || !existsSync(path)) throw new ContextscopeError('not-found', `Expected a file or folder of vectors after ${PREFIX}, found ${JSON.stringify(path)}: there is no such path.`, { file: path });
  return statSync(path).isDirectory() ? folderSource(path, options.warn) : fileSource(path, options.warn);
}

function encoderSource(encoder: Encoder): VectorsSource {
  const { id, dim, sha256 } = encoder.spec;
  return {
    id,
    async vectorsOf(_run, _line, texts, onProgress) {
      const items = texts.map((text) => ({ hash: sha256Hex(text), text }));
      const { vectors } = await embedAll({ spec: encoder.spec, get: () => Promise.resolve(encoder) }, items, { onProgress: (done, total) => onProgress?.(done, total) });
      const byText = new Map(texts.map((text, i) => [text, vectors[i]]));
      return { encoder: { id, dim, sha256 }, vectorOf: (text) => byText.get(text) ?? null };
    },
    dispose: () => encoder.dispose(),
  };
}

async function load(path: string, warn?: (text: string) => void): Promise<{ imported: ImportedVectors; sha256: string }> {
  const bytes = await readFile(path);
  const hasher = nodeHasher();
  hasher.update(bytes);
  const imported = await importVectors(path, bytes);
  if (imported.scaled > 0) warn?.(`${path}: ${imported.scaled} of ${imported.rows} vectors were not of unit length and have been scaled.`);
  return { imported, sha256: await hasher.digest() };
}

function lookUp(imported: ImportedVectors, line: SelectionLine, path: string): VectorOf {
  return importedVectorOf(imported, { blocks: line.blocks.map((block) => block.text), at: (n) => checkpointTexts(line, checkpointOfBlocks(line, n)), finalText: line.finalText }, path);
}

/** One file for every run: by hash for several runs, by place for one. */
async function fileSource(path: string, warn?: (text: string) => void): Promise<VectorsSource> {
  const { imported, sha256 } = await load(path, warn);
  const id = `${PREFIX}${sha256.slice(0, 12)}`;
  return {
    id,
    vectorsOf: (_run, line) => Promise.resolve({ encoder: { id, dim: imported.dim, sha256 }, vectorOf: lookUp(imported, line, path) }),
    dispose: () => Promise.resolve(),
  };
}

/** A file a run: the run's path or name (with or without its ending), then .npy, .npz or .jsonl. */
function folderSource(folder: string, warn?: (text: string) => void): VectorsSource {
  const id = `${PREFIX}${basename(resolve(folder))}`;
  return {
    id,
    async vectorsOf(run, line) {
      const stems = [run, basename(run)].flatMap((stem) => [stem, stem.slice(0, stem.length - extname(stem).length)]);
      const places = stems.flatMap((stem) => ENDINGS.map((ending) => resolve(folder, `${stem}${ending}`)));
      const path = places.find((place) => existsSync(place));
      if (path === undefined) throw new ContextscopeError('not-found', `Expected the vectors of ${run} in ${folder} as ${basename(run)}${ENDINGS.join(' or ')}, found none.`, { file: run });
      const { imported } = await load(path, warn);
      return { encoder: { id, dim: imported.dim, sha256: null }, vectorOf: lookUp(imported, line, path) };
    },
    dispose: () => Promise.resolve(),
  };
}
