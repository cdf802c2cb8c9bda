import { ContextscopeError, isCancelled, throwIfCancelled } from '../core/base/errors';
import { decodeUtf8 } from '../core/base/text';
import { blobSource } from '../core/base/byte-source';
import { nobleHasher, type Hasher } from '../core/base/hasher';
import { blobSpool } from '../core/base/spool';
import { CONTAINER_HEAD_BYTES, containerOf } from '../core/import/containers';
import { isBesideStore, isStoreRecord } from '../core/import/store-folder';
import { isDatabaseFile } from '../core/import/stores/pair-wal';
import type { LoadSqliteWasm } from '../core/import/stores/sqlite-engine';
import type { ImportedFile, ImportFiles, ImportReport, ImportSource } from '../core/import/types';
import type { ByteSource } from '../core/base/byte-source';
import type { Message } from '../core/trace/model';
import { importLockName } from '../storage/dexie-imports';
import { HEARTBEAT_EVERY_MS, type OwnerLocks } from '../storage/owner-locks';
import type { Repository } from '../storage/repository';
import type { FirstSteps, ImportInput, ImportOutcome, Progress } from './api';
import { libraryRun } from './library-run';
import { grouped, paced } from './pace';
import type { CreateTraceReader } from './read-service';
import { randomToken } from './random-token';

export interface ImportServiceParts {
  repository: Repository;
  locks: OwnerLocks;
  importSource: ImportSource;
  /** For files that may belong together. */
  importTogether: ImportFiles;
  createTraceReader: CreateTraceReader;
  /** SHA-256 of all bytes, hex; works while the import reads the same bytes. */
  hash: (blob: Blob, signal?: AbortSignal) => Promise<string>;
  now?: () => number;
  /** Where SQLite comes from; not asked for in Node. */
  sqliteWasm?: LoadSqliteWasm;
}
export interface ImportJob {
  format?: string;
  /** Files that hold the same conversation become one run. */
  join?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  onFirst?: (first: FirstSteps) => void;
}

interface Stored { report: ImportReport; runs: string[]; already: boolean }

/** Messages shown before the rest has arrived. */
const FIRST_MESSAGES = 30;

/** Takes files into the library. Runs in a worker, and in Node over any repository. */
export class ImportService {
  constructor(private readonly parts: ImportServiceParts) {}

  /**
   * One file after the other, then archives and those that may belong together. A file that cannot be read is a failure in the
   * outcome, the others go on. A cancel rejects with `cancelled`: files finished before stay, of what is in work
   * nothing is kept.
   */
  async importFiles(inputs: readonly ImportInput[], job: ImportJob = {}): Promise<ImportOutcome> {
    const outcome: ImportOutcome = { reports: [], runs: [], alreadyStored: [], failures: [], overlaps: [] };
    const together = await inputsReadTogether(inputs);
    const single = inputs.filter((input) => !together.has(input));
    for (const [index, input] of single.entries()) {
      const place = inputs.length > 1 ? ` (${index + 1} of ${inputs.length})` : '';
      try {
        const done = await this.importOne(input, `Importing ${input.name}${place}`, job);
        outcome.reports.push(done.report);
        outcome.runs.push(...done.runs);
        if (done.already) outcome.alreadyStored.push(input.name);
      } catch (error) {
        if (isCancelled(error)) throw error;
        outcome.failures.push({ file: input.name, message: error instanceof Error ? error.message : String(error) });
      }
    }
    if (together.size > 0) await this.importTogether([...together], outcome, job);
    return outcome;
  }

