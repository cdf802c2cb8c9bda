import { gzip, join, zstd } from './archives';

/**
 * Parquet files of our own making (apache/parquet-format), so that tests need no writer and can build what none writes:
 * optional texts and whole numbers, and lists of structs of texts. One page a column and row group, plain values.
 */

export type ParquetValue = string | number | null | readonly number[] | readonly Readonly<Record<string, string | null>>[];
export interface ParquetColumn { name: string; /** Fields of the struct, for a list of structs. */ fields?: readonly string[]; /** Values are lists of real numbers. */ doubles?: boolean; values: readonly ParquetValue[] }
export interface ParquetOptions {
  rowsAGroup?: number;
  codec?: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'ZSTD';
  /** Lies in a page header. */
  pageValues?: number;
  pageBytes?: number;
  /** In place of the encoded definition levels of every page. */
  levels?: Uint8Array;
  /** Lies in the footer. */
  groupRows?: number;
}

const encoder = new TextEncoder();
const CODECS = { UNCOMPRESSED: 0, SNAPPY: 1, GZIP: 2, ZSTD: 6 } as const;

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Uint8Array.from([...bytes, rest]);
}

/** Thrift's compact protocol: fields by id, in order. */
type Field = [id: number, type: 'i32' | 'i64' | 'text' | 'struct' | 'list', value: number | string | Uint8Array | Uint8Array[]];
const TYPES = { i32: 5, i64: 6, text: 8, list: 9, struct: 12 } as const;
function struct(...fields: Field[]): Uint8Array {
  let last = 0;
  const pieces = fields.flatMap(([id, type, value]) => {
    const head = Uint8Array.of(((id - last) << 4) | TYPES[type]);
    last = id;
    if (type === 'text') {
      const bytes = encoder.encode(value as string);
      return [head, varint(bytes.length), bytes];
    }
    if (type === 'struct') return [head, value as Uint8Array];
    if (type === 'list') return [head, list(value as Uint8Array[])];
    return [head, varint((value as number) * 2)];
  });
  return join(...pieces, Uint8Array.of(0));
}
/** Of structs; texts and numbers are given as their bytes, with the type of their first. */
function list(items: readonly Uint8Array[], type = 12): Uint8Array {
  return join(items.length < 15 ? Uint8Array.of((items.length << 4) | type) : join(Uint8Array.of(0xf0 | type), varint(items.length)), ...items);
}
const texts = (names: readonly string[]): Uint8Array => list(names.map((name) => join(varint(encoder.encode(name).length), encoder.encode(name))), 8);
const numbers = (values: readonly number[]): Uint8Array => list(values.map((value) => varint(value * 2)), 5);

function little32(value: number): Uint8Array { return Uint8Array.of(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >>> 24) & 255); }

/** Levels as runs of one value each; every level here fits one byte. */
function runs(levels: readonly number[]): Uint8Array {
  const bytes = join(...levels.map((level) => Uint8Array.of(2, level)));
  return join(little32(bytes.length), bytes);
}

function plain(value: string | number): Uint8Array {
  if (typeof value === 'number') return new Uint8Array(new BigInt64Array([BigInt(value)]).buffer);
  const bytes = encoder.encode(value);
  return join(little32(bytes.length), bytes);
}

/** Snappy of literals alone. */
function snappy(bytes: Uint8Array): Uint8Array {
  const pieces = [varint(bytes.length)];
  for (let at = 0; at < bytes.length; at += 60) {
    const piece = bytes.subarray(at, at + 60);
    pieces.push(Uint8Array.of((piece.length - 1) << 2), piece);
  }
  return join(...pieces);
}

const pack = (bytes: Uint8Array, codec: NonNullable<ParquetOptions['codec']>): Uint8Array => (codec === 'GZIP' ? gzip(bytes) : codec === 'ZSTD' ? zstd(bytes) : codec === 'SNAPPY' ? snappy(bytes) : bytes);

interface Leaf { path: string[]; type: 2 | 5 | 6; content: Uint8Array; count: number }

/** A repeated field: the list of a row without the three levels of LIST. */
function doublesLeaf({ name, values }: ParquetColumn): Leaf {
  const lists = values.map((value) => value as readonly number[]);
  const repetition = lists.flatMap((list) => (list.length === 0 ? [0] : list.map((_, i) => (i === 0 ? 0 : 1))));
  const definition = lists.flatMap((list) => (list.length === 0 ? [0] : list.map(() => 1)));
  return { path: [name], type: 5, count: repetition.length, content: join(runs(repetition), runs(definition), new Uint8Array(Float64Array.from(lists.flat()).buffer)) };
}

