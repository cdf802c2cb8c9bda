import { ContextscopeError } from '../core/base/errors';
import { openRepository } from '../storage/open';
import type { Repository } from '../storage/repository';
import { dataOf, type Endpoint } from './endpoint';
import { RpcClient } from './rpc-client';
import { handlersOf, serveRpc } from './rpc-server';

/** First message of the page to a worker. `port`: where the page's memory answers; null = open IndexedDB. */
export interface InitMessage { type: 'init'; port: MessagePort | null }

const METHODS: readonly (keyof Repository)[] = [
  'beginImport', 'touchImport', 'finishImport', 'dropImport', 'cleanUp', 'hasFileOfSize', 'runsOfFile',
  'listRuns', 'updateRun', 'report', 'trajectory', 'source', 'forget', 'forgetAll', 'usage',
  'derived', 'putDerived', 'vectors', 'hasVectors', 'putVectors', 'putVectorUse', 'vectorUse', 'corpusParts', 'hasCorpusParts', 'putCorpusPart', 'encoders', 'encoder', 'putEncoder', 'deleteEncoder', 'setting', 'putSetting',
];
/** The page answers between frames, and may be suspended for long in the background. */
const PAGE_HANG_MS = 600_000;

function portEndpoint(port: MessagePort): Endpoint & { terminate(): void } {
  port.start();
  return {
    postMessage: (message, transfer) => port.postMessage(message, transfer ?? []),
    addEventListener: (type, listener) => port.addEventListener(type, listener),
    terminate: () => port.close(),
  };
}

/** Page side: answers a worker's questions from a repository that only the page has. */
export function serveRepository(port: MessagePort, repository: Repository): void {
  serveRpc(portEndpoint(port), handlersOf(repository, METHODS));
}

/** Worker side of `serveRepository`. */
export function remoteRepository(port: MessagePort): Repository {
  const client = new RpcClient({ name: 'page', spawn: () => portEndpoint(port), hangMs: PAGE_HANG_MS });
  const calls = METHODS.map((method) => [method, (...args: unknown[]) => client.call(method, args)]);
  return { persistent: false, close: () => client.dispose(), ...Object.fromEntries(calls) } as Repository;
}

/** The repository a worker is told to use by its first message. */
export function workerRepository(scope: Endpoint): Promise<Repository> {
  return new Promise((resolve, reject) => {
    scope.addEventListener('message', (event) => {
      const message = dataOf(event) as InitMessage | { type: undefined };
      if (message.type !== 'init') return;
      if (message.port) return resolve(remoteRepository(message.port));
      openRepository().then((repository) => {
        // Memory of its own would hide from the page what this worker stores.
        if (repository.persistent) resolve(repository);
        else reject(new ContextscopeError('storage', 'The database opened in the page but not in its worker. Reload the page.'));
      }, reject);
    });
  });
}
