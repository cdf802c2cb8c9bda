import type { Table } from 'dexie';
import type { EncoderId } from '../core/embedding/types';
import type { Trajectory } from '../core/trace/model';
import { noSuchRun } from './library';
import type { LibraryRun, StorageUsage } from './rows';
import type { Database } from './schema';

export async function trajectoryOf(db: Database, runId: string): Promise<Trajectory> {
  const row = await db.trajectories.get(runId);
  if (!row) throw noSuchRun(runId);
  return row.trajectory;
}

export async function sourceOf(db: Database, runId: string): Promise<{ name: string; blob: Blob }> {
  const run = await db.runs.get(runId);
  const file = run && (await db.files.get(run.fileId));
  const source = file && (await db.sources.get(file.sourceKey));
  if (!source) throw noSuchRun(runId);
  return { name: source.name, blob: source.blob };
}

export async function updateRun(db: Database, id: string, patch: Partial<LibraryRun>): Promise<void> {
  if ((await db.runs.update(id, patch)) === 0 && !(await db.runs.get(id))) throw noSuchRun(id);
}

/** Tables that forgetting a file touches. */
export function fileTables(db: Database): Table[] {
  return [db.files, db.sources, db.runs, db.trajectories, db.derived, db.vectors, db.vectorUses, db.corpusParts, db.scenarios];
}

export async function forget(db: Database, runId: string): Promise<void> {
  await db.transaction('rw', fileTables(db), async () => {
    const run = await db.runs.get(runId);
    if (!run) return;
    // Not in forgetFile: a file that is only read anew keeps what a person made of it.
    const ids = await db.runs.where('fileId').equals(run.fileId).primaryKeys();
    await db.scenarios.where('runId').anyOf(ids).delete();
    await forgetFile(db, run.fileId);
  });
}

/** Within a transaction over `fileTables`. */
export async function forgetFile(db: Database, fileId: string): Promise<void> {
  const file = await db.files.get(fileId);
  const ids = await db.runs.where('fileId').equals(fileId).primaryKeys();
  await db.runs.bulkDelete(ids);
  await db.trajectories.bulkDelete(ids);
  await db.derived.where('runId').anyOf(ids).delete();
  await forgetVectors(db, ids);
  await db.corpusParts.where('fileId').equals(fileId).delete();
  await db.files.delete(fileId);
  if (file) await db.sources.delete(file.sourceKey);
}

/** Deletes the vectors that only these runs used. Reads every use row: linear in all hashes in use. */
async function forgetVectors(db: Database, runIds: string[]): Promise<void> {
  const gone = await db.vectorUses.where('runId').anyOf(runIds).toArray();
  if (gone.length === 0) return;
  await db.vectorUses.where('runId').anyOf(runIds).delete();
  const name = (encoder: EncoderId, hash: string): string => `${encoder} ${hash}`;
  const still = new Set<string>();
  await db.vectorUses.each((use) => use.hashes.forEach((hash) => still.add(name(use.encoder, hash))));
  const keys = gone.flatMap((use) => use.hashes.filter((hash) => !still.has(name(use.encoder, hash))).map((hash): [EncoderId, string] => [use.encoder, hash]));
  await db.vectors.bulkDelete(keys);
}

/** Everything but settings, encoders that the user brought, and imports that run at the moment. */
export async function forgetAll(db: Database): Promise<void> {
  const tables = [db.files, db.sources, db.imports, db.runs, db.trajectories, db.derived, db.vectors, db.vectorUses, db.corpusParts, db.scenarios];
  await db.transaction('rw', tables, async () => {
    const importing = await db.imports.toCollection().primaryKeys();
    await db.sources.where('key').noneOf(importing).delete();
    for (const table of [db.files, db.runs, db.trajectories, db.derived, db.vectors, db.vectorUses, db.corpusParts, db.scenarios]) await table.clear();
  });
}

/** Without an estimate from the browser: the sizes of the stored files. */
export async function usage(db: Database): Promise<StorageUsage> {
  const manager = (globalThis.navigator as Navigator | undefined)?.storage;
  const persistent = (await manager?.persisted?.().catch(() => false)) ?? false;
  const estimate = await manager?.estimate?.().catch(() => undefined);
  if (estimate?.usage !== undefined) return { usedBytes: estimate.usage, quotaBytes: estimate.quota ?? null, persistent };
  let usedBytes = 0;
  await db.files.each((file) => void (usedBytes += file.sizeBytes));
  return { usedBytes, quotaBytes: null, persistent };
}
