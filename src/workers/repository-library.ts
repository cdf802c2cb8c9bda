import type { ObservableRepository } from '../storage/repository';
import type { Library } from './api';

/** The library of the page over its repository. `onGone`: runs that no worker should go on answering from memory. */
export function repositoryLibrary(repository: ObservableRepository, onGone: (runIds: string[]) => void): Library {
  return {
    list: () => repository.listRuns(),
    observe: (onChange) => repository.observeRuns(onChange),
    rename: (id, name) => repository.updateRun(id, { name }),
    setPinned: (id, pinned) => repository.updateRun(id, { pinned }),
    forget: async (id) => {
      const file = (await repository.listRuns()).find((run) => run.id === id)?.fileId;
      const ids = file === undefined ? [id] : await repository.runsOfFile(file);
      await repository.forget(id);
      onGone(ids);
    },
    forgetAll: async () => {
      const ids = (await repository.listRuns()).map((run) => run.id);
      await repository.forgetAll();
      onGone(ids);
    },
    usage: () => repository.usage(),
    report: (id) => repository.report(id),
  };
}
