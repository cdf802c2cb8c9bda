import { joinBytes } from '../../base/concat-source';
import type { ByteSource } from '../../base/byte-source';
import { decodeUtf8 } from '../../base/text';
import { ContextscopeError, throwIfCancelled } from '../../base/errors';

/**
 * CSV (RFC 4180, and what spreadsheets and pandas make of it) by its bytes: only one record is ever held as a string. A
 * quote opens a field only at its start, `""` inside is one quote, line ends inside of quotes are text.
 */

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface CsvRecord { bytes: Uint8Array; /** Of its first byte, in the source. */ byteOffset: number; /** 1-based line of its start. */ line: number; /** It ends in the middle of a quoted field. */ open: boolean }

/** A record larger than this is a quote that was never closed. */
const MAX_RECORD_BYTES = 128 * 1024 ** 2;
const SLICE_BYTES = 4 * 1024 ** 2;

export interface SplitOptions { start: number; delimiter: number; sliceBytes?: number; signal?: AbortSignal; maxRecordBytes?: number }

/** The records of a source, in order, empty lines left out; a batch a slice, so that callers can pause between. */
export async function* csvRecords(source: ByteSource, options: SplitOptions): AsyncGenerator<CsvRecord[]> {
  const splitter = new CsvSplitter(options);
  for (let at = options.start; at < source.size; ) {
    throwIfCancelled(options.signal);
    const slice = await source.read(at, at + (options.sliceBytes ?? SLICE_BYTES));
    if (slice.length === 0) throw new ContextscopeError('corrupt', `${source.name} ended at byte ${at} of ${source.size}: it changed while it was read.`, { file: source.name, byteOffset: at });
    at += slice.length;
    yield splitter.push(slice, at >= source.size, source.name);
  }
}

type State = 'start' | 'plain' | 'quoted' | 'quote';

class CsvSplitter {
  private state: State = 'start';
  private pieces: Uint8Array[] = [];
  private heldBytes = 0;
  /** Of the next byte to come. */
  private offset: number;
  private recordOffset: number;
  private line = 1;
  private recordLine = 1;
  private readonly delimiter: number;
  private readonly maxRecordBytes: number;

  constructor({ start, delimiter, maxRecordBytes = MAX_RECORD_BYTES }: SplitOptions) {
    this.offset = this.recordOffset = start;
    this.delimiter = delimiter;
    this.maxRecordBytes = maxRecordBytes;
  }

  push(bytes: Uint8Array, last: boolean, file: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let from = 0;
    // The next line end at or behind i. Looked for once each: a JSON cell has a quote every few bytes and hardly a line end.
    let lineEnd = -1;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (this.state === 'quoted') {
        // Long texts are quoted: the next quote is found natively, and the lines before it are counted.
        const quote = bytes.indexOf(QUOTE, i);
        const end = quote < 0 ? bytes.length : quote;
        if (lineEnd < i) lineEnd = nextOf(bytes, LINE_FEED, i);
        for (; lineEnd < end; lineEnd = nextOf(bytes, LINE_FEED, lineEnd + 1)) this.line++;
        i = end;
        if (quote >= 0) this.state = 'quote';
        continue;
      }
      if (byte === QUOTE && (this.state === 'start' || this.state === 'quote')) this.state = 'quoted';
      else if (byte === this.delimiter) this.state = 'start';
      else if (byte === LINE_FEED) {
        this.line++;
        this.end(records, bytes.subarray(from, i), this.offset + i + 1, false);
        from = i + 1;
      } else if (this.state !== 'quote' || byte !== CARRIAGE_RETURN) this.state = 'plain';
    }
    this.offset += bytes.length;
    if (last) this.end(records, bytes.subarray(from), this.offset, this.state === 'quoted');
    else if (from < bytes.length) {
      this.pieces.push(bytes.subarray(from));
      this.heldBytes += bytes.length - from;
      if (this.heldBytes > this.maxRecordBytes) {
        throw new ContextscopeError('corrupt', `The record that starts in line ${this.recordLine} of ${file} is larger than ${Math.round(this.maxRecordBytes / 1024 ** 2)} MiB: a quote in it is not closed. Close it, or write the table as JSON lines.`, { file, line: this.recordLine, byteOffset: this.recordOffset });
      }
    }
    return records;
  }

  private end(records: CsvRecord[], rest: Uint8Array, next: number, open: boolean): void {
    let bytes = this.pieces.length === 0 ? rest : joinBytes([...this.pieces, rest]);
    if (bytes[bytes.length - 1] === CARRIAGE_RETURN && !open) bytes = bytes.subarray(0, -1);
    if (bytes.length > 0) records.push({ bytes, byteOffset: this.recordOffset, line: this.recordLine, open });
    this.pieces = [];
    this.heldBytes = 0;
    this.recordOffset = next;
    this.recordLine = this.line;
    this.state = 'start';
  }
}

/** Position of the next such byte; the length where there is none. */
function nextOf(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

/** The fields of one record. Text behind a closing quote belongs to its field, as most readers have it. */
export function csvFields(record: Uint8Array, delimiter: string): string[] {
  const text = decodeUtf8(record);
  const fields: string[] = [];
  for (let at = 0; at <= text.length; ) {
    if (text[at] !== '"') {
      const end = endOf(text, delimiter, at);
      fields.push(text.slice(at, end));
      at = end + 1;
      continue;
    }
    let close = text.indexOf('"', at + 1);
    while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
    const quoted = text.slice(at + 1, close < 0 ? text.length : close).replaceAll('""', '"');
    const end = close < 0 ? text.length : endOf(text, delimiter, close + 1);
    fields.push(close < 0 ? quoted : quoted + text.slice(close + 1, end));
    at = end + 1;
  }
  return fields;
}

function endOf(text: string, delimiter: string, from: number): number {
  const end = text.indexOf(delimiter, from);
  return end < 0 ? text.length : end;
}
