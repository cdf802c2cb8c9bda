import type { VectorCache } from '../core/embedding/cache';
import type { openRepository } from '../storage/open';

/**
 * The vectors of this browser's database as a cache. The database is opened with the first look-up; a failed opening is
 * not kept, and an encoder that finds no database computes all the same.
 */
export function repositoryCache(open: typeof openRepository): VectorCache {
  let opened: ReturnType<typeof openRepository> | null = null;
  const repository = () => {
    if (opened === null) {
      opened = open();
      opened.catch(() => {
        opened = null;
      });
    }
    return opened;
  };
  return {
    get: async (encoder, hashes) => (await repository()).vectors(encoder, hashes),
    put: async (encoder, rows) => (await repository()).putVectors(encoder, rows),
  };
}
