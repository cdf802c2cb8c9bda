import { compactViews } from './compact';
import { fileTables, forgetFile } from './dexie-runs';
import { HEARTBEAT_EXPIRY_MS, type OwnerLocks } from './owner-locks';
import type { FinishedImport } from './repository';
import type { Database } from './schema';

/** Name of the lock an importer holds for its token. */
export function importLockName(token: string): string {
  return `contextscope-import-${token}`;
}

export async function beginImport(db: Database, token: string, name: string, blob: Blob): Promise<void> {
  const now = Date.now();
  await db.transaction('rw', db.sources, db.imports, async () => {
    await db.imports.add({ token, name, startedMs: now, heartbeatMs: now });
    await db.sources.add({ key: token, name, blob });
  });
}

/** Makes a file and its runs visible in one transaction, or finds that another import did so already. */
export function finishImport(db: Database, token: string, finished: FinishedImport): Promise<'stored' | 'already'> {
  const trajectories = finished.trajectories.map((trajectory) => ({ id: trajectory.id, fileId: finished.file.id, trajectory: compactViews(trajectory) }));
  return db.transaction('rw', [...fileTables(db), db.imports], async () => {
    await db.imports.delete(token);
    if (await db.files.get(finished.file.id)) {
      if (!finished.replaces) {
        await db.sources.delete(token);
        return 'already' as const;
      }
      await forgetFile(db, finished.file.id);
    }
    await db.files.add({ ...finished.file, sourceKey: token });
    await db.trajectories.bulkAdd(trajectories);
    await db.runs.bulkAdd(finished.runs);
    return 'stored' as const;
  });
}

export async function dropImport(db: Database, token: string): Promise<void> {
  await db.transaction('rw', db.sources, db.imports, async () => {
    await db.imports.delete(token);
    await db.sources.delete(token);
  });
}

/** Drops imports without a living owner, and bytes that neither an import nor a file refers to. */
export async function cleanUp(db: Database, locks: OwnerLocks, nowMs: number): Promise<number> {
  let dropped = 0;
  for (const row of await db.imports.toArray()) {
    const held = await locks.isHeld(importLockName(row.token));
    if (held === true || (held === null && nowMs - row.heartbeatMs < HEARTBEAT_EXPIRY_MS)) continue;
    await dropImport(db, row.token);
    dropped++;
  }
  await db.transaction('rw', db.sources, db.imports, db.files, async () => {
    const used = new Set([...(await db.imports.toCollection().primaryKeys()), ...(await db.files.toArray()).map((file) => file.sourceKey)]);
    const orphans = (await db.sources.toCollection().primaryKeys()).filter((key) => !used.has(key));
    await db.sources.bulkDelete(orphans);
    dropped += orphans.length;
  });
  return dropped;
}
