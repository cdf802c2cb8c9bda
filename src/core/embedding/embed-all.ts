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
export function embedAll(source: EncoderSource, texts: readonly TextToEmbed[], options: EmbedAllOptions = {}): Promise<EmbedAllResult> {
  return new EmbedJob(source, texts, options).run();
}

class EmbedJob {
  private readonly result: EmbedAllResult;
  /** Positions of each distinct text, by hash. */
  private readonly positions = new Map<string, number[]>();
  private readonly now: () => number;
  private done = 0;
  /** Computed, not yet handed on. */
  private fresh: StoredVector[] = [];

  constructor(
    private readonly source: EncoderSource,
    private readonly texts: readonly TextToEmbed[],
    private readonly options: EmbedAllOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.result = { vectors: new Array<Float32Array>(texts.length), cached: 0, computed: 0, empty: 0, cacheProblem: null };
    texts.forEach(({ hash }, index) => {
      const same = this.positions.get(hash);
      if (same === undefined) this.positions.set(hash, [index]);
      else same.push(index);
    });
  }

  async run(): Promise<EmbedAllResult> {
    const distinct = [...this.positions.values()].map((indices) => indices[0] ?? 0);
    const empty = distinct.filter((index) => this.item(index).text === '');
    this.settle(empty.map((index) => ({ hash: this.item(index).hash, vector: new Float32Array(this.source.spec.dim) })), 'empty');

    const { first = [], onStart, onProgress } = this.options;
    const missing = await this.lookUp(distinct.filter((index) => this.item(index).text !== ''), first);
    const queue = new WorkOrder(missing);
    onStart?.((indices) => queue.prioritise(this.firstOfEach(indices)));
    onProgress?.(this.done, this.texts.length, missing.length === 0 ? 0 : NaN);
    if (missing.length > 0) await this.compute(queue, missing);
    return this.result;
  }

  private item(index: number): TextToEmbed {
    return this.texts[index] ?? { hash: '', text: '' };
  }

  /** Work is queued under the first position of a text; a duplicate is asked for by that. */
  private firstOfEach(indices: ArrayLike<number>): number[] {
    return Array.from(indices, (index) => this.positions.get(this.item(index).hash)?.[0] ?? index);
  }

  /** Settles what the cache holds; returns the rest, what is wanted first at the front. */
  private async lookUp(indices: number[], first: ArrayLike<number>): Promise<number[]> {
    const { cache = null, signal } = this.options;
    const pending = new WorkOrder(indices, this.firstOfEach(first));
    const absent: number[] = [];
    // The first batch is what is looked at, so that it shows before thousands of others have been looked up.
    for (let batch = pending.takeMany(Math.min(LOOKUP_BATCH, Math.max(first.length, 1))); batch.length > 0; batch = pending.takeMany(LOOKUP_BATCH)) {
      throwIfCancelled(signal);
      const hashes = batch.map((index) => this.item(index).hash);
      const found = cache === null ? [] : await this.guarded(() => cache.get(this.source.spec.id, hashes), []);
      const rows: StoredVector[] = [];
      batch.forEach((index, i) => {
        const vector = found[i];
        // A row of another length would be a damaged or foreign entry: computed again and overwritten.
        if (vector != null && vector.length === this.source.spec.dim) rows.push({ hash: hashes[i] ?? '', vector });
        else absent.push(index);
      });
      this.settle(rows, 'cached');
      if (rows.length > 0) this.options.onProgress?.(this.done, this.texts.length, NaN);
    }
    return absent;
  }

  private async compute(queue: WorkOrder, missing: readonly number[]): Promise<void> {
    const { signal } = this.options;
    const encoder = await this.source.get();
    const left = remainingTime(missing.map((index) => this.item(index).text.length), this.source.spec.id, this.now);
    left.start();
    let yieldedAt = this.now();
    let flushedAt = yieldedAt;
    try {
      for (let index = queue.take(); index !== undefined; index = queue.take()) {
        throwIfCancelled(signal);
        const { hash, text } = this.item(index);
        const { vector } = await encoder.embed(text, signal);
        left.finish(text.length);
        this.fresh.push({ hash, vector });
        const time = this.now();
        if (time - flushedAt >= FLUSH_AFTER_MS || this.fresh.length >= FLUSH_AT_ROWS) {
          await this.flush(left.seconds());
          flushedAt = this.now();
        }
        if (time - yieldedAt >= YIELD_AFTER_MS) {
          await yieldToEvents();
          yieldedAt = this.now();
        }
      }
    } finally {
      // What was finished is not lost: neither for a cancel nor for a dead runtime.
      await this.flush(left.seconds());
    }
  }

  /** Hands new vectors on and stores them. */
  private async flush(secondsLeft: number): Promise<void> {
    const { cache = null, onProgress } = this.options;
    const rows = this.fresh;
    this.fresh = [];
    if (rows.length === 0) return;
    this.settle(rows, 'computed');
    onProgress?.(this.done, this.texts.length, secondsLeft);
    if (cache !== null) await this.guarded(() => cache.put(this.source.spec.id, rows), undefined);
  }

  private settle(rows: StoredVector[], where: 'cached' | 'computed' | 'empty'): void {
    const settled: { index: number; vector: Float32Array }[] = [];
    for (const { hash, vector } of rows) {
      for (const index of this.positions.get(hash) ?? []) {
        this.result.vectors[index] = vector;
        settled.push({ index, vector });
      }
    }
    this.result[where] += settled.length;
    this.done += settled.length;
    if (settled.length > 0) this.options.onVectors?.(settled);
  }

  /** A cache that fails costs a later visit time, not this one its vectors. */
  private async guarded<T>(action: () => Promise<T>, fallback: T): Promise<T> {
    try {
      return await action();
    } catch (error) {
      this.result.cacheProblem ??= error instanceof Error ? error.message : String(error);
      return fallback;
    }
  }
}
