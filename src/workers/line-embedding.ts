import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { EmbeddingState, JobOptions } from './api';
import type { EmbeddingClient } from './embedding-client';
import type { EmbedTextItem } from './embedding-protocol';
import { embedTexts, type EmbedProgress } from './embed-texts';
import type { EmbeddingPlan } from './line-vectors';
import type { LineAddress } from './lines';
import type { RpcClient } from './rpc-client';

export interface LineEmbeddingParts {
  repository: Pick<Repository, 'persistent' | 'putVectors'>;
  selection: Pick<RpcClient, 'call'>;
  embedding: Pick<EmbeddingClient, 'embed'>;
}

/** Texts a request: 256 texts of at most 12 000 characters cross the page as a few megabytes. */
const BATCH = 256;

interface BatchOptions { signal?: AbortSignal; onProgress?: (progress: EmbedProgress) => void }

/**
 * Brings texts from the selection worker to the embedding worker in batches. The embedding worker stores what it
 * computes; where it cannot, the vectors come back here and are kept for as long as the page or the line is open.
 */
export class LineEmbedding {
  constructor(private readonly parts: LineEmbeddingParts) {}

  async embedLine(address: LineAddress, encoder: EncoderId, firstBlocks: number[], { signal, onProgress }: JobOptions): Promise<EmbeddingState> {
    const { selection } = this.parts;
    const plan = (await selection.call('embeddingPlan', [address, encoder, firstBlocks], { signal })) as EmbeddingPlan;
    const { total, missing, note } = plan;
    const startedMs = performance.now();
    const report = (computed: number): void => {
      const spentSeconds = (performance.now() - startedMs) / 1000;
      const secondsLeft = computed > 0 ? (spentSeconds / computed) * (missing.length - computed) : NaN;
      onProgress?.({ label: 'Embedding blocks', done: total - missing.length + computed, total, unit: 'blocks', secondsLeft });
    };
    report(0);
    let next = this.textsOf(address, missing.slice(0, BATCH), signal);
    for (let from = 0; from < missing.length; from += BATCH) {
      const texts = await next;
      // Read while the encoder works. Its failure is seen when it is awaited.
      next = this.textsOf(address, missing.slice(from + BATCH, from + 2 * BATCH), signal);
      next.catch(() => undefined);
      await this.embedTexts(address, encoder, texts, {
        signal,
        onProgress: ({ phase, done, total: bytes }) => {
          if (phase === 'embedding') report(from + done);
          else onProgress?.({ label: 'Loading the encoder', done, total: bytes, unit: 'bytes' });
        },
      });
      report(Math.min(missing.length, from + texts.length));
    }
    return { encoder, done: total, total, ...(note === undefined ? {} : { note }) };
  }

  /** Afterwards the selection worker finds a vector for each of the texts. */
  async embedTexts(address: LineAddress, encoder: EncoderId, texts: EmbedTextItem[], { signal, onProgress }: BatchOptions = {}): Promise<void> {
    const { repository, selection, embedding } = this.parts;
    await embedTexts({ repository, embedding, hold: (vectors) => selection.call('holdVectors', [address, encoder, vectors], { signal }) }, encoder, texts, { signal, onProgress });
  }

  private async textsOf(address: LineAddress, hashes: string[], signal?: AbortSignal): Promise<EmbedTextItem[]> {
    return hashes.length === 0 ? [] : ((await this.parts.selection.call('textsOf', [address, hashes], { signal })) as EmbedTextItem[]);
  }
}
