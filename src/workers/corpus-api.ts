/** What the corpus page asks of the workbench (interface.md §2 "Corpus"). */
import type { CorpusFailure, CorpusFile } from '../core/corpus/corpus-files';
import type { RunRow } from '../core/corpus/run-rows';
import type { CorpusSettings, CorpusTable, Duplicate } from '../core/corpus/types';
import type { EncoderId } from '../core/embedding/types';
import type { EncoderInfo } from '../core/selection/types';
import type { JobOptions } from './api';

/** A run of the library, or a file that is read where it lies and not stored. `path` names it; `size` is its share of the work. */
export type CorpusItem = { path: string; size: number } & ({ runId: string } | { blob: Blob });

export type CorpusItemState =
  | { state: 'waiting' }
  /** `share`: of the work on this run, 0…1. */
  | { state: 'running'; phase: 'reading' | 'embedding' | 'measuring'; share: number }
  /** `reused`: it had been made before, with these settings, encoder and version. */
  | { state: 'done'; reused: boolean }
  | { state: 'failed'; message: string };

export interface CorpusOptions extends JobOptions {
  /** `index`: of the item. */
  onItem?: (index: number, state: CorpusItemState) => void;
  /** Makes nothing: the tables of what has been made before. */
  onlyKnown?: boolean;
}

export interface CorpusOutcome {
  encoder: EncoderInfo;
  settings: CorpusSettings;
  tables: CorpusTable[];
  runs: RunRow[];
  duplicates: Duplicate[];
  failures: CorpusFailure[];
  /** Byte for byte what `corpus … --out DIR` writes for these runs. */
  files: CorpusFile[];
  /** Items that were mapped now, and those whose results were stored. */
  made: number;
  reused: number;
}

export interface Corpus {
  /** Which runs of the library have results for these settings. A file that is not stored is known only when it has been read: false. */
  known(items: readonly CorpusItem[], encoder: EncoderId, settings: CorpusSettings): Promise<boolean[]>;
  /**
   * Maps what is not known and reduces all. Results are stored run by run, so that a cancelled job goes on where it
   * stopped. A run that cannot be mapped is a failure in the outcome. Rejects `cancelled`, or 'bad-argument' where
   * nothing could be mapped.
   */
  run(items: readonly CorpusItem[], encoder: EncoderId, settings: CorpusSettings, options?: CorpusOptions): Promise<CorpusOutcome>;
}
