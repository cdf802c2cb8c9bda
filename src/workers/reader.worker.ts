import { createTraceReader } from '../core/import/reader';
import type { Endpoint } from './endpoint';
import { readHandlers } from './read-handlers';
import { serveRpc } from './rpc-server';
import { workerRepository } from './worker-repository';

const scope = self as unknown as Endpoint;
serveRpc(scope, readHandlers(workerRepository(scope), createTraceReader));
