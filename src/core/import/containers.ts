import type { ByteSource } from '../base/byte-source';
import { ContextscopeError, isCancelled } from '../base/errors';
import { inspectLog, isInspectArchive } from './inspect-archive';
import type { OpenGuard, OpenOptions } from './open-options';
import { isSqlite, openStore } from './stores/open-store';
import { isTarHeader, tarFiles } from './tar';
import { CSV_HEAD_BYTES, csvShape, openCsv } from './tables/open-csv';
import { isParquet, openParquet } from './tables/open-parquet';
import { toUtf8, utf16Label, utf16Note, utf8Head } from './text-encoding';
import type { BadRecord, ImportReport } from './types';
import { UnpackGuard } from '../base/unpack-guard';
import { unpack } from '../base/unpack-stream';
import { listZip, openZipFile } from '../base/zip';

export type Container = ImportReport['container'];

/** One file to import: the given one, what it unpacks to, or a member of it. */
export interface Opened {
  /** `archive!member` for members. */
  name: string;
  /** Unpacked bytes: what spans point into. The given source itself when it is in no container. */
  source: ByteSource;
  container: Container;
  /** A member is a file of its own; the content of a gzip, zstd or .eval file is that file. */
  isMember: boolean;
  /** The content comes from more than the given file (a database and its log): its own bytes name it. */
  isJoined?: boolean;
  notes: string[];
  /** Rows of a table that are no messages; lines and offsets are those of the table. */
  bad?: BadRecord[];
  /** How many they are; `bad` lists the first. */
  badCount?: number;
}
export interface UnopenedMember { name: string; error: ContextscopeError }

/** What is opened, with what belongs to it. */
interface Given extends Opened { /** Of a database. */ wal?: ByteSource }

