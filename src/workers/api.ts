/**
 * What the page can ask for. The page holds this interface; the work happens in workers and in IndexedDB. Every
 * promise settles; every long job reports progress, takes an AbortSignal and keeps what it had finished.
 */
import type { EvidenceIndex } from '../core/evidence/types';
import type { ImportReport } from '../core/import/types';
import type { VectorsCoverage, VectorsSummary } from '../core/embedding/imported-vectors';
import type { OnnxSettings, OwnEncoderInfo } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { LabPart, LabReport, LabSettings } from '../core/selection/lab';
import type { GeometryOverTime, GeometryReport, SelectReport, SelectSettings } from '../core/selection/types';
import type { BlockTable, EncodingName, LineFacts } from '../core/trace/blocks-types';
import type { LineRef, Message, Trajectory } from '../core/trace/model';
import type { LibraryRun, ScenarioRow } from '../storage/rows';
import type { Corpus } from './corpus-api';
import type { UseByAge, SourceChoice } from '../core/evidence/evidence-by-age';
import type { ManagerAudit } from '../core/workspace/audit';
import type { InvariantReport } from '../core/workspace/invariants';
import type { OnnxProbe } from './own-models';
import type { LossOfOp } from '../core/workspace/loss';
import type { ReplaySummary } from '../core/workspace/summary';
import type { RecordedOp, RenderTarget, RenderedPrompt, Replay, ReplayRequest } from '../core/workspace/types';

export type { LibraryRun, ScenarioRow };
export type { Corpus, CorpusItem, CorpusItemState, CorpusOptions, CorpusOutcome } from './corpus-api';

export interface Progress {
  /** What is being done, e.g. "Importing run.jsonl". */
  label: string;
  done: number;
  /** NaN = not known. */
  total: number;
  unit: 'bytes' | 'blocks' | 'messages' | 'steps' | 'replays' | 'runs' | 'policies' | '%';
  /** Second line, e.g. "1 204 records". */
  detail?: string;
  /** Estimate; NaN = not yet known. */
  secondsLeft?: number;
}
export interface JobOptions { onProgress?: (progress: Progress) => void; signal?: AbortSignal }

export interface ImportInput { name: string; blob: Blob; example?: boolean }

/** What can be looked at while the rest of a file still arrives. Nothing of it is stored yet. */
export interface FirstSteps {
  file: string;
  format: string;
  name: string;
  model: string | null;
  /** The first messages of the root thread, in order. */
  messages: Message[];
}

export interface ImportFilesOptions extends JobOptions {
  /** Format id that overrides detection. */
  format?: string;
  /** Files that hold the same conversation become one run. */
  join?: boolean;
  /** Once a file, if its importer can show something early. */
  onFirst?: (first: FirstSteps) => void;
}

export interface ImportOutcome {
  reports: ImportReport[];
  /** Ids of the trajectories now in the library (also those that were already there). */
  runs: string[];
  /** File names whose bytes were stored before. */
  alreadyStored: string[];
  failures: { file: string; message: string }[];
  /** Files that hold the same conversation: importing them again with `join` makes one run where `canJoin`. */
  overlaps: { files: [string, string]; sharedCalls: number; callsOfSmaller: number; canJoin: boolean }[];
}

export interface Library {
  list(): Promise<LibraryRun[]>;
  /** Calls back now and after every change; returns an unsubscribe function. */
  observe(onChange: (runs: LibraryRun[]) => void): () => void;
  rename(id: string, name: string): Promise<void>;
  setPinned(id: string, pinned: boolean): Promise<void>;
  /** Forgets the file behind a run, with every run, vector and derived column of it. */
  forget(id: string): Promise<void>;
  forgetAll(): Promise<void>;
  usage(): Promise<{ usedBytes: number; quotaBytes: number | null; persistent: boolean }>;
  report(id: string): Promise<ImportReport | null>;
}

