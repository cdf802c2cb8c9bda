import type { AsyncBuffer, FileMetaData, RowGroup, SchemaTree, parquetMetadataAsync, parquetRead, parquetSchema } from 'hyparquet';
import type { ByteSource } from '../../base/byte-source';
import { ContextscopeError, isCancelled, throwIfCancelled } from '../../base/errors';
import { MAX_LISTED_BAD_RECORDS } from '../report';
import type { BadRecord } from '../types';
import type { UnpackGuard } from '../../base/unpack-guard';
import type { OpenedTable } from './open-csv';
import { tableNotes } from './open-csv';
import { PageFault, checkPages } from './parquet-pages';
import type { PageTools } from './parquet-pages';
import { EXPECTED_COLUMNS, tableRoute } from './table-columns';
import { TableRows } from './table-rows';

/** Parquet tables of messages (hyparquet), row group by row group. The library is loaded when the first one is opened. */

const MAGIC = [0x50, 0x41, 0x52, 0x31] as const;

export function isParquet(head: Uint8Array): boolean { return MAGIC.every((byte, i) => head[i] === byte); }

/** Bytes of one row group that are decoded at once, unpacked; its rows are held as values. */
const MAX_GROUP_BYTES = 768 * 1024 ** 2;
/** Of the description at the end of the file. */
const MAX_FOOTER_BYTES = 64 * 1024 ** 2;
/** Time after which the event loop gets a turn, so that a cancel can arrive; milliseconds. */
const TURN_MS = 12;

interface Library extends PageTools {
  parquetMetadataAsync: typeof parquetMetadataAsync;
  parquetSchema: typeof parquetSchema;
  parquetRead: typeof parquetRead;
}

async function loadLibrary(): Promise<Library> {
  const [metadata, read, column, delta, packed] = await Promise.all([
    import('hyparquet/src/metadata.js'), import('hyparquet/src/read.js'), import('hyparquet/src/column.js'), import('hyparquet/src/delta.js'), import('hyparquet-compressors'),
  ]);
  return { parquetMetadataAsync: metadata.parquetMetadataAsync, parquetSchema: metadata.parquetSchema, parquetRead: read.parquetRead, parquetHeader: column.parquetHeader, deltaBinaryUnpack: delta.deltaBinaryUnpack, compressors: packed.compressors };
}

/** Reads a table into JSON lines. Throws 'unknown-format' with the columns it has, 'corrupt', 'too-large', 'bad-record'. */
export async function openParquet(given: ByteSource, guard: UnpackGuard, name: string): Promise<OpenedTable> {
  const library = await loadLibrary();
  try {
    return await readTable(library, given, guard, name);
  } catch (error) {
    throw isCancelled(error) ? error : damage(error, name, null);
  }
}

async function readTable(library: Library, given: ByteSource, guard: UnpackGuard, name: string): Promise<OpenedTable> {
  const file = asyncBuffer(given);
  const metadata = await readMetadata(library, file, given, name);
  const tree = library.parquetSchema(metadata);
  const names = tree.children.map(({ element }) => element.name);
  if (names.some((column) => typeof column !== 'string')) throw new PageFault('a column has no name');
  const route = tableRoute(names);
  if (!route) throw new ContextscopeError('unknown-format', `${name} is a Parquet table, but not of messages. ${EXPECTED_COLUMNS}; found the columns ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}. Rename the columns that hold these, or export the run from its tool.`, { file: name });
  const out = guard.spool();
  const encoder = new TextEncoder();
  const rows = new TableRows(route);
  const bad: BadRecord[] = [];
  const notes = tableNotes(route, names);
  let badCount = 0;
  let row = 0;
  let start = 0;
  let turnStart = performance.now();
  for (const [index, group] of metadata.row_groups.entries()) {
    throwIfCancelled(guard.options.signal);
    const count = Number(group.num_rows);
    const read = await readGroup(library, file, metadata, tree, group, start, name).catch((error: unknown) => damage(error, name, index));
    start += count;
    if (read instanceof ContextscopeError) {
      // Groups stand alone: the others are as good as they were.
      if (read.code === 'too-large') throw read;
      badCount++;
      if (bad.length < MAX_LISTED_BAD_RECORDS) bad.push({ line: 0, byteOffset: offsetOf(group), reason: `${read.message} Its ${count} rows are lost.` });
      continue;
    }
    for (const cells of read) {
      row++;
      const line = rows.line(cells, row);
      if ('line' in line) {
        const bytes = encoder.encode(`${line.line}\n`);
        guard.add(bytes.length);
        out.write(bytes);
      } else if (++badCount <= MAX_LISTED_BAD_RECORDS) bad.push({ line: 0, byteOffset: offsetOf(group), reason: `row ${row}: ${line.reason}` });
      if (performance.now() - turnStart < TURN_MS) continue;
      await new Promise<void>((resolve) => { setTimeout(resolve, 0); });
      turnStart = performance.now();
    }
  }
  if (out.size === 0) throw emptyTable(name, row, bad);
  return { source: out.finish(given.name), notes, bad, badCount };
}

