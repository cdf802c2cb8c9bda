import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { loadTokenCounter } from '../core/tokens/counter';
import { corpusHandlers } from './corpus-handlers';
import type { Endpoint } from './endpoint';
import { hashBlob } from './hash-blob';
import { serveRpc } from './rpc-server';
import { workerRepository } from './worker-repository';

const scope = self as unknown as Endpoint;
serveRpc(scope, corpusHandlers(workerRepository(scope), { importSource, createTraceReader, hash: hashBlob, loadCounter: () => loadTokenCounter('o200k_base') }));
