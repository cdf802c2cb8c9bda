import { createTraceReader } from '../core/import/reader';
import { loadTokenCounter } from '../core/tokens/counter';
import type { Endpoint } from './endpoint';
import { serveRpc } from './rpc-server';
import { selectionHandlers } from './selection-handlers';
import { workerRepository } from './worker-repository';

const scope = self as unknown as Endpoint;
const loadCounter = async (): Promise<(text: string) => number> => {
  const counter = await loadTokenCounter('o200k_base');
  return (text) => counter.count(text);
};
serveRpc(scope, selectionHandlers(workerRepository(scope), createTraceReader, loadCounter));
