import { ContextscopeError, isCancelled, throwIfCancelled } from '../core/base/errors';
import { blobSource } from '../core/base/byte-source';
import type { ImportedFile, ImportReport, ImportSource } from '../core/import/types';
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
  createTraceReader: CreateTraceReader;
  /** SHA-256 of all bytes, hex; works while the import reads the same bytes. */
  hash: (blob: Blob, signal?: AbortSignal) => Promise<string>;
  now?: () => number;
}
export interface ImportJob {
  format?: string;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  onFirst?: (first: FirstSteps) => void;
}

/** Messages shown before the rest has arrived. */
const FIRST_MESSAGES = 30;

/** Takes files into the library. Runs in a worker, and in Node over any repository. */
export class ImportService {
  constructor(private readonly parts: ImportServiceParts) {}

  /**
   * One file after the other. A file that cannot be read is a failure in the outcome, the others go on. A cancel
   * rejects with `cancelled`: files finished before stay, of the one in work nothing is kept.
   */
  async importFiles(inputs: readonly ImportInput[], job: ImportJob = {}): Promise<ImportOutcome> {
    const outcome: ImportOutcome = { reports: [], runs: [], alreadyStored: [], failures: [] };
    for (const [index, input] of inputs.entries()) {
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
    return outcome;
  }

  private async importOne(input: ImportInput, label: string, job: ImportJob): Promise<{ report: ImportReport; runs: string[]; already: boolean }> {
    const { repository, locks } = this.parts;
    throwIfCancelled(job.signal);
    const source = blobSource(input.name, input.blob);
    const known = await this.findStored(input, job);
    if (known) return { ...known, already: true };

    const token = randomToken();
    const release = await locks.hold(importLockName(token));
    // The browser copies the bytes while they are parsed here. Its failure is awaited below, not lost.
    const storing = repository.beginImport(token, input.name, input.blob);
    storing.catch(() => undefined);
    try {
      const imported = await this.parse(input.blob, source, token, label, job);
      await storing;
      throwIfCancelled(job.signal);
      const { sha256 } = imported.report;
      const addedMs = (this.parts.now ?? Date.now)();
      const runs = imported.trajectories.map((trajectory) => libraryRun(trajectory, imported.report, addedMs, input.example ?? false));
      const file = { id: sha256, name: input.name, sizeBytes: source.size, format: imported.report.format, report: imported.report, addedMs };
      const how = await repository.finishImport(token, { file, runs, trajectories: imported.trajectories, replaces: job.format !== undefined });
      return { report: imported.report, runs: runs.map((run) => run.id), already: how === 'already' };
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

  private async parse(blob: Blob, source: ByteSource, token: string, label: string, job: ImportJob): Promise<ImportedFile> {
    const { repository, importSource } = this.parts;
    const report = job.onProgress && paced(job.onProgress);
    let aliveMs = performance.now();
    let finished = false;
    const sha256 = this.parts.hash(blob, job.signal);
    sha256.catch(() => undefined);
    const imported = await importSource(source, {
      format: job.format,
      signal: job.signal,
      createHasher: () => ({ update: () => undefined, digest: () => sha256 }),
      onProgress: ({ bytesRead, bytesTotal, records }) => {
        report?.({ label, done: bytesRead, total: bytesTotal, unit: 'bytes', detail: `${grouped(records)} records` });
        const time = performance.now();
        if (time - aliveMs < HEARTBEAT_EVERY_MS) return;
        aliveMs = time;
        repository.touchImport(token).catch(() => undefined);
      },
      onFirst: (partial) => {
        if (!job.onFirst) return;
        // A look ahead only: whatever goes wrong with it, the import itself will say.
        void this.firstSteps(partial, source).then((first) => first && !finished && job.onFirst?.(first), () => undefined);
      },
    });
    finished = true;
    if (imported.trajectories.length === 0) throw new ContextscopeError('bad-record', `${source.name} was read as ${imported.report.formatTitle}, but holds no messages.`, { file: source.name });
    return imported;
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