function leaves(column: ParquetColumn): Leaf[] {
  const { name, fields, values } = column;
  if (column.doubles) return [doublesLeaf(column)];
  if (!fields) {
    const isNumber = values.some((value) => typeof value === 'number');
    const present = values.filter((value): value is string | number => typeof value === 'string' || typeof value === 'number');
    return [{ path: [name], type: isNumber ? 2 : 6, count: values.length, content: join(runs(values.map((value) => (value === null ? 0 : 1))), ...present.map(plain)) }];
  }
  return fields.map((field): Leaf => {
    const repetition: number[] = [];
    const definition: number[] = [];
    const present: string[] = [];
    for (const value of values) {
      const items = Array.isArray(value) ? (value as readonly Readonly<Record<string, string | null>>[]) : null;
      if (!items || items.length === 0) {
        repetition.push(0);
        definition.push(items ? 1 : 0);
        continue;
      }
      items.forEach((item, i) => {
        const text = item[field] ?? null;
        repetition.push(i === 0 ? 0 : 1);
        definition.push(text === null ? 3 : 4);
        if (text !== null) present.push(text);
      });
    }
    return { path: [name, 'list', 'element', field], type: 6, count: repetition.length, content: join(runs(repetition), runs(definition), ...present.map(plain)) };
  });
}

const OPTIONAL = 1;
const REPEATED = 2;
const UTF8 = 0;
const LIST = 3;

function schema(columns: readonly ParquetColumn[]): Uint8Array[] {
  const nodes = [struct([4, 'text', 'schema'], [5, 'i32', columns.length])];
  for (const column of columns) {
    if (column.fields) {
      nodes.push(struct([3, 'i32', OPTIONAL], [4, 'text', column.name], [5, 'i32', 1], [6, 'i32', LIST]), struct([3, 'i32', REPEATED], [4, 'text', 'list'], [5, 'i32', 1]), struct([3, 'i32', OPTIONAL], [4, 'text', 'element'], [5, 'i32', column.fields.length]));
      for (const field of column.fields) nodes.push(struct([1, 'i32', 6], [3, 'i32', OPTIONAL], [4, 'text', field], [6, 'i32', UTF8]));
    } else if (column.doubles) nodes.push(struct([1, 'i32', 5], [3, 'i32', REPEATED], [4, 'text', column.name]));
    else if (column.values.some((value) => typeof value === 'number')) nodes.push(struct([1, 'i32', 2], [3, 'i32', OPTIONAL], [4, 'text', column.name]));
    else nodes.push(struct([1, 'i32', 6], [3, 'i32', OPTIONAL], [4, 'text', column.name], [6, 'i32', UTF8]));
  }
  return nodes;
}

export function parquet(columns: readonly ParquetColumn[], { rowsAGroup = Infinity, codec = 'UNCOMPRESSED', pageValues, pageBytes, levels, groupRows }: ParquetOptions = {}): Uint8Array {
  const rows = columns[0]!.values.length;
  const pieces: Uint8Array[] = [encoder.encode('PAR1')];
  let at = 4;
  const groups: Uint8Array[] = [];
  for (let from = 0; from < rows || from === 0; from += rowsAGroup) {
    const chunks: Uint8Array[] = [];
    const size = Math.min(rowsAGroup, rows - from);
    for (const column of columns) {
      for (const leaf of leaves({ ...column, values: column.values.slice(from, from + size) })) {
        const content = levels ? join(little32(levels.length), levels) : leaf.content;
        const packed = pack(content, codec);
        const header = struct([1, 'i32', 0], [2, 'i32', pageBytes ?? content.length], [3, 'i32', packed.length], [5, 'struct', struct([1, 'i32', pageValues ?? leaf.count], [2, 'i32', 0], [3, 'i32', 3], [4, 'i32', 3])]);
        chunks.push(struct([2, 'i64', at], [3, 'struct', columnMeta(leaf, codec, header.length + content.length, header.length + packed.length, at)]));
        pieces.push(header, packed);
        at += header.length + packed.length;
      }
    }
    groups.push(struct([1, 'list', chunks], [2, 'i64', 0], [3, 'i64', groupRows ?? size]));
    if (rowsAGroup === Infinity) break;
  }
  const footer = struct([1, 'i32', 1], [2, 'list', schema(columns)], [3, 'i64', groupRows ?? rows], [4, 'list', groups]);
  return join(...pieces, footer, little32(footer.length), encoder.encode('PAR1'));
}

function columnMeta({ path, type, count }: Leaf, codec: NonNullable<ParquetOptions['codec']>, unpacked: number, packed: number, at: number): Uint8Array {
  const field = (delta: number, value: Uint8Array, kind: number): Uint8Array => join(Uint8Array.of((delta << 4) | kind), value);
  return join(
    field(1, varint(type * 2), 5), field(1, numbers([0, 3]), 9), field(1, texts(path), 9), field(1, varint(CODECS[codec] * 2), 5),
    field(1, varint(count * 2), 6), field(1, varint(unpacked * 2), 6), field(1, varint(packed * 2), 6), field(2, varint(at * 2), 6), Uint8Array.of(0),
  );
}
