import type { ByteSource } from '../base/byte-source';
import type { Hasher } from '../base/hasher';
import type { ContextscopeError } from '../base/errors';
import type { Message, Trajectory, Usage } from '../trace/model';

export interface BadRecord { /** 1-based; 0 = not line-based. */ line: number; byteOffset: number; reason: string }

/** What became of one source file. Counts follow formats.md §19 (every thread and branch, matched by call id). */
export interface ImportReport {
  file: string;
  bytes: number;
  sha256: string;
  format: string;
  formatTitle: string;
  formatConfidence: 'certain' | 'likely' | 'forced';
  container: 'none' | 'gzip' | 'zip' | 'zstd' | 'tar';
  /** Every natural unit, bad ones included. */
  records: number;
  /** Records by the source's own kind. */
  recordKinds: Record<string, number>;
  badRecords: BadRecord[];
  /** badRecords holds at most `MAX_LISTED_BAD_RECORDS`; this is the true count. */
  badRecordCount: number;
  /** Kept as raw events or `other` parts, counted by kind. */
  unknownRecords: Record<string, number>;
  warnings: string[];
  messages: number;
  toolCalls: number;
  toolResults: number;
  matchedPairs: number;
  /** Sums over all trajectories of the file; null where nothing is recorded. Absent in reports stored before it was added. */
  usage?: Usage;
}

export interface ImportedFile { report: ImportReport; trajectories: Trajectory[] }

export interface ImportProgress { bytesRead: number; bytesTotal: number; records: number }

export interface ImportOptions {
  /** Format id that overrides detection. */
  format?: string;
  signal?: AbortSignal;
  onProgress?: (progress: ImportProgress) => void;
  /** Called once when the first steps can be looked at, before the rest has arrived; `sha256` is still '' then. */
  onFirst?: (partial: ImportedFile) => void;
  /** Bytes a slice; tests shrink it so that tiny fixtures cross slice boundaries. */
  sliceBytes?: number;
  /** SHA-256 of the source; plain TypeScript unless given (Node: node:crypto). */
  createHasher?: () => Hasher;
}

/** Imports one source: detect, stream, normalise. Throws ContextscopeError('unknown-format' | 'cancelled' | …). */
export type ImportSource = (source: ByteSource, options?: ImportOptions) => Promise<ImportedFile>;

/** Files that belong together (a session and its sub-agents), or one file alone. */
export interface ImportedGroup {
  /** Indexes into the given sources, in the order in which `source` holds their bytes. */
  members: number[];
  /** What the spans of `trajectories` point into: the file, or its members' bytes one after the other. */
  source: ByteSource;
  /** One a member, in the order of `members`. */
  reports: ImportReport[];
  /** Ids are the SHA-256 of all bytes of `source`, `#`, index. */
  trajectories: Trajectory[];
}
export interface ImportedFiles { groups: ImportedGroup[]; failures: { index: number; file: string; error: ContextscopeError }[] }

/** Imports files that were given together and joins those that belong together. Throws only when cancelled. */
export type ImportFiles = (sources: readonly ByteSource[], options?: ImportOptions) => Promise<ImportedFiles>;

/** Reads messages of a trajectory again through their byte spans, in the order of `rows`. */
export interface TraceReader {
  /** `Message.index` is the position in `rows`. */
  readMessages(rows: ArrayLike<number>, onMessage: (message: Message) => void | Promise<void>, signal?: AbortSignal): Promise<void>;
  readMessage(row: number): Promise<Message>;
  /** The raw source text of a row's spans, for the inspector. */
  readRaw(row: number): Promise<string[]>;
}
