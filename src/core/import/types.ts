import type { ByteSource } from '../base/byte-source';
import type { Hasher } from '../base/hasher';
import type { ContextscopeError } from '../base/errors';
import type { Spool } from '../base/spool';
import type { Message, Trajectory, Usage } from '../trace/model';
import type { LoadSqliteWasm } from './stores/sqlite-engine';
import type { UnpackLimits } from '../base/unpack-guard';

export interface BadRecord { /** 1-based; 0 = not line-based. */ line: number; byteOffset: number; reason: string }

/** What became of one source file. Counts follow formats.md §19 (every thread and branch, matched by call id). */
export interface ImportReport {
  /** `archive!member` for a member of an archive. */
  file: string;
  /** Of the given file; of the unpacked member for members of archives. */
  bytes: number;
  /** Of the given file, archives included. */
  sha256: string;
  /** What the ids of its runs begin with, where that is not `sha256`: members of archives, files that were joined. Known when they are stored. */
  fileId?: string;
  format: string;
  formatTitle: string;
  formatConfidence: 'certain' | 'likely' | 'forced';
  container: 'none' | 'gzip' | 'zip' | 'zstd' | 'tar' | 'sqlite' | 'parquet' | 'csv';
  /** Format id → records, where lines of several formats stand in one file (`format` is then 'mixed'). */
  formats?: Record<string, number>;
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

export interface ImportedFile {
  report: ImportReport;
  trajectories: Trajectory[];
  /** Unpacked bytes, which the spans point into, where the file came in a container; absent = the file itself. */
  content?: ByteSource;
}

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
  /** Documents larger than this are read by pages; tests shrink it. */
  heldBytes?: number;
  /** SHA-256 of a source; plain TypeScript unless given (Node: node:crypto). */
  createHasher?: (source: ByteSource) => Hasher;
  /** Where unpacked bytes are kept: memory unless given; in the browser Blobs, so that they can be stored. */
  createSpool?: () => Spool;
  /** Files that hold the same conversation become one run (several files only). */
  join?: boolean;
  /** How far containers are unpacked. */
  unpack?: Partial<UnpackLimits>;
  /** Bytes of SQLite's WebAssembly, asked for when a database is opened; Node finds its own. */
  sqliteWasm?: LoadSqliteWasm;
}

/**
 * Imports one source: unpack, detect, stream, normalise. Throws ContextscopeError('unknown-format' | 'cancelled' | …),
 * and 'unsupported' for an archive of several files, which `ImportFiles` takes.
 */
export type ImportSource = (source: ByteSource, options?: ImportOptions) => Promise<ImportedFile>;

/** Files that belong together (a session and its sub-agents), or one file alone. A member of an archive is a file. */
export interface ImportedGroup {
  /** Indexes into the given sources, in the order in which `source` holds their bytes; an archive's as often as it has members here. */
  members: number[];
  /** What the spans of `trajectories` point into: the (unpacked) file, or its members' bytes one after the other. */
  source: ByteSource;
  /** One a member, in the order of `members`. */
  reports: ImportReport[];
  /** Ids are a SHA-256, `#`, index: that of the given file, or, for members of archives and joined files, of the bytes of `source`. */
  trajectories: Trajectory[];
}
/** Two given files that hold the same model calls: one conversation that was copied (import-cases.md 66). */
export interface Overlap {
  files: [string, string];
  /** Into the given sources. */
  indexes: [number, number];
  sharedCalls: number;
  /** Model calls of the one that has fewer. */
  callsOfSmaller: number;
  /** Importing both again with `join` makes one run of them. */
  canJoin: boolean;
}
export interface ImportedFiles { groups: ImportedGroup[]; failures: { index: number; file: string; error: ContextscopeError }[]; overlaps: Overlap[] }

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
