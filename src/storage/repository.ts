/**
 * The one door to what is kept. Implementations: IndexedDB (`DexieRepository`), memory (`MemoryRepository`) and, in
 * workers of a page without IndexedDB, a remote one that asks the page's memory. All reject with
 * ContextscopeError('storage' | 'not-found').
 */
import type { OwnEncoderInfo } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { ImportReport } from '../core/import/types';
import type { Trajectory } from '../core/trace/model';
import type {
  CorpusPartRow, DerivedKey, DerivedRow, FileRow, LibraryRun, OwnEncoderRow, ScenarioRow, StorageUsage, VectorUseRow,
} from './rows';

/** Everything that becomes visible in the one last transaction of an import. */
export interface FinishedImport {
  file: Omit<FileRow, 'sourceKey'>;
  runs: LibraryRun[];
  trajectories: Trajectory[];
  /** The same bytes read in another way (a forced format) take the place of what was stored. */
  replaces?: boolean;
}

export interface ImportStore {
  /** Stores the bytes, invisible as yet, under a token of the importer's own. */
  beginImport(token: string, name: string, blob: Blob): Promise<void>;
  /** Sign of life, for contexts without locks. */
  touchImport(token: string): Promise<void>;
  /** All or nothing. 'already' = the same bytes were stored before; this import's copy is dropped. */
  finishImport(token: string, finished: FinishedImport): Promise<'stored' | 'already'>;
  dropImport(token: string): Promise<void>;
  /** Deletes what imports left behind whose owner is gone; returns how many. */
  cleanUp(): Promise<number>;
  /** Could these bytes be stored already? A cheap question before hashing. */
  hasFileOfSize(sizeBytes: number): Promise<boolean>;
  /** Run ids of a stored file; empty = not stored. */
  runsOfFile(fileId: string): Promise<string[]>;
}

export interface RunStore {
  listRuns(): Promise<LibraryRun[]>;
  updateRun(id: string, patch: Partial<Pick<LibraryRun, 'name' | 'pinned' | 'peakTokens'>>): Promise<void>;
  report(runId: string): Promise<ImportReport | null>;
  /** Rejects 'not-found'. */
  trajectory(runId: string): Promise<Trajectory>;
  /** The source bytes of a run's file. Rejects 'not-found'. */
  source(runId: string): Promise<{ name: string; blob: Blob }>;
  /** Forgets the file behind a run: its bytes, runs, derived rows, and vectors that no other line uses. */
  forget(runId: string): Promise<void>;
  forgetAll(): Promise<void>;
  usage(): Promise<StorageUsage>;
}

export interface CacheStore {
  /** undefined = never computed, or by older maths. */
  derived(key: DerivedKey): Promise<DerivedRow | undefined>;
  putDerived(row: DerivedRow): Promise<void>;
  /** In the order of `hashes`; undefined = not embedded yet. */
  vectors(encoder: EncoderId, hashes: string[]): Promise<(Float32Array | undefined)[]>;
  hasVectors(encoder: EncoderId, hashes: string[]): Promise<boolean[]>;
  putVectors(encoder: EncoderId, vectors: { hash: string; vector: Float32Array }[]): Promise<void>;
  /** Says which vectors a line refers to (replaces what it said before). */
  putVectorUse(use: VectorUseRow): Promise<void>;
  /** What `putVectorUse` said last; undefined = never, or about texts of another version. */
  vectorUse(runId: string, line: string, encoder: EncoderId): Promise<VectorUseRow | undefined>;
  /** In the order of `keys`; undefined = not made yet. */
  corpusParts(keys: string[]): Promise<(CorpusPartRow | undefined)[]>;
  hasCorpusParts(keys: string[]): Promise<boolean[]>;
  putCorpusPart(row: CorpusPartRow): Promise<void>;
  setting(key: string): Promise<unknown>;
  putSetting(key: string, value: unknown): Promise<void>;
}

/** Encoders that the user brought; they outlive runs and are deleted by themselves. */
export interface EncoderStore {
  /** In the order in which they were added. */
  encoders(): Promise<OwnEncoderInfo[]>;
  encoder(id: string): Promise<OwnEncoderRow | undefined>;
  putEncoder(row: OwnEncoderRow): Promise<void>;
  /** With every vector that it made. */
  deleteEncoder(id: string): Promise<void>;
}

export interface Repository extends ImportStore, RunStore, CacheStore, EncoderStore {
  readonly persistent: boolean;
  close(): void;
}

/** What a person makes of a run: only the page asks, workers are told what to replay. */
export interface ScenarioStore {
  /** Replaces the row of its id; nothing is stored for a run that was forgotten meanwhile. */
  putScenario(row: ScenarioRow): Promise<void>;
  deleteScenario(id: string): Promise<void>;
  /** Calls back with the scenarios of a line, oldest first, now and after every change, in this tab or another; returns an unsubscribe function. */
  observeScenarios(runId: string, line: string, onChange: (rows: ScenarioRow[]) => void, onError?: (error: unknown) => void): () => void;
}

/** Where the library lives in the page: a repository that can also be watched. */
export interface ObservableRepository extends Repository, ScenarioStore {
  /** Calls back now and after every change, in this tab or another; returns an unsubscribe function. */
  observeRuns(onChange: (runs: LibraryRun[]) => void, onError?: (error: unknown) => void): () => void;
}
