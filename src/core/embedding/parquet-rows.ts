import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ContextscopeError } from '../base/errors';

/** Columns that vectors may be keyed by or lie in; others are not read. */
const COLUMNS: readonly string[] = ['hash', 'index', 'kind', 'vector', 'embedding'];

/** Rows of a Parquet file of vectors, whole numbers as numbers, lists as arrays. Throws 'corrupt' with the reader's reason, 'bad-argument' without columns of ours. */
export async function parquetRows(name: string, bytes: Uint8Array): Promise<Record<string, unknown>[]> {
  // A copy where the bytes are part of a larger buffer: offsets are counted from its beginning.
  const file = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer ? bytes.buffer : new Uint8Array(bytes).buffer;
  const rows = await parquetReadObjects({ file, compressors }).catch((error: unknown) => {
    throw new ContextscopeError('corrupt', `${name} could not be read as Parquet: ${error instanceof Error ? error.message : String(error)}.`, { file: name });
  });
  const found = Object.keys(rows[0] ?? {});
  if (rows.length > 0 && !found.some((column) => column === 'vector' || column === 'embedding')) {
    throw new ContextscopeError('bad-argument', `${name}: expected a column “vector” or “embedding” beside “hash” or “index”; found ${found.join(', ')}.`, { file: name });
  }
  return rows.map((row) => Object.fromEntries(COLUMNS.flatMap((column) => (row[column] === undefined || row[column] === null ? [] : [[column, plain(row[column])]]))));
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return Array.from(value as unknown as ArrayLike<number | bigint>, Number);
  return Array.isArray(value) ? value.map((item: unknown) => (typeof item === 'bigint' ? Number(item) : item)) : value;
}
