/**
 * Vectors made elsewhere (for example Qwen3 embeddings of the same texts), by the hash of the text or by place:
 *
 * - `.npy` (float32 or float64, rows × dimension): the interaction blocks in order.
 * - `.npz`: `blocks` (or `vectors`, or a single array) in block order; with `hashes` (strings, one a row) by hash
 *   instead. Also `actions`, `goals`, `queries` (row i = the text at the checkpoint of i blocks) and `final`.
 * - JSONL: `{"hash": …, "vector": […]}` or `{"index": i, "kind": "block|action|goal|query|final", "vector": […]}` a line;
 *   what `embed --out x.jsonl` writes. `embedding` is accepted for `vector`, and `block` is the kind when none is given.
 * - Parquet: the same columns; `vector` (or `embedding`) a list of numbers.
 *
 * Rows are scaled to unit length; rows of zeros stay (an empty text). Anything that is not a finite number is refused.
 */
import { ContextscopeError } from '../base/errors';
import { sha256Hex } from '../base/sha256';
import { readNpy, readNpyStrings, type NpyMatrix } from '../numerics/npy';
import { zipMembers } from '../base/zip';

export type VectorKind = 'block' | 'action' | 'goal' | 'query' | 'final';
const KINDS: readonly VectorKind[] = ['block', 'action', 'goal', 'query', 'final'];

export interface ImportedVectors {
  dim: number;
  /** SHA-256 of the text → unit vector. */
  byHash: Map<string, Float32Array>;
  /** Rows by place; `final` has index 0. */
  byPlace: Record<VectorKind, Map<number, Float32Array>>;
  /** Rows in all, and those whose length was not 1 within 1e-3 (scaled). */
  rows: number;
  scaled: number;
}

/** How far from 1 a length counts as given so. */
const UNIT_TOLERANCE = 1e-3;
const LINE_FEED = 10;

/** Reads by content. Throws 'bad-argument', 'corrupt' or 'unsupported' that say what was expected and where. */
export async function importVectors(name: string, bytes: Uint8Array): Promise<ImportedVectors> {
  const collector = new Collector(name);
  if (bytes[0] === 0x93) collector.matrix('block', readNpy(bytes));
  else if (bytes[0] === 0x50 && bytes[1] === 0x4b) await readNpz(collector, name, bytes);
  else if (isParquet(bytes)) {
    const { parquetRows } = await import('./parquet-rows');
    (await parquetRows(name, bytes)).forEach((row, i) => addRow(collector, name, row, { at: `row ${i}` }));
  } else readJsonl(collector, name, bytes);
  return collector.finish();
}

class Collector {
  private dim = 0;
  private rows = 0;
  private scaled = 0;
  readonly byHash = new Map<string, Float32Array>();
  readonly byPlace: ImportedVectors['byPlace'] = { block: new Map(), action: new Map(), goal: new Map(), query: new Map(), final: new Map() };

  constructor(private readonly name: string) {}

  matrix(kind: VectorKind, { rows, columns, data }: NpyMatrix, hashes?: readonly string[]): void {
    if (hashes && hashes.length !== rows) throw bad(`${this.name}: ${hashes.length} hashes for ${rows} vectors.`, this.name);
    for (let i = 0; i < rows; i++) {
      const vector = this.unit(data.subarray(i * columns, (i + 1) * columns), `row ${i}`);
      if (hashes) this.byHash.set(hashes[i]!.toLowerCase(), vector);
      else this.byPlace[kind].set(i, vector);
    }
  }

  unit(values: ArrayLike<number>, where: string, line?: number): Float32Array {
    if (values.length === 0) throw bad(`${this.name}, ${where}: the vector has no numbers.`, this.name, line);
    if (this.dim === 0) this.dim = values.length;
    if (values.length !== this.dim) throw bad(`${this.name}, ${where}: ${values.length} numbers, but the first vector has ${this.dim}. All must have the same dimension.`, this.name, line);
    let sum = 0;
    for (let k = 0; k < values.length; k++) sum += values[k]! ** 2;
    const length = Math.sqrt(sum);
    if (!Number.isFinite(length)) throw bad(`${this.name}, ${where}: the vector holds something that is not a finite number.`, this.name, line);
    this.rows++;
    const off = length > 0 && Math.abs(length - 1) > UNIT_TOLERANCE;
    if (off) this.scaled++;
    return Float32Array.from(values, (x) => (off ? x / length : x));
  }

  finish(): ImportedVectors {
    if (this.rows === 0) throw bad(`${this.name} holds no vectors.`, this.name);
    const { dim, byHash, byPlace, rows, scaled } = this;
    return { dim, byHash, byPlace, rows, scaled };
  }
}

