import { createTraceReader } from '../core/import/reader';
import { analysisHandlers } from './analysis-handlers';
import { coreAnalysis } from './core-analysis';
import type { Endpoint } from './endpoint';
import { serveRpc } from './rpc-server';
import { workerRepository } from './worker-repository';

const scope = self as unknown as Endpoint;
serveRpc(scope, analysisHandlers(workerRepository(scope), createTraceReader, coreAnalysis));
