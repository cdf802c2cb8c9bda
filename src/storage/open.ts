import { ContextscopeError } from '../core/base/errors';
import { DexieRepository } from './dexie-repository';
import { MemoryRepository } from './memory-repository';
import { ownerLocks, type OwnerLocks } from './owner-locks';
import type { ObservableRepository } from './repository';
import { Database, DATABASE_NAME, NATIVE_VERSION_FACTOR, SCHEMA_STEPS, type SchemaStep } from './schema';

/** IndexedDB that neither opens nor fails within this time is taken as not there. */
const OPEN_TIMEOUT_MS = 10_000;

export interface OpenOptions {
  name?: string;
  steps?: readonly SchemaStep[];
  locks?: OwnerLocks;
  timeoutMs?: number;
}

/** Opens IndexedDB. Rejects 'storage' when another tab holds a newer or an older version of the database, or with what IndexedDB said. */
export async function openDatabase(options: OpenOptions = {}): Promise<Database> {
  const steps = options.steps ?? SCHEMA_STEPS;
  const db = new Database(options.name ?? DATABASE_NAME, steps);
  let blocked = false;
  db.on('blocked', () => void (blocked = true));
  // Another tab wants to upgrade: let it. Whatever is asked here afterwards rejects with "reload this page".
  db.on('versionchange', () => db.close());
  const timeoutMs = options.timeoutMs ?? OPEN_TIMEOUT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(blocked
        ? new ContextscopeError('storage', 'The database cannot be upgraded while another tab runs an older version of this page. Close the other tabs and reload.')
        : new DOMException('IndexedDB did not answer.', 'TimeoutError'));
    }, timeoutMs);
  });
  try {
    await Promise.race([db.open(), late]);
  } catch (error) {
    db.close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  // Dexie opens a database of a later version as it stands; writing to it by old rules could spoil it.
  const newest = steps.at(-1)!.version * NATIVE_VERSION_FACTOR;
  const found = db.backendDB().version;
  if (found > newest) {
    db.close();
    throw new ContextscopeError('storage', `The runs stored here were written by a newer version of this page (schema ${found / NATIVE_VERSION_FACTOR}, this one knows ${newest / NATIVE_VERSION_FACTOR}). Reload to get the newer page; nothing was changed.`);
  }
  return db;
}

/**
 * The repository of this browser: IndexedDB, or memory where IndexedDB is missing, blocked or broken (then
 * `persistent` is false). Rejects 'storage' only where data exist that this page must not touch.
 */
export async function openRepository(options: OpenOptions = {}): Promise<ObservableRepository> {
  if (typeof indexedDB === 'undefined') return new MemoryRepository();
  try {
    return new DexieRepository(await openDatabase(options), options.locks ?? ownerLocks());
  } catch (error) {
    if (error instanceof ContextscopeError) throw error;
    return new MemoryRepository();
  }
}