function emptyTable(name: string, rows: number, bad: readonly BadRecord[]): ContextscopeError {
  const [first] = bad;
  if (!first) return new ContextscopeError('bad-record', `${name} is a Parquet table without rows.`, { file: name });
  return new ContextscopeError(rows === 0 ? 'corrupt' : 'bad-record', rows === 0 ? `${name}: ${first.reason}` : `${name} is a Parquet table of ${rows} rows, none of which is a message: ${first.reason}. ${EXPECTED_COLUMNS}.`, { file: name });
}

function asyncBuffer(source: ByteSource): AsyncBuffer {
  return {
    byteLength: source.size,
    // A copy: readers keep views into what they are given, and sources may hand out their own bytes.
    slice: async (from, to) => new Uint8Array(await source.read(from, to ?? source.size)).buffer,
  };
}

async function readMetadata(library: Library, file: AsyncBuffer, source: ByteSource, name: string): Promise<FileMetaData> {
  const end = await source.read(Math.max(0, source.size - 8), source.size);
  if (!isParquet(end.subarray(4))) {
    const isEncrypted = [0x50, 0x41, 0x52, 0x45].every((byte, i) => end[4 + i] === byte);
    throw new ContextscopeError('corrupt', isEncrypted ? `${name} is an encrypted Parquet file: decrypt it first.` : `${name} starts like a Parquet table, but its end is missing, where the columns are described: it is cut off. Fetch it again.`, { file: name });
  }
  const footerBytes = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  if (footerBytes > MAX_FOOTER_BYTES) throw new ContextscopeError('too-large', `${name} describes its columns in ${Math.round(footerBytes / 1024 ** 2)} MiB; up to ${MAX_FOOTER_BYTES / 1024 ** 2} MiB are read.`, { file: name });
  try {
    return await library.parquetMetadataAsync(file, { geoparquet: false });
  } catch (error) {
    throw damage(error, name, null);
  }
}

async function readGroup(library: Library, file: AsyncBuffer, metadata: FileMetaData, tree: SchemaTree, group: RowGroup, start: number, name: string): Promise<unknown[][]> {
  const rows = Number(group.num_rows);
  let unpacked = 0;
  let values = 0;
  for (const { meta_data: meta, file_path: elsewhere } of group.columns) {
    if (!meta || elsewhere !== undefined) throw new PageFault('a column stands in another file');
    unpacked += Number(meta.total_uncompressed_size);
    if (unpacked > MAX_GROUP_BYTES) throw new ContextscopeError('too-large', `${name} has a row group of more than ${MAX_GROUP_BYTES / 1024 ** 2} MiB, which would have to be held whole. Write it with smaller row groups (pyarrow: row_group_size=1000).`, { file: name });
    const from = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const bytes = new Uint8Array(await file.slice(from, from + Number(meta.total_compressed_size)));
    values = Math.max(values, checkPages(bytes, meta, pathOf(tree, meta.path_in_schema), library));
  }
  // Every row has a value, or the place of one, in every column.
  if (!(rows >= 0) || rows > values) throw new PageFault(`the table says it has ${rows} rows, its columns hold ${values}`);
  const read: unknown[][] = [];
  await library.parquetRead({ file, metadata, rowStart: start, rowEnd: start + rows, compressors: library.compressors, geoparquet: false, onComplete: (found: unknown[][]) => { for (const cells of found) read.push(cells); } });
  return read;
}

function pathOf(tree: SchemaTree, names: readonly string[]): SchemaTree[] {
  const path = [tree];
  for (const name of names) {
    const next = path[path.length - 1]!.children.find(({ element }) => element.name === name);
    if (!next) throw new PageFault(`a column is called ${names.join('.')}, which is not in the schema`);
    path.push(next);
  }
  return path;
}

function offsetOf(group: RowGroup): number {
  const meta = group.columns[0]?.meta_data;
  return Number(meta?.dictionary_page_offset || meta?.data_page_offset || 0);
}

/** Whatever a reader throws over damaged bytes, as what it means. */
function damage(error: unknown, name: string, group: number | null): ContextscopeError {
  if (error instanceof ContextscopeError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const where = group === null ? 'the description of its columns' : `row group ${group + 1}`;
  return new ContextscopeError('corrupt', `${where} of ${name} cannot be read (${reason}): the file is damaged.`, { file: name });
}
