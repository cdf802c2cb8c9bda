/** Imports in hand and what came of them: shown in the region "Import report". */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FirstSteps, ImportOutcome, Workbench } from '../workers/api';
import type { ImportMarks } from './import-marks';
import { runJob, type JobsStore } from './jobs';

export interface InputFile { name: string; blob: Blob; example?: boolean }

export interface ImportsState {
  /** Everything that came of the drops since nothing was running; null = nothing finished yet. */
  outcome: ImportOutcome | null;
  /** Files of those drops, kept so that another format can be forced without dropping them again. */
  files: InputFile[];
  running: boolean;
  /** Files dropped while others are imported: they wait for their turn. */
  waiting: number;
  /** Files whose import was cancelled. */
  cancelled: InputFile[];
  /** The first steps of the file being read, before the rest of it has arrived. */
  first: FirstSteps | null;
  /** Files whose import ended with an earlier page. */
  interrupted: string[];
}
export type ImportsStore = StoreApi<ImportsState>;
export interface ImportServices { workbench: Workbench; jobs: JobsStore; imports: ImportsStore; /** Absent = a cut is not remembered. */ marks?: ImportMarks }

export function createImportsStore(): ImportsStore {
  return createStore<ImportsState>(() => ({ outcome: null, files: [], running: false, waiting: 0, cancelled: [], first: null, interrupted: [] }));
}

export function dismissReport(imports: ImportsStore): void {
  imports.setState({ outcome: null, files: [], cancelled: [] });
}

/** The last import of each store: a new one begins when it has settled, so that two drops never share a worker. */
const tails = new WeakMap<ImportsStore, Promise<unknown>>();

/**
 * Imports files as one cancellable job, after the ones that are running. The report grows with each; it begins anew
 * when nothing was running. Failures end in `outcome.failures`; nothing is thrown.
 * @returns what came of these files alone; null = nothing given, or cancelled.
 */
export function importFiles(services: ImportServices, files: InputFile[], format?: string, join = false): Promise<ImportOutcome | null> {
  if (files.length === 0) return Promise.resolve(null);
  const { imports } = services;
  imports.setState((now) => {
    // Reading a file again as another format replaces what the report says of it, and of it alone.
    const again = format !== undefined || join;
    const names = new Set(files.map(({ name }) => name));
    const goesOn = now.running || again;
    return {
      running: true,
      waiting: now.waiting + (now.running ? files.length : 0),
      files: goesOn ? [...now.files.filter((file) => !files.includes(file)), ...files] : files,
      outcome: !goesOn ? null : again && now.outcome !== null ? without(now.outcome, names) : now.outcome,
      cancelled: goesOn ? now.cancelled.filter((file) => !files.includes(file)) : [],
    };
  });
  const before = tails.get(imports);
  const turn = before === undefined ? importBatch(services, files, format, join) : before.then(() => {
    imports.setState((now) => ({ waiting: now.waiting - files.length }));
    return importBatch(services, files, format, join);
  });
  tails.set(imports, turn);
  return turn.finally(() => {
    if (tails.get(imports) !== turn) return;
    tails.delete(imports);
    imports.setState({ running: false });
  });
}

async function importBatch({ workbench, jobs, imports, marks }: ImportServices, files: InputFile[], format: string | undefined, join: boolean): Promise<ImportOutcome | null> {
  const label = files.length === 1 ? `Importing ${files[0]?.name ?? ''}` : `Importing ${files.length} files`;
  let outcome: ImportOutcome | null;
  const unmark = marks?.begin(files.map(({ name }) => name));
  // What is dropped again needs no word about the time before.
  imports.setState((now) => ({ interrupted: now.interrupted.filter((name) => !files.some((file) => file.name === name)) }));
  try {
    outcome = (await runJob(jobs, label, (options) => workbench.importFiles(files, { ...options, format, join, onFirst: (first) => imports.setState({ first }) }))) ?? null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    outcome = { reports: [], runs: [], alreadyStored: [], failures: files.map(({ name }) => ({ file: name, message })), overlaps: [] };
  } finally {
    unmark?.();
  }
  const came = outcome;
  imports.setState((now) => (came === null ? { first: null, cancelled: [...now.cancelled, ...files] } : { first: null, outcome: joined(now.outcome, came) }));
  return outcome;
}

function joined(a: ImportOutcome | null, b: ImportOutcome): ImportOutcome {
  if (a === null) return b;
  return {
    reports: [...a.reports, ...b.reports],
    runs: [...new Set([...a.runs, ...b.runs])],
    alreadyStored: [...a.alreadyStored, ...b.alreadyStored],
    failures: [...a.failures, ...b.failures],
    overlaps: [...a.overlaps, ...b.overlaps],
  };
}

function without(outcome: ImportOutcome, names: ReadonlySet<string>): ImportOutcome {
  return {
    ...outcome,
    reports: outcome.reports.filter(({ file }) => !names.has(file)),
    alreadyStored: outcome.alreadyStored.filter((file) => !names.has(file)),
    failures: outcome.failures.filter(({ file }) => !names.has(file)),
    overlaps: outcome.overlaps.filter(({ files }) => !files.some((file) => names.has(file))),
  };
}
