import { decodeUtf8 } from '../../base/text';
import type { ByteSource } from '../../base/byte-source';
import { ContextscopeError, throwIfCancelled } from '../../base/errors';
import type { OpenGuard } from '../open-options';
import type { AgentStore } from './agent-store';
import { cursorDb } from './cursor-db';
import { gooseDb } from './goose-db';
import { opencodeDb } from './opencode-db';
import { openSqlite } from './sqlite-engine';
import type { SqlDatabase, SqlTable } from './sqlite-engine';
import { applyWal } from './sqlite-wal';

/** Databases that agents keep. To add one: its file, its place here, a test that builds such a database. */
const AGENT_STORES: readonly AgentStore[] = [opencodeDb, gooseDb, cursorDb];

/** A database is held whole while it is read. */
const MAX_DATABASE_BYTES = 1024 ** 3;
const SLICE_BYTES = 16 * 1024 ** 2;
/** Time after which the event loop gets a turn, so that a cancel can arrive; milliseconds. */
const TURN_MS = 12;
/** Tables, columns and rows that an error lists. */
const TABLES_SHOWN = 12;
const COLUMNS_SHOWN = 10;

const MAGIC = new TextEncoder().encode('SQLite format 3\0');

export function isSqlite(head: Uint8Array): boolean {
  return head.length >= MAGIC.length && MAGIC.every((byte, i) => head[i] === byte);
}

/**
 * Reads the conversations of an agent's SQLite database as JSON lines, from which the usual formats take over. `wal` =
 * its write-ahead log, where that was given too. Throws 'unsupported' with the table list for a schema that is not
 * known, 'too-large', 'corrupt'.
 */
export async function openStore(given: ByteSource, guard: OpenGuard, name: string, wal?: ByteSource): Promise<{ source: ByteSource; notes: string[] }> {
  if (given.size + (wal?.size ?? 0) > MAX_DATABASE_BYTES) {
    throw new ContextscopeError('too-large', `${name} is an SQLite database of ${Math.round(given.size / 1024 ** 2)} MiB; databases are read up to ${MAX_DATABASE_BYTES / 1024 ** 2} MiB, because they have to be held in memory. Export the sessions you need from its program (\`opencode export <session>\`, \`goose session export --format json\`), or copy them into a smaller database.`, { file: name });
  }
  const notes: string[] = [];
  const bytes = await databaseBytes(given, guard, wal, name, notes);
  const db = await openSqlite(bytes, name, guard.options.sqliteWasm);
  try {
    return { source: await write(db, guard, name, notes), notes };
  } finally {
    db.close();
  }
}

async function databaseBytes(given: ByteSource, guard: OpenGuard, wal: ByteSource | undefined, name: string, notes: string[]): Promise<Uint8Array> {
  const held = new Uint8Array(given.size);
  for (let at = 0; at < given.size; at += SLICE_BYTES) {
    throwIfCancelled(guard.options.signal);
    held.set(await given.read(at, at + SLICE_BYTES), at);
  }
  const usesWal = held[18] === 2 || held[19] === 2;
  let bytes = held;
  if (wal && wal.size > 0) {
    const applied = await applyWal(held, wal);
    bytes = applied.bytes as Uint8Array<ArrayBuffer>;
    notes.push(`The write-ahead log ${wal.name} was read with the database: ${applied.pages} newer pages.`);
  } else if (usesWal && !wal) {
    notes.push(`The database is written through a write-ahead log: if its program was running, the newest messages stand in ${name}-wal. Give that file together with this one to have them too.`);
  }
  // Opened as if it had no log: what of it is given has been laid over the pages.
  if (usesWal) bytes[18] = bytes[19] = 1;
  return bytes;
}

async function write(db: SqlDatabase, guard: OpenGuard, name: string, notes: string[]): Promise<ByteSource> {
  const tables = new Map(db.tables().map((table) => [table.name, table]));
  const store = AGENT_STORES.find(({ needs }) => Object.entries(needs).every(([table, columns]) => columns.every((column) => tables.get(table)?.columns.includes(column))));
  if (!store) throw unknownSchema(db, [...tables.values()], name, notes);
  const out = guard.spool();
  const encoder = new TextEncoder();
  let turnStart = performance.now();
  try {
    for (const piece of store.write({ db, tables, note: (text) => { notes.push(text); } })) {
      const bytes = encoder.encode(piece);
      guard.add(bytes.length);
      out.write(bytes);
      if (performance.now() - turnStart < TURN_MS) continue;
      await new Promise<void>((resolve) => { setTimeout(resolve, 0); });
      turnStart = performance.now();
    }
  } catch (error) {
    // What was read before the damage is worth more than nothing.
    if (!(error instanceof ContextscopeError) || error.code !== 'corrupt' || out.size === 0) throw error;
    notes.push(`${error.message} What could be read before the damage is shown.`);
  }
  const others = [...tables.values()].filter((table) => !store.reads.includes(table.name)).map((table) => `${table.name} ${rowsText(db, table)}`).filter((text) => !text.endsWith(' 0'));
  if (others.length > 0) notes.push(`${store.title}: tables that hold no messages were left out, with their rows: ${others.slice(0, TABLES_SHOWN).join(', ')}${others.length > TABLES_SHOWN ? ', …' : ''}.`);
  if (out.size === 0) throw new ContextscopeError('bad-record', `${name} is an ${store.title} without a session in it.${notes.length > 0 ? ` ${notes.join(' ')}` : ''}`, { file: name });
  return out.finish(name);
}

function unknownSchema(db: SqlDatabase, tables: readonly SqlTable[], name: string, notes: readonly string[]): ContextscopeError {
  if (tables.length === 0) return new ContextscopeError('unsupported', `${name} is an SQLite database without tables.${notes.length > 0 ? ` ${notes.join(' ')}` : ''}`, { file: name });
  const list = tables.slice(0, TABLES_SHOWN).map((table) => `${table.name} (${table.columns.slice(0, COLUMNS_SHOWN).join(', ')}${table.columns.length > COLUMNS_SHOWN ? ', …' : ''}; ${rowsText(db, table)} rows)`);
  const known = AGENT_STORES.map(({ title }) => title).join(', ');
  return new ContextscopeError('unsupported', `${name} is an SQLite database of a program that is not known here. Its tables: ${list.join('; ')}${tables.length > TABLES_SHOWN ? `; and ${tables.length - TABLES_SHOWN} more` : ''}. Known are: ${known}. Write its messages as a table with the columns role and content, for example: sqlite3 -csv -header FILE "SELECT role, content, session_id FROM messages" > messages.csv`, { file: name });
}

function rowsText(db: SqlDatabase, table: SqlTable): string {
  try {
    return String(db.count(table.name));
  } catch {
    return 'unreadable';
  }
}

/** Bytes of an encrypted database are noise from the first to the last, and whole pages of it. */
export function mayBeEncrypted(head: Uint8Array, size: number, name: string): boolean {
  return size >= 1024 && size % 512 === 0 && /\.(db|sqlite3?|vscdb)$/i.test(name) && decodeUtf8(head).includes('\uFFFD');
}