/** Manual scenarios of the lines of stored runs. */
export interface Scenarios {
  /** Calls back with those of a line, oldest first, now and after every change, in this tab or another; returns an unsubscribe function. */
  observe(runId: string, line: LineRef, onChange: (rows: ScenarioRow[]) => void, onError?: (error: unknown) => void): () => void;
  put(row: ScenarioRow): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Everything columnar of one line of one run; texts are read on demand. */
export interface OpenLine {
  runId: string;
  line: LineRef;
  trajectory: Trajectory;
  rows: Uint32Array;
  /** `gist` and `head` are empty: only replays read them, in the worker. */
  blocks: BlockTable;
  facts: LineFacts;
  evidence: EvidenceIndex;
  recorded: RecordedOp[];
  /** Interaction blocks (GEM) as message positions: assistant first, then its results. */
  interactionBlocks: number[][];
  /** Step → number of interaction blocks complete before it (index 0 = step 1). */
  checkpointOfStep: Uint32Array;
}

export interface SearchHit { messageIndex: number; partIndex: number; offset: number; length: number; excerpt: string }
export interface SearchQuery { text: string; regex: boolean; caseSensitive: boolean; role?: string; limit: number }

export interface EmbeddingState {
  encoder: EncoderId;
  done: number;
  total: number;
  /** Vectors that the user brought: what they leave out that is not a block, in words. */
  note?: string;
}

/** Encoders that the user brought: kept in this browser, usable wherever an encoder is chosen, until they are removed. */
export interface OwnEncoders {
  /** Calls back now and after every change in this tab; returns an unsubscribe function. */
  observe(onChange: (encoders: OwnEncoderInfo[]) => void): () => void;
  /** Opens a model in the worker, embeds two texts and says what came out; `settings` null = guessed. Nothing is stored. */
  probe(model: Blob, tokenizer: Blob, settings: OnnxSettings | null, options?: Pick<JobOptions, 'signal'>): Promise<OnnxProbe>;
  /** Probes once more and stores it. */
  addOnnx(name: string, model: Blob, tokenizer: Blob, settings: OnnxSettings): Promise<OwnEncoderInfo>;
  /** Reads .npy, .npz, JSONL or Parquet in a worker and stores the file. Rejects with what is wrong and where. */
  addVectors(name: string, file: Blob): Promise<VectorsSummary & { info: OwnEncoderInfo }>;
  /** How far a file of vectors reaches on a line. */
  coverage(line: OpenLine, encoder: EncoderId): Promise<VectorsCoverage>;
  remove(id: EncoderId): Promise<void>;
}

/** One replay of a comparison: a policy that cannot be replayed so does not stop the others. */
export type ReplayOutcome = { request: ReplayRequest; summary: ReplaySummary } | { request: ReplayRequest; error: string };
export interface ReplayManyOptions extends JobOptions {
  /** With a row a step for strips; else totals only. */
  strips: boolean;
  /** As each arrives; the index is the request's. */
  onOutcome?: (index: number, outcome: ReplayOutcome) => void;
}

/** One policy of an invariants report: one that cannot be replayed so does not stop the others. */
export type InvariantOutcome = { request: ReplayRequest; report: InvariantReport } | { request: ReplayRequest; error: string };
export interface InvariantsOptions extends JobOptions {
  /** Prompts and folds at every step, not at a sample of them. */
  everyStep: boolean;
  onOutcome?: (index: number, outcome: InvariantOutcome) => void;
}

export interface Workbench {
  readonly library: Library;
  readonly scenarios: Scenarios;
  readonly corpus: Corpus;
  readonly encoders: OwnEncoders;
  /** False = IndexedDB is missing or blocked; everything works in memory until the page is closed. */
  readonly persistent: boolean;
  importFiles(files: ImportInput[], options?: ImportFilesOptions): Promise<ImportOutcome>;
  openLine(runId: string, line: LineRef | null, encoding: EncodingName, options?: JobOptions): Promise<OpenLine>;
  readMessages(runId: string, rows: ArrayLike<number>): Promise<Message[]>;
  readRaw(runId: string, row: number): Promise<string[]>;
  /** Newest request of a lane wins (absent: one lane a policy): an older one still running rejects with `cancelled`. */
  replay(line: OpenLine, request: ReplayRequest, lane?: string): Promise<Replay>;
  /** Summaries of many replays, in order; finished ones are kept with the line, so that asking again is cheap. Other calls are answered in between. */
  replayMany(line: OpenLine, requests: readonly ReplayRequest[], options: ReplayManyOptions): Promise<ReplayOutcome[]>;
  /** What each removal of the step took out of sight. Newest request wins. */
  lossAt(line: OpenLine, request: ReplayRequest, step: number): Promise<LossOfOp[]>;
  /** Every removal of a replay and what became of it. */
  audit(line: OpenLine, request: ReplayRequest): Promise<ManagerAudit>;
  /** Evidence weight of the line by the age of its source. */
  evidenceByAge(line: OpenLine, source: SourceChoice): Promise<UseByAge>;
  /** The seven invariants for many policies, in order; finished ones are kept with the line. */
  invariants(line: OpenLine, requests: readonly ReplayRequest[], options: InvariantsOptions): Promise<InvariantOutcome[]>;
  render(line: OpenLine, request: ReplayRequest, step: number, as: RenderTarget): Promise<RenderedPrompt>;
  /** Embeds every interaction block, `firstBlocks` first, then goals, actions and the final text. */
  embed(line: OpenLine, encoder: EncoderId, firstBlocks: number[], options?: JobOptions): Promise<EmbeddingState>;
  select(line: OpenLine, encoder: EncoderId, settings: SelectSettings): Promise<SelectReport>;
  /** One part of the laboratory at a checkpoint (K and τ sweep, ablations, replacement). Newest request of a part wins. */
  lab(line: OpenLine, encoder: EncoderId, part: LabPart, settings: LabSettings): Promise<LabReport>;
  /** `call`: message position of the model call whose action is measured; absent = that of the next block. */
  geometry(line: OpenLine, encoder: EncoderId, checkpoint: number, seed: number, call?: number): Promise<GeometryReport>;
  /** UMAP coordinates (n × 2) of the blocks before a checkpoint, seeded. A newer one of the line cancels it. */
  umap(line: OpenLine, encoder: EncoderId, checkpoint: number, seed: number, options?: JobOptions): Promise<number[]>;
  geometryOverTime(line: OpenLine, encoder: EncoderId, seed: number): Promise<GeometryOverTime>;
  search(line: OpenLine, query: SearchQuery): Promise<SearchHit[]>;
  /** Is there a WebGPU adapter, so that the f32 encoder can be offered? */
  webGpu(): Promise<boolean>;
}
