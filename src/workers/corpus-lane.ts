import type { CorpusSettings } from '../core/corpus/types';
import { isVectorsId } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { CorpusItem, CorpusItemState } from './corpus-api';
import type { OpenedFile } from './corpus-service';
import type { EmbeddingClient } from './embedding-client';
import type { EmbedTextItem } from './embedding-protocol';
import { embedTexts } from './embed-texts';
import type { RpcClient } from './rpc-client';

export interface LaneParts {
  worker: Pick<RpcClient, 'call' | 'started'>;
  repository: Pick<Repository, 'persistent' | 'putVectors'>;
  embedding: Pick<EmbeddingClient, 'embed'>;
  /** The embedding worker hears of a model that the user brought. */
  introduce: (encoder: EncoderId) => Promise<void>;
  /** One item is the whole corpus. */
  alone: boolean;
}

type Phase = Extract<CorpusItemState, { state: 'running' }>['phase'];

/** Texts a request: 256 texts of at most 12 000 characters cross the page as a few megabytes. */
const BATCH = 256;
/** Of the work on a run, what embedding takes: with a static table next to nothing, with a model most of it. */
const EMBEDDING_SHARE: Partial<Record<EncoderId, number>> = { 'static-minilm-384@1': 0.1, 'hashed-1024@1': 0.1 };
const MODEL_SHARE = 0.8;
/** A file of vectors is only looked up. */
const READING_SHARE = 0.1;

/** Maps one item after the other with a corpus worker of its own and the embedding worker that all share. */
export class CorpusLane {
  constructor(private readonly parts: LaneParts) {}

  hash(blob: Blob, signal?: AbortSignal): Promise<string> {
    return this.ask('hash', [blob], signal);
  }

  /** The parts of the item's trajectories as JSON text of an array. */
  async map(item: CorpusItem, encoder: EncoderId, settings: CorpusSettings, onPhase: (phase: Phase, share: number) => void, signal?: AbortSignal): Promise<string> {
    onPhase('reading', 0);
    const { trajectories } = await this.ask<OpenedFile>('open', [item], signal);
    const parts: string[] = [];
    const embedded = EMBEDDING_SHARE[encoder] ?? (isVectorsId(encoder) ? READING_SHARE : MODEL_SHARE);
    for (const [i, index] of trajectories.entries()) {
      const say = (phase: Phase, share: number): void => onPhase(phase, (i + share) / trajectories.length);
      await this.embed(index, encoder, settings, (share) => say('embedding', share * embedded), signal);
      const onEvent = (_: string, value: unknown): void => {
        const { done, total } = value as { done: number; total: number };
        say('measuring', embedded + (1 - embedded) * (done / total));
      };
      say('measuring', embedded);
      parts.push((await this.parts.worker.call('map', [index, encoder, settings], { signal, onEvent })) as string);
    }
    return `[${parts.join(',')}]`;
  }

  /** The worker forgets the file it holds. */
  close(): void {
    if (this.parts.worker.started) this.parts.worker.call('close', []).catch(() => undefined);
  }

  private async embed(index: number, encoder: EncoderId, settings: CorpusSettings, onShare: (share: number) => void, signal?: AbortSignal): Promise<void> {
    const { repository, embedding, worker, introduce, alone } = this.parts;
    const { missing, total } = await this.ask<{ total: number; missing: string[] }>('plan', [index, encoder, settings, alone], signal);
    if (missing.length > 0) await introduce(encoder);
    const report = (computed: number): void => onShare(total === 0 ? 1 : (total - missing.length + computed) / total);
    report(0);
    for (let from = 0; from < missing.length; from += BATCH) {
      const texts = await this.ask<EmbedTextItem[]>('textsOf', [index, settings, missing.slice(from, from + BATCH)], signal);
      await embedTexts({ repository, embedding, hold: (vectors) => worker.call('hold', [vectors], { signal }) }, encoder, texts, {
        signal,
        onProgress: ({ phase, done }) => phase === 'embedding' && report(from + done),
      });
      report(Math.min(missing.length, from + BATCH));
    }
  }

  private async ask<T>(method: string, args: unknown[], signal?: AbortSignal): Promise<T> {
    return (await this.parts.worker.call(method, args, { signal })) as T;
  }
}