const bad = (message: string, file: string, line?: number): ContextscopeError =>
  new ContextscopeError('bad-argument', message, { file, ...(line === undefined ? {} : { line }) });

const NPZ_KINDS: Record<string, VectorKind> = { blocks: 'block', actions: 'action', goals: 'goal', queries: 'query', final: 'final' };

async function readNpz(collector: Collector, name: string, bytes: Uint8Array): Promise<void> {
  const members = await zipMembers(name, bytes);
  const arrays = new Map([...members].filter(([member]) => member.endsWith('.npy')).map(([member, data]) => [member.slice(0, -4), data]));
  const hashes = arrays.get('hashes');
  const main = arrays.get('vectors') ?? (arrays.size === 1 && !arrays.has('blocks') ? [...arrays.values()][0] : undefined);
  if (main) collector.matrix('block', readNpy(main), hashes && readNpyStrings(hashes));
  for (const [array, kind] of Object.entries(NPZ_KINDS)) {
    const data = arrays.get(array);
    if (data && data !== main) collector.matrix(kind, readNpy(data), array === 'blocks' && !main && hashes ? readNpyStrings(hashes) : undefined);
  }
  const known = new Set(['hashes', 'vectors', ...Object.keys(NPZ_KINDS)]);
  if (!main && ![...arrays.keys()].some((array) => known.has(array) && array !== 'hashes')) {
    throw bad(`${name}: expected arrays named ${[...known].join(', ')}; found ${[...arrays.keys()].join(', ') || 'none'}.`, name);
  }
}

function readJsonl(collector: Collector, name: string, bytes: Uint8Array): void {
  const decoder = new TextDecoder();
  let line = 0;
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(LINE_FEED, from);
    const to = next < 0 ? bytes.length : next;
    line++;
    const text = decoder.decode(bytes.subarray(from, to)).trim();
    from = to + 1;
    if (text !== '') readRow(collector, name, text, line);
  }
}

function readRow(collector: Collector, name: string, text: string, line: number): void {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    throw bad(`${name}, line ${line}: expected a JSON object with "vector" and "hash" or "index" (or a .npy, .npz or Parquet file); it is not JSON.`, name, line);
  }
  addRow(collector, name, row, { at: `line ${line}`, line });
}

/** One vector with what it is keyed by; `where` names the row in messages. */
function addRow(collector: Collector, name: string, row: unknown, where: { at: string; line?: number }): void {
  const { at, line } = where;
  const { hash, index, kind = 'block', vector, embedding } = (typeof row === 'object' && row !== null ? row : {}) as Record<string, unknown>;
  const values = vector ?? embedding;
  if (!Array.isArray(values) || !values.every((x) => typeof x === 'number')) throw bad(`${name}, ${at}: expected "vector" to be a list of numbers.`, name, line);
  const unit = collector.unit(values, at, line);
  if (typeof hash === 'string') {
    if (!/^[0-9a-fA-F]{64}$/.test(hash)) throw bad(`${name}, ${at}: expected "hash" to be the SHA-256 of the text (64 hexadecimal digits), found ${JSON.stringify(hash)}.`, name, line);
    collector.byHash.set(hash.toLowerCase(), unit);
    return;
  }
  const known = KINDS.find((candidate) => candidate === kind);
  if (!known) throw bad(`${name}, ${at}: expected "kind" to be one of ${KINDS.join(', ')}, found ${JSON.stringify(kind)}.`, name, line);
  const place = known === 'final' ? 0 : index;
  if (typeof place !== 'number' || !Number.isInteger(place) || place < 0) throw bad(`${name}, ${at}: expected "hash", or "index" counted from 0.`, name, line);
  collector.byPlace[known].set(place, unit);
}

const PARQUET = [0x50, 0x41, 0x52, 0x31];
const isParquet = (bytes: Uint8Array): boolean => PARQUET.every((byte, i) => bytes[i] === byte);

/** The texts of a run by place, for vectors that come without hashes. */
export interface PlacedTexts { blocks: readonly string[]; at: (n: number) => { action: string; goal: string; stateQuery: string }; finalText: string }

/**
 * Vector of a text of this run: by hash, else by the place at which the run has that text. Throws 'bad-argument' with
 * both numbers when the file has blocks by place but not as many as the run.
 */
