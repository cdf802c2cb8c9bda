import { ContextscopeError } from '../core/base/errors';
import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { EmbeddingClient } from './embedding-client';
import type { EmbeddingResponse, EmbedTextItem } from './embedding-protocol';

export type EmbedProgress = Extract<EmbeddingResponse, { type: 'progress' }>;
export interface HashedVector { hash: string; vector: Float32Array }

export interface EmbedTextsParts {
  repository: Pick<Repository, 'persistent' | 'putVectors'>;
  embedding: Pick<EmbeddingClient, 'embed'>;
  /** Takes vectors that could not be stored. */
  hold: (vectors: HashedVector[]) => Promise<unknown>;
}

/**
 * Afterwards there is a vector for each text: stored by the embedding worker; where that has no database, by the page; and
 * given to `hold` where storing failed. After a cancel, too, what was computed is kept.
 */
export async function embedTexts({ repository, embedding, hold }: EmbedTextsParts, encoder: EncoderId, texts: EmbedTextItem[], { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: EmbedProgress) => void } = {}): Promise<void> {
  if (texts.length === 0) return;
  const received: HashedVector[] = [];
  const keeping: Promise<void>[] = [];
  try {
    const summary = await embedding.embed(encoder, texts, {
      signal,
      onProgress,
      onRows: (rows) => {
        if (repository.persistent) received.push(...rows);
        else keeping.push(repository.putVectors(encoder, rows));
      },
    });
    const known = new Set(received.map((row) => row.hash));
    if (repository.persistent && texts.some((item) => !known.has(item.hash))) throw new ContextscopeError('internal', `The embedding worker finished without ${texts.length - known.size} of ${texts.length} vectors.`);
    if (summary.cacheProblem !== null) await hold(received);
  } finally {
    await Promise.all(keeping);
  }
}
