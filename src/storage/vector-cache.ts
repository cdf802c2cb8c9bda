import type { VectorCache } from '../core/embedding/cache';
import type { Repository } from './repository';

/** The repository as the embedding code sees it. */
export function vectorCache(repository: Pick<Repository, 'vectors' | 'putVectors'>): VectorCache {
  return {
    get: async (encoder, hashes) => (await repository.vectors(encoder, hashes)).map((vector) => vector ?? null),
    put: (encoder, rows) => repository.putVectors(encoder, rows),
  };
}
