import { throwIfCancelled } from '../base/errors';
import type { StoredVector, VectorCache } from './cache';
import { remainingTime } from './remaining-time';
import type { Encoder, EncoderSpec } from './types';
import { WorkOrder } from './work-order';
import { yieldToEvents } from './yield-to-events';

export interface TextToEmbed { hash: string; text: string }

export interface EmbedAllOptions {
  /** Wanted before the others, in this order. */
  first?: ArrayLike<number>;
  cache?: VectorCache | null;
  /** Vectors as they become known; duplicates of a text are in the same call. The arrays are shared, not to be changed. */
  onVectors?: (rows: { index: number; vector: Float32Array }[]) => void;
  /** `done`, `total`: texts. `secondsLeft`: NaN until the first vector has been computed. */
  onProgress?: (done: number, total: number, secondsLeft: number) => void;
  signal?: AbortSignal;
  /** Receives a function that brings indices forward while this runs. */
  onStart?: (prioritise: (first: ArrayLike<number>) => void) => void;
  /** Milliseconds, monotonic; a parameter for tests. */
  now?: () => number;
}

export interface EmbedAllResult {
  vectors: Float32Array[];
  /** Texts (duplicates included) by where their vector came from. */
  cached: number;
  computed: number;
  empty: number;
  /** First failure of the cache; the vectors are complete all the same. */
  cacheProblem: string | null;
}

/** Between two of these the worker reads its messages; a run of the static table takes a fraction of it. */
const YIELD_AFTER_MS = 12;
/** New vectors are handed on and stored in batches: IndexedDB pays by the row and the page redraws once. */
const FLUSH_AFTER_MS = 200;
const FLUSH_AT_ROWS = 256;
/** Keys a cache lookup, so that a run of 30 000 blocks shows its first vectors early. */
const LOOKUP_BATCH = 512;

/** Where the encoder comes from: a function is called only when something has to be computed. */
export type EncoderSource = { spec: EncoderSpec; get: () => Promise<Encoder> };

/**
 * Vectors of all texts, each distinct text computed once: from the cache, else by the encoder, stored in batches. When
 * the signal fires, what was computed is stored and the promise rejects with `cancelled`; an encoder's error likewise.
 */
export async function embedAll(source: EncoderSource, texts: readonly TextToEmbed[], options: EmbedAllOptions = {}): Promise<EmbedAllResult> {
  const { spec } = source;
  const { cache = null, signal, now = () => performance.now() } = options;
  const vectors = new Array<Float32Array>(texts.length);
  const result: EmbedAllResult = { vectors, cached: 0, computed: 0, empty: 0, cacheProblem: null };
  const indicesOf = new Map<string, number[]>();
  texts.forEach(({ hash }, index) => {
    const same = indicesOf.get(hash);
    if (same === undefined) indicesOf.set(hash, [index]);
    else same.push(index);
  });
  let done = 0;

  const settle = (rows: StoredVector[], where: 'cached' | 'computed' | 'empty'): void => {
    const settled: { index: number; vector: Float32Array }[] = [];
    for (const { hash, vector } of rows) {
      for (const index of indicesOf.get(hash) ?? []) {
        vectors[index] = vector;
        settled.push({ index, vector });
      }
    }
    result[where] += settled.length;
    done += settled.length;
    if (settled.length > 0) options.onVectors?.(settled);
  };
  const guarded = async <T>(action: () => Promise<T>, fallback: T): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      result.cacheProblem ??= error instanceof Error ? error.message : String(error);
      return fallback;
    }
  };

  const firstIndexOf = (index: number): number => indicesOf.get(texts[index]?.hash ?? '')?.[0] ?? index;
  const distinct = [...indicesOf.values()].map((indices) => indices[0] ?? 0);
  const emptyRows = distinct.filter((index) => texts[index]?.text === '');
  settle(emptyRows.map((index) => ({ hash: texts[index]?.hash ?? '', vector: new Float32Array(spec.dim) })), 'empty');

  const order = new WorkOrder(distinct.filter((index) => texts[index]?.text !== ''), Array.from(options.first ?? [], firstIndexOf));
  const missing = await lookUp(order, options.first ?? []);
  const left = remainingTime(missing.map((index) => texts[index]?.text.length ?? 0), spec.id, now);
  const queue = new WorkOrder(missing);
  options.onStart?.((first) => queue.prioritise(Array.from(first, firstIndexOf)));
  options.onProgress?.(done, texts.length, missing.length === 0 ? 0 : NaN);
  if (missing.length > 0) await compute();
  return result;

  /** Takes everything out of `order`; what the cache holds is settled, the rest is returned in that order. */
  async function lookUp(pending: WorkOrder, first: ArrayLike<number>): Promise<number[]> {
    const absent: number[] = [];
    const batchOf = (size: number): number[] => {
      const batch: number[] = [];
      for (let index = pending.take(); index !== undefined; index = pending.take()) {
        batch.push(index);
        if (batch.length >= size) break;
      }
      return batch;
    };
    for (let batch = batchOf(Math.min(LOOKUP_BATCH, Math.max(first.length, 1))); batch.length > 0; batch = batchOf(LOOKUP_BATCH)) {
      throwIfCancelled(signal);
      const hashes = batch.map((index) => texts[index]?.hash ?? '');
      const found = cache === null ? [] : await guarded(() => cache.get(spec.id, hashes), []);
      const rows: StoredVector[] = [];
      batch.forEach((index, i) => {
        const vector = found[i];
        // A row of another length would be a damaged or foreign entry: computed again and overwritten.
        if (vector != null && vector.length === spec.dim) rows.push({ hash: hashes[i] ?? '', vector });
        else absent.push(index);
      });
      settle(rows, 'cached');
      if (rows.length > 0) options.onProgress?.(done, texts.length, NaN);
    }
    return absent;
  }

  async function compute(): Promise<void> {
    const encoder = await source.get();
    let unsaved: StoredVector[] = [];
    let yieldedAt = now();
    let flushedAt = yieldedAt;
    const flush = async (): Promise<void> => {
      const rows = unsaved;
      unsaved = [];
      if (rows.length === 0) return;
      settle(rows, 'computed');
      options.onProgress?.(done, texts.length, left.seconds());
      if (cache !== null) await guarded(() => cache.put(spec.id, rows), undefined);
    };
    left.start();
    try {
      for (let index = queue.take(); index !== undefined; index = queue.take()) {
        throwIfCancelled(signal);
        const { hash, text } = texts[index] ?? { hash: '', text: '' };
        const { vector } = await encoder.embed(text, signal);
        left.finish(text.length);
        unsaved.push({ hash, vector });
        const time = now();
        if (time - flushedAt >= FLUSH_AFTER_MS || unsaved.length >= FLUSH_AT_ROWS) {
          await flush();
          flushedAt = now();
        }
        if (time - yieldedAt >= YIELD_AFTER_MS) {
          await yieldToEvents();
          yieldedAt = now();
        }
      }
      await flush();
    } catch (error) {
      // What was finished is not lost: neither for a cancel nor for a dead runtime.
      await flush();
      throw error;
    }
  }
}
