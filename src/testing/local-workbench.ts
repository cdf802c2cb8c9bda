import { importFiles } from '../core/import/import-files';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { loadTokenCounter } from '../core/tokens/counter';
import { localLocks } from '../storage/owner-locks';
import type { ObservableRepository } from '../storage/repository';
import { analysisHandlers } from '../workers/analysis-handlers';
import { coreAnalysis } from '../workers/core-analysis';
import { corpusHandlers } from '../workers/corpus-handlers';
import { EmbeddingClient } from '../workers/embedding-client';
import type { EmbeddingRequest } from '../workers/embedding-protocol';
import { EmbeddingService } from '../workers/embedding-service';
import { hashBlob } from '../workers/hash-blob';
import { importHandlers } from '../workers/import-handlers';
import { readHandlers } from '../workers/read-handlers';
import { RpcClient } from '../workers/rpc-client';
import type { Handlers } from '../workers/rpc-server';
import { selectionHandlers } from '../workers/selection-handlers';
import { WorkbenchClient } from '../workers/workbench';
import { remoteRepository, serveRepository } from '../workers/worker-repository';
import type { Repository } from '../storage/repository';
import { fakeRpcWorker, fakeWorker, type FakeWorker } from './fake-worker';

export interface LocalWorkbench {
  workbench: WorkbenchClient;
  /** Every worker started so far, by name. */
  workers: { name: string; worker: FakeWorker }[];
  /** Texts that the encoder computed, in order. */
  embedded: string[];
  close(): void;
}

export interface LocalOptions {
  /** The embedding worker's own storage fails. */
  cacheFails?: boolean;
}

/** The page's workbench with its services on this thread, behind real channels. Vectors: the hashed encoder (no model files). */
export function localWorkbench(repository: ObservableRepository, { cacheFails = false }: LocalOptions = {}): LocalWorkbench {
  const workers: LocalWorkbench['workers'] = [];
  const embedded: string[] = [];
  const note = (name: string, worker: FakeWorker): FakeWorker => {
    workers.push({ name, worker });
    return worker;
  };
  const ports: MessagePort[] = [];
  // As in the page: workers open IndexedDB themselves, memory is reached through the page.
  const seenByWorker = async (): Promise<Repository> => {
    if (repository.persistent) return repository;
    const { port1, port2 } = new MessageChannel();
    ports.push(port1, port2);
    serveRepository(port1, repository);
    return remoteRepository(port2);
  };
  const client = (name: string, handlers: () => Handlers): RpcClient => new RpcClient({ name, spawn: () => note(name, fakeRpcWorker(handlers())) });
  const countTokens = async () => {
    const counter = await loadTokenCounter('o200k_base');
    return (text: string) => counter.count(text);
  };
  const embedding = new EmbeddingClient({
    baseUrl: 'http://localhost/',
    spawn: () =>
      note('embedding', fakeWorker((scope) => {
        const service = new EmbeddingService({
          readerFor: () => () => Promise.reject(new Error('no model files here')),
          createEngine: () => Promise.reject(new Error('no runtime here')),
          cache: {
            get: async (encoder, hashes) => (repository.persistent ? (await repository.vectors(encoder, hashes)).map((vector) => vector ?? null) : hashes.map(() => null)),
            put: async (encoder, rows) => {
              embedded.push(...rows.map((row) => row.hash));
              if (cacheFails) throw new Error('no space');
              if (repository.persistent) await repository.putVectors(encoder, rows);
            },
          },
          post: (response, transfer) => scope.postMessage(response, transfer),
        });
        scope.addEventListener('message', (event) => void service.handle((event as MessageEvent<EmbeddingRequest>).data));
      })),
  });
  const workbench = new WorkbenchClient({
    repository,
    importer: client('import', () => importHandlers(seenByWorker(), { locks: localLocks(), importSource, importTogether: importFiles, createTraceReader, hash: hashBlob })),
    reader: client('reader', () => readHandlers(seenByWorker(), createTraceReader)),
    analysis: client('analysis', () => analysisHandlers(seenByWorker(), createTraceReader, coreAnalysis)),
    selection: client('selection', () => selectionHandlers(seenByWorker(), createTraceReader, countTokens)),
    corpus: [1, 2].map((lane) => client(`corpus ${lane}`, () => corpusHandlers(seenByWorker(), { importSource, createTraceReader, hash: hashBlob, loadCounter: () => loadTokenCounter('o200k_base') }))),
    embedding,
    askToPersist: () => undefined,
    webGpu: () => Promise.resolve(false),
  });
  return {
    workbench,
    workers,
    embedded,
    close: () => {
      workbench.dispose();
      for (const { worker } of workers) worker.close();
      for (const port of ports) port.close();
    },
  };
}
