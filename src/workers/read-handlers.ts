import type { Repository } from '../storage/repository';
import type { SearchQuery } from './api';
import { OpenRuns, ReadService, type CreateTraceReader } from './read-service';
import type { CallContext, Handlers } from './rpc-server';

/** What reader.worker.ts answers. */
export function readHandlers(repository: Promise<Repository>, createTraceReader: CreateTraceReader): Handlers {
  const runs = repository.then((opened) => new OpenRuns(opened, createTraceReader));
  runs.catch(() => undefined);
  const service = async (): Promise<ReadService> => new ReadService(await runs);
  return {
    readMessages: async ({ signal }: CallContext, runId: string, rows: ArrayLike<number>) => (await service()).readMessages(runId, rows, signal),
    readRaw: async (_: CallContext, runId: string, row: number) => (await service()).readRaw(runId, row),
    search: async ({ signal }: CallContext, runId: string, rows: ArrayLike<number>, query: SearchQuery) => (await service()).search(runId, rows, query, signal),
    closeRun: async (_: CallContext, runId: string) => (await runs).close(runId),
  };
}
