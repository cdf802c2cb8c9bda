import type { CorpusFailure } from '../core/corpus/corpus-files';
import type { CorpusSettings } from '../core/corpus/types';
import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { CorpusItem } from './corpus-api';
import { reduceStored, type StoredPart } from './corpus-reduce';
import { CorpusService, type CorpusServiceParts } from './corpus-service';
import type { HashedVector } from './embed-texts';
import type { CallContext, Handlers } from './rpc-server';

/** What corpus.worker.ts answers. */
export function corpusHandlers(repository: Promise<Repository>, parts: Omit<CorpusServiceParts, 'repository'>): Handlers {
  const service = repository.then((opened) => new CorpusService({ ...parts, repository: opened }));
  service.catch(() => undefined);
  return {
    hash: ({ signal }: CallContext, blob: Blob) => parts.hash(blob, signal),
    open: async ({ signal }: CallContext, item: CorpusItem) => (await service).open(item, signal),
    plan: async ({ signal }: CallContext, index: number, encoder: EncoderId, settings: CorpusSettings, alone: boolean) => (await service).plan(index, encoder, settings, alone, signal),
    textsOf: async (_: CallContext, index: number, settings: CorpusSettings, hashes: string[]) => (await service).textsOf(index, settings, hashes),
    hold: async (_: CallContext, vectors: HashedVector[]) => (await service).hold(vectors),
    map: async ({ signal, emit }: CallContext, index: number, encoder: EncoderId, settings: CorpusSettings) =>
      (await service).map(index, encoder, settings, (done, total) => emit('checkpoint', { done, total }), signal),
    reduce: async (_: CallContext, stored: StoredPart[], failures: CorpusFailure[]) => reduceStored(await repository, stored, failures),
    close: async () => (await service).close(),
  };
}