export function importedVectorOf(imported: ImportedVectors, texts: PlacedTexts, name: string): (text: string) => Float32Array | null {
  const { byPlace, byHash } = imported;
  const given = byPlace.block.size;
  if (given > 0 && (given !== texts.blocks.length || Math.max(...byPlace.block.keys()) !== given - 1)) {
    throw bad(`${name} has ${given} vectors in block order; the run has ${texts.blocks.length} interaction blocks. Make them from \`select --texts --json\` or \`embed\`, one a block.`, name);
  }
  const byText = new Map<string, Float32Array>();
  const put = (text: string, vector: Float32Array | undefined): void => {
    if (text !== '' && vector && !byText.has(text)) byText.set(text, vector);
  };
  texts.blocks.forEach((text, i) => put(text, byPlace.block.get(i)));
  for (const [kind, of] of [['action', 'action'], ['goal', 'goal'], ['query', 'stateQuery']] as const) {
    for (const [n, vector] of byPlace[kind]) if (n <= texts.blocks.length) put(texts.at(n)[of], vector);
  }
  put(texts.finalText, byPlace.final.get(0));
  return (text) => byText.get(text) ?? byHash.get(sha256Hex(text)) ?? null;
}

/** What a file holds, before it meets a run. */
export interface VectorsSummary {
  dim: number;
  rows: number;
  /** Rows that were not of unit length. */
  scaled: number;
  byHash: number;
  byPlace: Record<VectorKind, number>;
}

export function summariseVectors({ dim, rows, scaled, byHash, byPlace }: ImportedVectors): VectorsSummary {
  const counts = Object.fromEntries(KINDS.map((kind) => [kind, byPlace[kind].size])) as Record<VectorKind, number>;
  return { dim, rows, scaled, byHash: byHash.size, byPlace: counts };
}

/** Which of a run's texts have a vector. Blocks must all have one; without the others some measures are unknown. */
export interface VectorsCoverage {
  blocks: number;
  /** Indices of the blocks without one. */
  missingBlocks: number[];
  actions: { of: number; missing: number };
  goals: { of: number; missing: number };
  queries: { of: number; missing: number };
  final: boolean;
}

export function coverageOf(vectorOf: (text: string) => Float32Array | null, { blocks, at, finalText }: PlacedTexts): VectorsCoverage {
  const missing = (text: string): boolean => text !== '' && vectorOf(text) === null;
  const places = Array.from({ length: blocks.length + 1 }, (_, n) => at(n));
  const count = (of: (place: ReturnType<PlacedTexts['at']>) => string): { of: number; missing: number } => {
    const texts = [...new Set(places.map(of))].filter((text) => text !== '');
    return { of: texts.length, missing: texts.filter(missing).length };
  };
  return {
    blocks: blocks.length, missingBlocks: blocks.flatMap((text, i) => (missing(text) ? [i] : [])),
    actions: count((place) => place.action), goals: count((place) => place.goal), queries: count((place) => place.stateQuery), final: !missing(finalText),
  };
}

/** Rows named before "and N more". */
const MOST_NAMED = 12;

/** "3, 5, 9–14 and 20 more": block numbers as ranges. */
export function rangesOf(indices: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const index of indices) {
    const last = ranges.at(-1);
    if (last && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  const words = ranges.slice(0, MOST_NAMED).map(([from, to]) => (from === to ? String(from) : `${from}–${to}`));
  const named = ranges.slice(0, MOST_NAMED).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return `${words.join(', ')}${named < indices.length ? ` and ${indices.length - named} more` : ''}`;
}

/** Why a run cannot be read with a file of vectors: blocks without one. `missing`: their numbers, not empty. */
export function blocksMissing(title: string, blocks: number, missing: readonly number[]): ContextscopeError {
  return new ContextscopeError('not-found', `${title} has no vector for ${missing.length} of the ${blocks} interaction blocks of this run: ${rangesOf(missing)}. Vectors are found by the SHA-256 of a block's selection text, or by its number.`);
}

/** Are any rows found by their number alone? Such a file is of one run: numbers mean other blocks in another. */
export const isByPlace = ({ byPlace }: ImportedVectors): boolean => KINDS.some((kind) => byPlace[kind].size > 0);

/** What the vectors leave out beside blocks, in words; null = nothing. */
export function coverageNote({ actions, goals, queries, final }: VectorsCoverage): string | null {
  const parts = [[actions, 'next actions'], [goals, 'goals'], [queries, 'state queries']] as const;
  const words = parts.flatMap(([{ of, missing }, name]) => (missing > 0 ? [`${missing} of ${of} ${name}`] : []));
  if (!final) words.push('the final state');
  return words.length === 0 ? null : `No vectors for ${words.join(', ')}: measures and rules that need them are left out.`;
}
