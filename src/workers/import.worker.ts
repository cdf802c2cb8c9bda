import { importFiles } from '../core/import/import-files';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { ownerLocks } from '../storage/owner-locks';
import type { Endpoint } from './endpoint';
import { hashBlob, OWN_WORKER_BYTES } from './hash-blob';
import { importHandlers } from './import-handlers';
import { RpcClient } from './rpc-client';
import { serveRpc } from './rpc-server';
import { loadSqliteWasm } from './sqlite-wasm';
import { workerRepository } from './worker-repository';

const scope = self as unknown as Endpoint;
const hasher = new RpcClient({ name: 'hashing', spawn: () => new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' }) });
const hash = (blob: Blob, signal?: AbortSignal): Promise<string> =>
  blob.size < OWN_WORKER_BYTES ? hashBlob(blob, signal) : (hasher.call('hash', [blob], { signal }) as Promise<string>);
serveRpc(scope, importHandlers(workerRepository(scope), { locks: ownerLocks(), importSource, importTogether: importFiles, createTraceReader, hash, sqliteWasm: loadSqliteWasm }));
