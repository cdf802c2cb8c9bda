import type { ByteSource } from '../base/byte-source';
import { ContextscopeError, isCancelled } from '../base/errors';
import { inspectLog, isInspectArchive } from './inspect-archive';
import { isSqlite, openStore } from './stores/open-store';
import { isTarHeader, tarFiles } from './tar';
import { CSV_HEAD_BYTES, csvShape, openCsv } from './tables/open-csv';
import { isParquet, openParquet } from './tables/open-parquet';
import { toUtf8, utf16Label, utf16Note, utf8Head } from './text-encoding';
import type { BadRecord, ImportReport } from './types';
import { UnpackGuard } from './unpack-guard';
import type { UnpackOptions } from './unpack-guard';
import { unpack } from './unpack-stream';
import { listZip, openZipFile } from './zip';

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
export async function* openContainer(source: ByteSource, options: UnpackOptions = {}): AsyncGenerator<Opened | UnopenedMember> {
  yield* open({ name: source.name, source, container: 'none', isMember: false, notes: [] }, new UnpackGuard(source.name, source.size, options), 0);
}

async function* open(given: Opened, guard: UnpackGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
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
    const wal = given.isMember ? undefined : guard.options.wal;
    const { source, notes } = await openStore(given.source, guard, given.name, wal);
    yield { ...given, source, container: given.isMember ? given.container : container, notes: [...given.notes, ...notes], ...(wal ? { isJoined: true } : {}) };
  } else if (container === 'tar') yield* openTar(given, guard, depth + 1);
  else yield* openZip(given, guard, depth + 1);
}

async function openTable(given: Opened, container: 'csv' | 'parquet', head: Uint8Array, guard: UnpackGuard): Promise<Opened> {
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

async function* openTar(given: Opened, guard: UnpackGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
  const damage: string[] = [];
  let files = 0;
  for await (const file of tarFiles(given.source, (reason) => { damage.push(reason); })) {
    guard.addMember();
    if (isClutter(file.name)) continue;
    files++;
    yield* openMember(given, file.name, depth, guard, 'tar', () => Promise.resolve({ source: file.source, notes: damage.splice(0) }));
  }
  for (const reason of damage) yield { name: given.name, error: new ContextscopeError('corrupt', `${given.name}: ${reason}.`, { file: given.name }) };
  if (files === 0 && damage.length === 0) yield emptyArchive(given.name);
}

async function* openZip(given: Opened, guard: UnpackGuard, depth: number): AsyncGenerator<Opened | UnopenedMember> {
  const notes = given.notes.slice();
  const files = (await listZip(given.source, guard, (reason) => { notes.push(`${reason}.`); })).filter((file) => !isClutter(file.name));
  if (isInspectArchive(files)) {
    const log = await inspectLog(given.name, files, guard);
    yield { ...given, source: log.source, container: given.isMember ? given.container : 'zip', notes: [...notes, ...log.notes] };
    return;
  }
  for (const file of files) {
    yield* openMember(given, file.name, depth, guard, 'zip', async () => {
      const { source, broken } = await openZipFile(file, guard);
      return { source, notes: [...notes.splice(0), ...(broken === undefined ? [] : [`${file.name}: ${broken}; what came before is read.`])] };
    });
  }
  if (files.length === 0) yield emptyArchive(given.name);
}

async function* openMember(given: Opened, member: string, depth: number, guard: UnpackGuard, container: Container, read: () => Promise<{ source: ByteSource; notes: string[] }>): AsyncGenerator<Opened | UnopenedMember> {
  const name = `${given.name}!${member}`;
  try {
    const { source, notes } = await read();
    yield* open({ name, source: { ...source, name }, container, isMember: true, notes: [...given.notes, ...notes] }, guard, depth);
  } catch (error) {
    // The guard's word is about the whole file.
    if (isCancelled(error) || !(error instanceof ContextscopeError) || error.code === 'too-large') throw error;
    yield { name, error };
  }
}

function emptyArchive(name: string): UnopenedMember {
  return { name, error: new ContextscopeError('bad-record', `${name} is an archive without files.`, { file: name }) };
}

/** What desktop systems add to archives. */
function isClutter(path: string): boolean {
  return path.endsWith('/') || /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/.test(path);
}
