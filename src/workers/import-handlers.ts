import type { Repository } from '../storage/repository';
import type { ImportInput } from './api';
import { ImportService, type ImportServiceParts } from './import-service';
import type { CallContext, Handlers } from './rpc-server';

/** What import.worker.ts answers. */
export function importHandlers(repository: Promise<Repository>, parts: Omit<ImportServiceParts, 'repository'>): Handlers {
  const service = repository.then((opened) => new ImportService({ ...parts, repository: opened }));
  // A database that cannot be opened is said by the first call, not as an error of nobody.
  service.catch(() => undefined);
  return {
    importFiles: async ({ signal, emit }: CallContext, files: ImportInput[], format?: string, join?: boolean) =>
      (await service).importFiles(files, {
        format,
        join,
        signal,
        onProgress: (progress) => emit('progress', progress),
        onFirst: (first) => emit('first', first),
      }),
  };
}