const MAGIC: readonly (readonly ['gzip' | 'zip' | 'zstd', readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  // An archive without files.
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
];
/** Bytes that `containerOf` looks at. */
export const CONTAINER_HEAD_BYTES = CSV_HEAD_BYTES;

/** By the first bytes, never by the name. */
export function containerOf(head: Uint8Array): Container {
  for (const [container, magic] of MAGIC) if (magic.every((byte, i) => head[i] === byte)) return container;
  if (isSqlite(head)) return 'sqlite';
  if (isParquet(head)) return 'parquet';
  if (isTarHeader(head)) return 'tar';
  return csvShape(utf8Head(head)) ? 'csv' : 'none';
}

/**
 * Unpacks a source down to the files in it, one after the other, containers in containers too. Members that cannot be
 * unpacked are given as errors; the others go on. Throws 'too-large' when the guard stops, 'corrupt', 'cancelled'.
 */
export async function* openContainer(source: ByteSource, options: OpenOptions = {}): AsyncGenerator<Opened | UnopenedMember> {
  yield* open({ name: source.name, source, container: 'none', isMember: false, notes: [], wal: options.wal }, new UnpackGuard<OpenOptions>(source.name, source.size, options), 0);
}

async function* open({ wal, ...given }: Given, guard: OpenGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
  const head = await given.source.read(0, CONTAINER_HEAD_BYTES);
  const container = containerOf(head);
  if (container === 'none') {
    yield given;
    return;
  }
  guard.enter(depth + 1);
  if (container === 'gzip' || container === 'zstd') {
    const { source, broken } = await unpack(given.source, container, guard, given.name);
    const notes = broken === undefined ? given.notes : [...given.notes, `${container}: ${broken}; what came before is read.`];
    yield* open({ ...given, source, container: given.isMember ? given.container : container, notes }, guard, depth + 1);
  } else if (container === 'csv' || container === 'parquet') yield await openTable(given, container, head, guard);
  else if (container === 'sqlite') {
    const { source, notes } = await openStore(given.source, guard, given.name, wal);
    yield { ...given, source, container: given.isMember ? given.container : container, notes: [...given.notes, ...notes], ...(wal ? { isJoined: true } : {}) };
  } else if (container === 'tar') yield* openTar(given, guard, depth + 1);
  else yield* openZip(given, guard, depth + 1);
}

async function openTable(given: Opened, container: 'csv' | 'parquet', head: Uint8Array, guard: OpenGuard): Promise<Opened> {
  const asContainer = given.isMember ? given.container : container;
  if (container === 'parquet') {
    const { source, notes, bad, badCount } = await openParquet(given.source, guard, given.name);
    return { ...given, source, container: asContainer, notes: [...given.notes, ...notes], bad, badCount };
  }
  const label = utf16Label(head);
  const text = label ? await toUtf8(given.source, label) : given.source;
  const { source, notes, bad, badCount } = await openCsv(text, csvShape(utf8Head(head))!, guard);
  return { ...given, source: { ...source, name: given.source.name }, container: asContainer, notes: [...given.notes, ...(label ? [utf16Note(label)] : []), ...notes], bad, badCount };
}

async function* openTar(given: Opened, guard: OpenGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
  const damage: string[] = [];
  const files: Member[] = [];
  for await (const file of tarFiles(given.source, (reason) => { damage.push(reason); })) {
    guard.addMember();
    if (isClutter(file.name)) continue;
    const notes = damage.splice(0);
    files.push({ name: file.name, read: () => Promise.resolve({ source: file.source, notes }) });
  }
  const empty = files.length === 0 && damage.length === 0;
  yield* openMembers(given, files, depth, guard, 'tar');
  for (const reason of damage) yield { name: given.name, error: new ContextscopeError('corrupt', `${given.name}: ${reason}.`, { file: given.name }) };
  if (empty) yield emptyArchive(given.name);
}

async function* openZip(given: Opened, guard: OpenGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
  const notes = given.notes.slice();
  const files = (await listZip(given.source, guard, (reason) => { notes.push(`${reason}.`); })).filter((file) => !isClutter(file.name));
  if (isInspectArchive(files)) {
    const log = await inspectLog(given.name, files, guard);
    yield { ...given, source: log.source, container: given.isMember ? given.container : 'zip', notes: [...notes, ...log.notes] };
    return;
  }
  const members = files.map((file): Member => ({
    name: file.name,
    read: async () => {
      const { source, broken } = await openZipFile(file, guard);
      return { source, notes: [...notes.splice(0), ...(broken === undefined ? [] : [`${file.name}: ${broken}; what came before is read.`])] };
    },
  }));
  yield* openMembers(given, members, depth, guard, 'zip');
  if (files.length === 0) yield emptyArchive(given.name);
}

interface Member { name: string; read: () => Promise<{ source: ByteSource; notes: string[] }> }

async function* openMembers(given: Opened, members: readonly Member[], depth: number, guard: OpenGuard, container: Container): AsyncGenerator<Opened | UnopenedMember> {
  const byName = new Map(members.map((member) => [member.name, member]));
  for (const member of members) {
    if (isLogOf(member.name, byName)) continue;
    const name = `${given.name}!${member.name}`;
    try {
      const { source, notes } = await member.read();
      const log = byName.get(`${member.name}-wal`);
      const wal = log && isSqlite(await source.read(0, 16)) ? (await log.read()).source : undefined;
      yield* open({ name, source: { ...source, name }, container, isMember: true, notes: [...given.notes, ...notes], wal: wal && { ...wal, name: `${name}-wal` } }, guard, depth);
    } catch (error) {
      // The guard's word is about the whole file.
      if (isCancelled(error) || !(error instanceof ContextscopeError) || error.code === 'too-large') throw error;
      yield { name, error };
    }
  }
}

/** What SQLite leaves beside a database is read with it, or of no use. */
function isLogOf(name: string, members: ReadonlyMap<string, unknown>): boolean {
  const [, database] = /^([^]+)-(?:wal|shm)$/.exec(name) ?? [];
  return database !== undefined && members.has(database);
}

function emptyArchive(name: string): UnopenedMember {
  return { name, error: new ContextscopeError('bad-record', `${name} is an archive without files.`, { file: name }) };
}

/** What desktop systems add to archives. */
function isClutter(path: string): boolean {
  return path.endsWith('/') || /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path);
}
