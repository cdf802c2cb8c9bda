/** The import in hand and what came of the last one: shown in the region "Import report". */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ImportOutcome, Workbench } from '../workers/api';
import { runJob, type JobsStore } from './jobs';

export interface InputFile { name: string; blob: Blob; example?: boolean }

export interface ImportsState {
  outcome: ImportOutcome | null;
  /** Files of the last import, kept so that another format can be forced without dropping them again. */
  files: InputFile[];
  running: boolean;
  cancelled: boolean;
}
export type ImportsStore = StoreApi<ImportsState>;

export function createImportsStore(): ImportsStore {
  return createStore<ImportsState>(() => ({ outcome: null, files: [], running: false, cancelled: false }));
}

export function dismissReport(imports: ImportsStore): void {
  imports.setState({ outcome: null, files: [], cancelled: false });
}

/** Imports files as one cancellable job. Every failure ends in `outcome.failures`; nothing is thrown. */
export async function importFiles(
  { workbench, jobs, imports }: { workbench: Workbench; jobs: JobsStore; imports: ImportsStore },
  files: InputFile[],
  format?: string,
): Promise<ImportOutcome | null> {
  if (files.length === 0) return null;
  imports.setState({ running: true, files, outcome: null, cancelled: false });
  const label = files.length === 1 ? `Importing ${files[0]?.name ?? ''}` : `Importing ${files.length} files`;
  try {
    const outcome = await runJob(jobs, label, (options) => workbench.importFiles(files, { ...options, format }));
    imports.setState({ outcome: outcome ?? null, running: false, cancelled: outcome === undefined });
    return outcome ?? null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const outcome: ImportOutcome = { reports: [], runs: [], alreadyStored: [], failures: files.map(({ name }) => ({ file: name, message })) };
    imports.setState({ outcome, running: false });
    return outcome;
  }
}
