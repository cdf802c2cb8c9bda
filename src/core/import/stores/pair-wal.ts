import type { ByteSource } from '../../base/byte-source';
import { ContextscopeError } from '../../base/errors';
import { isSqlite } from './open-store';
import { isWal } from './sqlite-wal';

/** Bytes that tell a database, its log and the log's index apart. */
const HEAD_BYTES = 32;

export interface PairedSources {
  /** Database → its write-ahead log, where both were given. */
  walOf: ReadonlyMap<ByteSource, ByteSource>;
  /** Read with another source, or of no use alone and without content: not to be imported. */
  used: ReadonlySet<ByteSource>;
  /** Logs without their database. */
  failures: { source: ByteSource; error: ContextscopeError }[];
}

/**
 * Finds the write-ahead logs among the given files. By name (`FILE-wal`), or where there is one database and one log.
 * What is what is judged by content.
 */
export async function pairWals(sources: readonly ByteSource[]): Promise<PairedSources> {
  const databases: ByteSource[] = [];
  const logs: ByteSource[] = [];
  const used = new Set<ByteSource>();
  for (const source of sources) {
    const head = await source.read(0, HEAD_BYTES);
    if (isSqlite(head)) databases.push(source);
    else if (isWal(head)) logs.push(source);
    else if (isWalIndex(head)) used.add(source);
    // A log of which everything was moved into the database is empty.
    else if (source.size === 0 && sources.some(({ name }) => source.name === `${name}-wal`)) used.add(source);
  }
  const walOf = new Map<ByteSource, ByteSource>();
  const failures: PairedSources['failures'] = [];
  for (const log of logs) {
    used.add(log);
    const database = databases.find(({ name }) => log.name === `${name}-wal`) ?? (databases.length === 1 && logs.length === 1 ? databases[0] : undefined);
    if (database) walOf.set(database, log);
    else failures.push({ source: log, error: new ContextscopeError('unsupported', `${log.name} is the write-ahead log of an SQLite database, only its newest pages: give it together with its database (${log.name.replace(/-wal$/, '')}).`, { file: log.name }) });
  }
  return { walOf, used, failures };
}

/** Is a file a database, or of use only beside one? `head`: its first 32 bytes. */
export function isDatabaseFile(head: Uint8Array): boolean { return isSqlite(head) || isWal(head) || isWalIndex(head); }

/** `FILE-shm`: an index into the log, which is built anew (https://www.sqlite.org/walformat.html §2.1: version 3007000, in the machine's byte order). */
function isWalIndex(head: Uint8Array): boolean {
  return (head[0] === 0x18 && head[1] === 0xe2 && head[2] === 0x2d && head[3] === 0x00) || (head[0] === 0x00 && head[1] === 0x2d && head[2] === 0xe2 && head[3] === 0x18);
}
