/**
 * What is stored, one type a table. The shapes are ours and versioned in schema.ts; everything is structured-cloneable.
 */
import type { EvidenceIndex } from '../core/evidence/types';
import type { ImportReport } from '../core/import/types';
import type { OwnEncoderInfo } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { BlockTable, EncodingName, LineFacts } from '../core/trace/blocks-types';
import type { LineRef, Trajectory } from '../core/trace/model';
import type { ScenarioOp } from '../core/workspace/scenario/types';
import type { RecordedOp } from '../core/workspace/types';

/** Better maths raises this; rows of another version are computed anew and overwritten. */
export const DERIVED_VERSION = 4;

/** One row of the library: one trajectory of one stored file. */
export interface LibraryRun {
  /** Trajectory id: SHA-256 of the file, `#`, index. */
  id: string;
  fileId: string;
  indexInFile: number;
  name: string;
  fileName: string;
  format: string;
  model: string | null;
  steps: number;
  messages: number;
  threads: number;
  /** Tokens; null until counted. */
  peakTokens: number | null;
  sizeBytes: number;
  createdMs: number | null;
  addedMs: number;
  pinned: boolean;
  example: boolean;
}

/** A completely imported file; its id is the SHA-256 of its bytes. Bytes are in `sources`, so that a change here moves no Blob. */
export interface FileRow {
  id: string;
  name: string;
  sizeBytes: number;
  format: string;
  report: ImportReport;
  addedMs: number;
  /** Key in `sources`. */
  sourceKey: string;
}

/** The bytes as one Blob. `key` is the token of the import that stored it, for the hash is known only at its end. */
export interface SourceRow { key: string; name: string; blob: Blob }

/** A running import ('importing'). It is deleted in the transaction that makes the file visible ('ready'). */
export interface ImportRow { token: string; name: string; startedMs: number; heartbeatMs: number }

/** Columns of one run. */
export interface TrajectoryRow { id: string; fileId: string; trajectory: Trajectory }

export interface DerivedKey { runId: string; line: string; encoding: EncodingName }

/** What is computed once from the texts of a line. */
export interface LineAnalysis {
  blocks: BlockTable;
  facts: LineFacts;
  evidence: EvidenceIndex;
  recorded: RecordedOp[];
  interactionBlocks: number[][];
  checkpointOfStep: Uint32Array;
}
export interface DerivedRow extends DerivedKey, LineAnalysis { version: number }

/** One vector; cached across runs by (encoder, SHA-256 of the text). */
export interface VectorRow { encoder: EncoderId; hash: string; vector: Float32Array }

/** Which vectors a line refers to: a vector is forgotten with the last line that uses it. */
export interface VectorUseRow {
  runId: string;
  line: string;
  encoder: EncoderId;
  /** DERIVED_VERSION of the texts. */
  version: number;
  hashes: string[];
  /** The first so many are what embedding the line means; the others are embedded when asked for. */
  main: number;
}

/** What a corpus run made of one file or one of its trajectories, as JSON text: read again it gives the same bytes. */
export interface CorpusPartRow {
  /** `corpusPartKey`: file, trajectory, encoder, settings and version of the tables. */
  key: string;
  /** SHA-256 of the file: its parts are forgotten with it. */
  fileId: string;
  /** `RunPart[]`. */
  json: string;
}

/** A manual scenario of one line of a run. Forgotten with its run. */
export interface ScenarioRow {
  id: string;
  runId: string;
  /** `lineKey`. */
  line: string;
  name: string;
  operations: ScenarioOp[];
  createdMs: number;
  /** Grows with every change: of two tabs the later one counts. */
  changedMs: number;
}
/** An encoder that the user brought: model and tokenizer, or a file of vectors. */
export interface OwnEncoderRow { id: string; info: OwnEncoderInfo; model?: Blob; tokenizer?: Blob; vectors?: Blob }

export interface SettingRow { key: string; value: unknown }

export interface StorageUsage { usedBytes: number; quotaBytes: number | null; persistent: boolean }

/** Text key of a line. The separator cannot occur in ids that come from JSON text unescaped. */
export function lineKey(line: LineRef): string {
  return JSON.stringify([line.thread, line.branch ?? null]);
}