  /**
   * A session and the files of its sub-agents are stored as one file: their bytes one after the other. What came packed
   * is stored unpacked, each member of an archive as a file of its own.
   */
  private async importTogether(inputs: readonly ImportInput[], outcome: ImportOutcome, job: ImportJob): Promise<void> {
    const report = job.onProgress && paced(job.onProgress);
    let finished = false;
    const label = inputs.length === 1 ? `Importing ${inputs[0]!.name}` : `Importing ${inputs.length} files`;
    const { groups, failures, overlaps } = await this.parts.importTogether(inputs.map((input) => blobSource(input.name, input.blob)), {
      format: job.format,
      join: job.join,
      signal: job.signal,
      createSpool: blobSpool,
      sqliteWasm: this.parts.sqliteWasm,
      createHasher: (source) => this.hasher(source, job.signal),
      onProgress: ({ bytesRead, bytesTotal, records }) => report?.({ label, done: bytesRead, total: bytesTotal, unit: 'bytes', detail: `${grouped(records)} records` }),
      onFirst: (partial) => { this.offerFirst(partial, partial.content ?? blobSource(inputs[0]!.name, inputs[0]!.blob), job, () => finished); },
    });
    finished = true;
    if (!job.join) outcome.overlaps.push(...overlaps.map(({ files, sharedCalls, callsOfSmaller, canJoin }) => ({ files, sharedCalls, callsOfSmaller, canJoin })));
    outcome.failures.push(...failures.map(({ file, error }) => ({ file, message: error.message })));
    for (const { members, source, reports, trajectories } of groups) {
      const first = inputs[members[0] ?? -1];
      const [rootReport] = reports;
      if (!first || !rootReport) continue;
      const blob = source.blob ?? new Blob([new Uint8Array(await source.read(0, source.size))]);
      const input: ImportInput = { ...first, name: rootReport.file, blob };
      try {
        const stored = await this.storing(input, job, () => Promise.resolve({ report: rootReport, trajectories }));
        const fileId = stored.runs[0]?.split('#')[0];
        outcome.reports.push(...reports.map((report, i) => (i === 0 && fileId !== undefined && fileId !== report.sha256 ? { ...report, fileId } : report)));
        outcome.runs.push(...stored.runs);
        if (stored.already) outcome.alreadyStored.push(...reports.map((report) => report.file));
      } catch (error) {
        if (isCancelled(error)) throw error;
        outcome.failures.push({ file: input.name, message: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  private async importOne(input: ImportInput, label: string, job: ImportJob): Promise<Stored> {
    throwIfCancelled(job.signal);
    const known = await this.findStored(input, job);
    if (known) return { ...known, already: true };
    return this.storing(input, job, (token) => this.parse(input, token, label, job));
  }

  /** Stores the bytes while `read` works on them, then makes everything visible at once, or leaves nothing. */
  private async storing(input: ImportInput, job: ImportJob, read: (token: string) => Promise<ImportedFile>): Promise<Stored> {
    const { repository, locks } = this.parts;
    const token = randomToken();
    const release = await locks.hold(importLockName(token));
    // The browser copies the bytes while they are parsed here. Its failure is awaited below, not lost.
    const storing = repository.beginImport(token, input.name, input.blob);
    storing.catch(() => undefined);
    try {
      const { report, trajectories } = await read(token);
      if (trajectories.length === 0) throw new ContextscopeError('bad-record', `${input.name} was read as ${report.formatTitle}, but holds no messages.`, { file: input.name });
      await storing;
      throwIfCancelled(job.signal);
      const addedMs = (this.parts.now ?? Date.now)();
      const stored = { fileId: trajectories[0]!.id.split('#')[0]!, fileName: input.name, sizeBytes: input.blob.size, addedMs, example: input.example ?? false };
      const runs = trajectories.map((trajectory) => libraryRun(trajectory, stored));
      const file = { id: stored.fileId, name: input.name, sizeBytes: stored.sizeBytes, format: report.format, report, addedMs };
      const how = await repository.finishImport(token, { file, runs, trajectories, replaces: job.format !== undefined });
      return { report, runs: runs.map((run) => run.id), already: how === 'already' };
    } catch (error) {
      await storing.catch(() => undefined);
      await repository.dropImport(token).catch(() => undefined);
      throw error;
    } finally {
      release();
    }
  }

  /** Hashing costs a pass over the bytes, so only bytes of a size that is already stored are hashed ahead. */
  private async findStored({ blob }: ImportInput, job: ImportJob): Promise<{ report: ImportReport; runs: string[] } | null> {
    const { repository, hash } = this.parts;
    if (!(await repository.hasFileOfSize(blob.size))) return null;
    const runs = await repository.runsOfFile(await hash(blob, job.signal));
    const report = runs[0] === undefined ? null : await repository.report(runs[0]);
    // Forced to another format than before: read it again.
    if (!report || (job.format !== undefined && job.format !== report.format)) return null;
    return { report, runs };
  }

  private async parse({ name, blob }: ImportInput, token: string, label: string, job: ImportJob): Promise<ImportedFile> {
    const source = blobSource(name, blob);
    const { repository, importSource } = this.parts;
    const report = job.onProgress && paced(job.onProgress);
    let aliveMs = performance.now();
    let finished = false;
    const hasher = this.hasher(source, job.signal);
    const imported = await importSource(source, {
      format: job.format,
      signal: job.signal,
      createHasher: () => hasher,
      onProgress: ({ bytesRead, bytesTotal, records }) => {
        report?.({ label, done: bytesRead, total: bytesTotal, unit: 'bytes', detail: `${grouped(records)} records` });
        const time = performance.now();
        if (time - aliveMs < HEARTBEAT_EVERY_MS) return;
        aliveMs = time;
        repository.touchImport(token).catch(() => undefined);
      },
      onFirst: (partial) => { this.offerFirst(partial, source, job, () => finished); },
    });
    finished = true;
    return imported;
  }

  /** Hashes on another thread, beginning at once; only bytes that are in no Blob are hashed here. */
  private hasher({ blob }: ByteSource, signal: AbortSignal | undefined): Hasher {
    if (!blob) return nobleHasher();
    const sha256 = this.parts.hash(blob, signal);
    sha256.catch(() => undefined);
    return { update: () => undefined, digest: () => sha256, readsItself: true };
  }

  /** A look ahead only: whatever goes wrong with it, the import itself will say. */
  private offerFirst(partial: ImportedFile, source: ByteSource, { onFirst }: ImportJob, isLate: () => boolean): void {
    if (onFirst) void this.firstSteps(partial, source).then((first) => { if (first && !isLate()) onFirst(first); }, () => undefined);
  }

  private async firstSteps(partial: ImportedFile, source: ByteSource): Promise<FirstSteps | null> {
    const trajectory = partial.trajectories[0];
    const main = trajectory?.threads[0]?.main;
    if (!trajectory || !main?.length) return null;
    const messages: Message[] = [];
    await this.parts.createTraceReader(source, trajectory).readMessages(main.subarray(0, FIRST_MESSAGES), (message) => void messages.push(message));
    return { file: source.name, format: partial.report.format, name: trajectory.name, model: trajectory.model ?? null, messages };
  }
}

/** Bytes in which a session names itself. */
const LOOK_BYTES = 256 << 10;
/** Claude Code and Gemini CLI, OpenCode, ATIF, Codex: what files of one run, or of one conversation, are told by. */
const NAMES_A_SESSION = /"(sessionId|sessionID|parentID|session_id|trajectory_id|session_meta)"|^\s*\{\s*"id"\s*:\s*"ses_/;

/**
 * Inputs that are not read alone: archives, and files that may be parts of one session where there are several. Judged
 * by content, not by name.
 */
async function inputsReadTogether(inputs: readonly ImportInput[]): Promise<Set<ImportInput>> {
  const packed = new Set<ImportInput>();
  const linked = new Set<ImportInput>();
  let stored = 0;
  for (const input of inputs) {
    const head = new Uint8Array(await input.blob.slice(0, LOOK_BYTES).arrayBuffer());
    if (containerOf(head.subarray(0, CONTAINER_HEAD_BYTES)) !== 'none' || isDatabaseFile(head)) packed.add(input);
    else if (inputs.length > 1) {
      const text = decodeUtf8(head);
      if (isStoreRecord(text)) stored++;
      if (NAMES_A_SESSION.test(text)) linked.add(input);
    }
  }
  // Lists and facts of a store name no session, and are nothing alone.
  if (stored > 1) for (const input of inputs) if (isBesideStore(input.name)) linked.add(input);
  // One session alone has nobody to be joined to, unless an archive holds its other half.
  const together = packed.size > 0 || linked.size > 1 ? [...linked, ...packed] : [];
  return new Set(inputs.filter((input) => together.includes(input)));
}
