import type { EncoderId } from './types';

/** One computed vector under the hash of its text (embedding.md §1: SHA-256 of the UTF-8 bytes, hex). */
export interface StoredVector { hash: string; vector: Float32Array }

/**
 * Where vectors stay between visits, keyed by (text hash, encoder id). Implementations may fail (quota, blocked
 * database): embedding then goes on without them and says so once.
 */
export interface VectorCache {
  /** Vectors in the order of `hashes`; null or undefined = not stored. */
  get(encoder: EncoderId, hashes: string[]): Promise<(Float32Array | null | undefined)[]>;
  /** Stores a batch; a hash that is already there may be overwritten, its numbers are the same. */
  put(encoder: EncoderId, rows: StoredVector[]): Promise<void>;
}

/** For Node, tests and browsers without IndexedDB: lives as long as the object. */
export function memoryVectorCache(): VectorCache {
  const stored = new Map<string, Float32Array>();
  return {
    get: (encoder, hashes) => Promise.resolve(hashes.map((hash) => stored.get(`${encoder} ${hash}`) ?? null)),
    put: (encoder, rows) => {
      for (const { hash, vector } of rows) stored.set(`${encoder} ${hash}`, vector);
      return Promise.resolve();
    },
  };
}
