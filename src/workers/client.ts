import { openRepository } from '../storage/open';
import type { ObservableRepository } from '../storage/repository';
import type { Workbench } from './api';
import { EmbeddingClient } from './embedding-client';
import { hasWebGpu } from './ort-fallback';
import { RpcClient, type RpcClientOptions } from './rpc-client';
import { WorkbenchClient } from './workbench';
import { serveRepository, type InitMessage } from './worker-repository';

/** Spectra of tens of thousands of blocks are minutes of arithmetic in one piece: slow, not hung. */
const ARITHMETIC = { hangMs: 600_000, cancelGraceMs: 120_000 };

/** A run's spectrum is one piece of arithmetic. A cancel need not wait for it: what was finished is stored, and the worker is replaced. */
const CORPUS = { hangMs: ARITHMETIC.hangMs, cancelGraceMs: 2_000 };
const MOST_LANES = 4;

/** While one lane embeds, another measures; more than the machine has cores would only take turns. */
function corpusLanes(): number {
  return Math.max(1, Math.min(MOST_LANES, navigator.hardwareConcurrency || 1));
}

/**
 * The workbench of the page. Opens the library (IndexedDB, or memory where there is none); every worker starts when it
 * is first needed. Rejects 'storage' when the stored runs belong to a newer version of the page.
 */
export async function createWorkbench(): Promise<Workbench> {
  const repository = await openRepository();
  // What a closed tab left behind; nobody waits for it.
  repository.cleanUp().catch(() => undefined);
  const client = (name: string, make: () => Worker, patience: Pick<RpcClientOptions, 'hangMs' | 'cancelGraceMs'> = {}): RpcClient =>
    new RpcClient({ name, spawn: () => introduced(make(), repository), ...patience });
  return new WorkbenchClient({
    repository,
    importer: client('import', () => new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' })),
    reader: client('reader', () => new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' })),
    analysis: client('analysis', () => new Worker(new URL('./analysis.worker.ts', import.meta.url), { type: 'module' })),
    selection: client('selection', () => new Worker(new URL('./selection.worker.ts', import.meta.url), { type: 'module' }), ARITHMETIC),
    corpus: Array.from({ length: corpusLanes() }, (_, i) => client(`corpus ${i + 1}`, () => new Worker(new URL('./corpus.worker.ts', import.meta.url), { type: 'module' }), CORPUS)),
    embedding: new EmbeddingClient({
      baseUrl: document.baseURI,
      spawn: () => new Worker(new URL('./embedding.worker.ts', import.meta.url), { type: 'module' }),
    }),
    askToPersist,
    webGpu: () => hasWebGpu(),
  });
}

/** Tells a worker where runs are kept: IndexedDB is opened by each, the page's memory is reached through a port. */
function introduced(worker: Worker, repository: ObservableRepository): Worker {
  if (repository.persistent) {
    worker.postMessage({ type: 'init', port: null } satisfies InitMessage);
  } else {
    const { port1, port2 } = new MessageChannel();
    serveRepository(port1, repository);
    worker.postMessage({ type: 'init', port: port2 } satisfies InitMessage, [port2]);
  }
  return worker;
}

let askedToPersist = false;
function askToPersist(): void {
  if (askedToPersist) return;
  askedToPersist = true;
  navigator.storage?.persist?.().catch(() => undefined);
}
