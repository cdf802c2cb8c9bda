import type { ColumnMetaData, Compressors, SchemaTree } from 'hyparquet';
import type { parquetHeader } from 'hyparquet/src/column.js';
import type { deltaBinaryUnpack } from 'hyparquet/src/delta.js';

/**
 * Looks through the pages of a Parquet column chunk before they are decoded (layout: apache/parquet-format README,
 * "Data Pages", "Encodings"). The decoder believes what a file says of itself: a run of two billion equal values in five
 * bytes would fill the memory, and a run of a negative length would never end.
 */

/** Values of one page, and of one column of a row group. Writers make pages of 20 000 to some 100 000. */
const MAX_PAGE_VALUES = 4_000_000;
const MAX_CHUNK_VALUES = 32_000_000;
/** Of one page, unpacked. */
const MAX_PAGE_BYTES = 512 * 1024 ** 2;
/** Unpacked : packed, above `FREE_PAGE_BYTES`. */
const MAX_PAGE_RATIO = 2000;
const FREE_PAGE_BYTES = 16 * 1024 ** 2;
/** Values that bit-packed runs may go beyond the end of a page. */
const RUN_SLACK = 512;
/** All texts of a page whose values repeat the beginning of the one before. */
const MAX_DELTA_BYTES = 1024 ** 3;

/** What `hyparquet` exports for it; handed in, because the library is loaded on demand. */
export interface PageTools {
  parquetHeader: typeof parquetHeader;
  deltaBinaryUnpack: typeof deltaBinaryUnpack;
  compressors: Compressors;
}

export class PageFault extends Error {}

/** Checks a chunk. Returns the number of values it holds. Throws PageFault, or whatever a reader throws at the end of bytes. */
export function checkPages(bytes: Uint8Array, meta: ColumnMetaData, path: readonly SchemaTree[], tools: PageTools): number {
  const levels = { repetition: path.filter(({ element }) => element.repetition_type === 'REPEATED').length, definition: path.slice(1).filter(({ element }) => element.repetition_type !== 'REQUIRED').length };
  const reader = { view: viewOf(bytes), offset: 0 };
  let values = 0;
  while (reader.offset < bytes.length - 1) {
    const header = tools.parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
    if (!(packed >= 0) || reader.offset + packed > bytes.length) throw new PageFault(`a page of ${packed} bytes ends outside of its column`);
    if (!(unpacked >= 0) || unpacked > MAX_PAGE_BYTES || (unpacked > FREE_PAGE_BYTES && unpacked > packed * MAX_PAGE_RATIO)) throw new PageFault(`a page of ${packed} bytes unpacks to ${unpacked}`);
    const page = bytes.subarray(reader.offset, reader.offset + packed);
    reader.offset += packed;
    const v1 = header.type === 'DATA_PAGE' ? header.data_page_header : undefined;
    const v2 = header.type === 'DATA_PAGE_V2' ? header.data_page_header_v2 : undefined;
    const count = (v1 ?? v2 ?? header.dictionary_page_header)?.num_values ?? 0;
    if (!(count >= 0) || count > MAX_PAGE_VALUES) throw new PageFault(`a page says it holds ${count} values`);
    if (header.type === 'DICTIONARY_PAGE') {
      if (count > unpacked * 8) throw new PageFault(`a dictionary of ${unpacked} bytes says it holds ${count} values`);
      continue;
    }
    values += count;
    if (values > MAX_CHUNK_VALUES) throw new PageFault(`a column says it holds more than ${MAX_CHUNK_VALUES} values in one row group`);
    if (v1) checkV1(unpack(page, meta.codec, unpacked, tools), count, v1.encoding, meta, levels, tools);
    else if (v2) {
      const { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition, num_nulls: nulls } = v2;
      if (!(repetition >= 0) || !(definition >= 0) || repetition + definition > packed || !(nulls >= 0) || nulls > count) throw new PageFault('the levels of a page end outside of it');
      if (levels.repetition > 0) checkRuns(page, 0, width(levels.repetition), count);
      if (levels.definition > 0) checkRuns(page, repetition, width(levels.definition), count);
      const rest = page.subarray(repetition + definition);
      const size = unpacked - repetition - definition;
      checkValues(v2.is_compressed !== false && size > 0 ? unpack(rest, meta.codec, size, tools) : rest, 0, count - nulls, v2.encoding, meta, tools);
    }
  }
  return values;
}

function unpack(page: Uint8Array, codec: ColumnMetaData['codec'], size: number, { compressors }: PageTools): Uint8Array {
  if (codec === 'UNCOMPRESSED') return page;
  const read = compressors[codec];
  if (!read) throw new PageFault(`pages are packed by ${codec}, which is not read here`);
  return read(page, size);
}

function checkV1(page: Uint8Array, count: number, encoding: string, meta: ColumnMetaData, levels: { repetition: number; definition: number }, tools: PageTools): void {
  let at = 0;
  for (const level of [levels.repetition, levels.definition]) {
    if (level === 0) continue;
    checkRuns(page, at + 4, width(level), count);
    at += 4 + viewOf(page).getUint32(at, true);
  }
  checkValues(page, at, count, encoding, meta, tools);
}

function checkValues(page: Uint8Array, at: number, count: number, encoding: string, meta: ColumnMetaData, tools: PageTools): void {
  if (count === 0) return;
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY') {
    const bits = page[at] ?? 0;
    if (bits > 32) throw new PageFault(`indexes of ${bits} bits`);
    // Nulls are left out of the values: how many is only known after the levels are read.
    if (bits > 0) checkRuns(page, at + 1, bits, count, false);
  } else if (encoding === 'RLE') checkRuns(page, meta.type === 'BOOLEAN' && at > 0 ? at + 4 : at, 1, count, false);
  else if (encoding === 'DELTA_BYTE_ARRAY') {
    const lengths = new Int32Array(count);
    tools.deltaBinaryUnpack({ view: viewOf(page), offset: at }, count, lengths);
    let sum = 0;
    for (const length of lengths) sum += length;
    if (sum > MAX_DELTA_BYTES) throw new PageFault(`the texts of a page of ${page.length} bytes come to ${sum}`);
  }
}

/** Runs of the RLE and bit-packing hybrid must come to about `count` values, and each must be one. */
function checkRuns(page: Uint8Array, from: number, bits: number, count: number, all = true): void {
  let at = from;
  let seen = 0;
  while (seen < count) {
    if (at >= page.length) {
      if (all) throw new PageFault('a run of levels ends outside of its page');
      return;
    }
    let header = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = page[at++] ?? 0;
      header += (byte & 0x7f) * 2 ** shift;
      if ((byte & 0x80) === 0) break;
      if (shift > 28) throw new PageFault('a run says it is longer than a page can be');
    }
    const packed = header % 2 === 1;
    const length = packed ? ((header - 1) / 2) * 8 : header / 2;
    if (length > count - seen + RUN_SLACK) throw new PageFault(`a run says it holds ${length} values, of ${count - seen} that are left`);
    if (length === 0 && at >= page.length) throw new PageFault('a run holds nothing');
    at += packed ? (length / 8) * bits : Math.ceil(bits / 8);
    seen += length;
  }
}

function width(maxLevel: number): number { return 32 - Math.clz32(maxLevel); }

function viewOf(bytes: Uint8Array): DataView { return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
