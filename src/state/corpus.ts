/** The corpus run in hand and what came of it. Lives as long as the page: one may look at a run meanwhile. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isLeftOut } from '../core/corpus/run-names';
import type { CorpusSettings } from '../core/corpus/types';
import type { EncoderId } from '../core/embedding/types';
import type { CorpusItem, CorpusItemState, CorpusOutcome, Progress, Workbench } from '../workers/api';
import { runJob, type JobsStore } from './jobs';
import type { InputFile } from './imports';
import type { PreferencesStore } from './preferences';

/** An item with the id of its row: a run id, or `file:` and the path. */
export interface CorpusEntry { id: string; item: CorpusItem }

export interface CorpusRequest { entries: readonly CorpusEntry[]; encoder: EncoderId; settings: CorpusSettings }

export interface CorpusState {
  /** Files of folders that were chosen here: read where they lie, not stored. */
  files: InputFile[];
  /** What happened to files that were added; null = nothing to say. */
  note: string | null;
  /** By row id, of the run in hand or the last one. */
  states: ReadonlyMap<string, CorpusItemState>;
  progress: Progress | null;
  running: boolean;
  /** How the last one ended. */
  ended: 'done' | 'cancelled' | 'failed' | null;
  error: string | null;
  outcome: CorpusOutcome | null;
  /** What `outcome` is of. */
  request: CorpusRequest | null;
}
export type CorpusStore = StoreApi<CorpusState>;
export interface CorpusServices { workbench: Workbench; jobs: JobsStore; corpus: CorpusStore }

export function createCorpusStore(): CorpusStore {
  return createStore<CorpusState>(() => ({ files: [], note: null, states: new Map(), progress: null, running: false, ended: null, error: null, outcome: null, request: null }));
}

/** Name of its job. */
export const CORPUS_JOB = 'Corpus';

/** States arrive dozens a second from each worker; a person reads a few. */
const GATHER_MS = 120;

/** Runs the corpus as a listed, cancellable job. `onlyKnown`: the tables of what has been made before. Never throws. */
export async function runCorpus({ workbench, jobs, corpus }: CorpusServices, request: CorpusRequest, onlyKnown = false): Promise<void> {
  if (corpus.getState().running) return;
  const { entries, encoder, settings } = request;
  const states = new Map<string, CorpusItemState>();
  corpus.setState({ running: true, ended: null, error: null, states: new Map(), progress: null });
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    corpus.setState({ states: new Map(states) });
  };
  try {
    const outcome = await runJob(jobs, CORPUS_JOB, (options) => workbench.corpus.run(entries.map(({ item }) => item), encoder, settings, {
      signal: options.signal,
      onlyKnown,
      onProgress: (progress) => {
        options.onProgress(progress);
        corpus.setState({ progress });
      },
      onItem: (index, state) => {
        states.set(entries[index]!.id, state);
        timer ??= setTimeout(flush, GATHER_MS);
      },
    }));
    corpus.setState(outcome === undefined ? { ended: 'cancelled' } : { ended: 'done', outcome, request });
  } catch (error) {
    corpus.setState({ ended: 'failed', error: error instanceof Error ? error.message : String(error) });
  } finally {
    if (timer !== null) clearTimeout(timer);
    // What was in work when it ended is not done.
    for (const [id, state] of states) if (state.state === 'running') states.delete(id);
    corpus.setState({ running: false, progress: null, states });
  }
}

/** Most files taken at once: a home folder chosen by mistake has millions. */
export const MOST_FILES = 20_000;

/**
 * Adds files to those that are read where they lie, and to the choice; a path that is there already is replaced. Hidden
 * files and installed packages are left out, as the command line does.
 */
export function addCorpusFiles({ corpus, preferences }: { corpus: CorpusStore; preferences: PreferencesStore }, given: readonly InputFile[], cut = false): void {
  const files = given.filter(({ name }) => !isLeftOut(name.includes('/') ? name.slice(name.indexOf('/') + 1) : name));
  const note = cut ? `Only the first ${files.length} files were taken.` : files.length > MOST_FILES ? `Only the first ${MOST_FILES} of ${files.length} files were taken.` : files.length === 0 ? 'There are no files here that could be runs.' : null;
  const taken = files.slice(0, MOST_FILES);
  const names = new Set(taken.map(({ name }) => name));
  corpus.setState((now) => ({ note, files: [...now.files.filter(({ name }) => !names.has(name)), ...taken] }));
  preferences.setState(({ corpus: choice }) => (choice.chosen === null ? {} : { corpus: { ...choice, chosen: [...new Set([...choice.chosen, ...taken.map(({ name }) => fileRowId(name))])] } }));
}

/** Row id of a file that is not stored. */
export const fileRowId = (name: string): string => `file:${name}`;
