import type { ByteSource } from '../base/byte-source';
import { joinBytes } from '../base/concat-source';
import { decodeUtf8 } from '../base/text';
import { ContextscopeError, throwIfCancelled } from '../base/errors';
import type { Content } from './content';
import { DocumentScanner } from './document-scan';
import { eventDataStart, isEventStream } from './event-stream';
import type { SourceRecord, SourceShape } from './format';
import { JsonNode, isSpace, skipSpace, skipValue } from './json-node';
import { Pages, pagedNode } from './paged-node';
import { TEXT_HEAD_BYTES, isTextLog, splitTextLog } from './text-records';
import type { BadRecord } from './types';

/** 8 MiB: larger slices were not faster (toolchain.md), and a slice is what memory peaks grow by. */
export const DEFAULT_SLICE_BYTES = 8 * 1024 * 1024;
/** A JSON document up to this size is held in memory as bytes; a larger one is read by pages. */
const HELD_DOCUMENT_BYTES = 64 * 1024 * 1024;
/** Where bytes cannot be read at once (no pages), a document has to be held. */
const MAX_HELD_BYTES = 1024 * 1024 * 1024;
/** Containers of this size are looked into without reading them. */
const LARGE_VALUE_BYTES = 2 * 1024 * 1024;
/** A first line longer than this is read as a document. */
const MAX_FIRST_LINE_BYTES = 128 * 1024 * 1024;

export interface RecordBatch { shape: SourceShape; records: SourceRecord[]; bad: BadRecord[]; notes: string[]; bytesRead: number; /** Nothing follows. */ last: boolean }

export interface StreamOptions {
  sliceBytes: number;
  signal?: AbortSignal;
  /** Sees every byte of the content source in order. */
  onBytes?: (bytes: Uint8Array) => void;
  /** `HELD_DOCUMENT_BYTES` unless a test sets it. */
  heldBytes?: number;
}

/**
 * Splits content into top-level JSON values: by the byte 0x0A alone for JSONL (U+2028 and friends are text), by brace
 * depth for documents. A batch a slice; the event loop gets a turn in between.
 */
export async function* readRecords(content: Content, options: StreamOptions): AsyncGenerator<RecordBatch> {
  const { source, start } = content;
  const slices = readSlices(source, options);
  const head: Uint8Array[] = [];
  let headBytes = 0;
  for await (const slice of slices) {
    head.push(slice);
    headBytes += slice.length;
    const done = headBytes >= source.size;
    // Nothing can be told before the first line is complete; a document of one line has only one.
    const isLong = headBytes > MAX_FIRST_LINE_BYTES;
    if (!done && !isLong && !slice.includes(0x0a)) continue;
    const bytes = joinBytes(head);
    if (isText(bytes, start)) {
      // Logs of text show themselves in their first bytes, however small the slices are.
      if (!done && bytes.length < start + TEXT_HEAD_BYTES) continue;
      if (isTextLog(decodeUtf8(bytes.subarray(start, start + TEXT_HEAD_BYTES)))) {
        yield* readText(source, start, bytes, slices);
        return;
      }
      if (isEventStream(decodeUtf8(bytes.subarray(start, start + TEXT_HEAD_BYTES)))) {
        yield* readLines(new LineSplitter(start, eventDataStart), source, bytes, done, slices);
        return;
      }
    }
    const shape = guessShape(bytes, start, done) ?? (isLong ? 'document' : null);
    if (shape === null) continue;
    if (shape === 'document') yield* readDocument(source, start, bytes, slices, options);
    else yield* readLines(new LineSplitter(start), source, bytes, done, slices);
    return;
  }
}

async function* readLines(lines: LineSplitter, source: ByteSource, head: Uint8Array, done: boolean, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<RecordBatch> {
  yield lines.push(head, done);
  for await (const more of rest) yield lines.push(more, lines.bytesRead + more.length >= source.size);
}

/** Time after which the event loop gets a turn, so that a cancel can arrive; milliseconds. */
const TURN_MS = 12;

async function* readSlices(source: ByteSource, options: StreamOptions): AsyncGenerator<Uint8Array> {
  let turnStart = performance.now();
  for (let at = 0; at < source.size; ) {
    throwIfCancelled(options.signal);
    const slice = await source.read(at, at + options.sliceBytes);
    if (slice.length === 0) throw new ContextscopeError('corrupt', `${source.name} ended at byte ${at} of ${source.size}: it changed while it was read.`, { file: source.name, byteOffset: at });
    at += slice.length;
    options.onBytes?.(slice);
    yield slice;
    if (performance.now() - turnStart < TURN_MS) continue;
    await new Promise<void>((resolve) => { setTimeout(resolve, 0); });
    turnStart = performance.now();
  }
  throwIfCancelled(options.signal);
}

const LINES_LOOKED_AT = 20;

/** null = more bytes are needed to tell. */
function guessShape(bytes: Uint8Array, start: number, done: boolean): SourceShape | null {
  let at = start;
  let alone = 0;
  let seen = 0;
  while (seen < LINES_LOOKED_AT && at < bytes.length) {
    const newline = bytes.indexOf(0x0a, at);
    if (newline < 0 && !done) return seen === 0 ? null : alone * 2 > seen ? 'lines' : 'document';
    const end = newline < 0 ? bytes.length : newline;
    const from = skipSpace(bytes, at, end);
    at = end + 1;
    if (from >= end) continue;
    seen++;
    const isAlone = standsAlone(bytes, from, end);
    if (isAlone && seen === 1) return 'lines';
    if (isAlone) alone++;
  }
  // One broken first line must not turn a JSONL file into a document.
  return alone >= 2 && alone * 2 > seen ? 'lines' : 'document';
}

function standsAlone(bytes: Uint8Array, from: number, end: number): boolean {
  if (bytes[from] !== 0x7b && bytes[from] !== 0x5b) return false;
  const after = skipValue(bytes, from, end);
  return after > 0 && skipSpace(bytes, after, end) >= end;
}

class LineSplitter {
  bytesRead = 0;
  private line = 0;
  /** Pieces of a line that began in an earlier slice. */
  private open: Uint8Array[] = [];
  private openOffset = 0;

  /** `valueStart` = where the value of a line stands (−1 = it has none); the whole line unless given. */
  constructor(private skip: number, private readonly valueStart?: (bytes: Uint8Array, from: number, to: number) => number) {}

  push(slice: Uint8Array, last: boolean): RecordBatch {
    const batch: RecordBatch = { shape: 'lines', records: [], bad: [], notes: [], bytesRead: 0, last };
    const base = this.bytesRead;
    this.bytesRead += slice.length;
    batch.bytesRead = this.bytesRead;
    let at = this.skip;
    this.skip = 0;
    for (let newline = slice.indexOf(0x0a, at); newline >= 0; newline = slice.indexOf(0x0a, at)) {
      this.endLine(batch, slice, at, newline, base);
      at = newline + 1;
    }
    if (last) this.endLine(batch, slice, at, slice.length, base);
    else if (at < slice.length) {
      if (this.open.length === 0) this.openOffset = base + at;
      this.open.push(slice.subarray(at));
    }
    return batch;
  }

  private endLine(batch: RecordBatch, slice: Uint8Array, from: number, to: number, base: number): void {
    this.line++;
    if (this.open.length === 0) this.addLine(batch, slice, from, to, base);
    else {
      const whole = joinBytes([...this.open, slice.subarray(from, to)]);
      this.open = [];
      this.addLine(batch, whole, 0, whole.length, this.openOffset);
    }
  }

  private addLine(batch: RecordBatch, bytes: Uint8Array, from: number, to: number, base: number): void {
    const start = this.valueStart ? this.valueStart(bytes, from, to) : from;
    if (start >= 0) addLine(batch, bytes, start, to, base, this.line);
  }
}

function addLine(batch: RecordBatch, bytes: Uint8Array, lineFrom: number, lineTo: number, base: number, line: number): void {
  const from = skipSpace(bytes, lineFrom, lineTo);
  let to = lineTo;
  while (to > from && isSpace(bytes[to - 1])) to--;
  if (from >= to) return;
  const node = new JsonNode(bytes, from, to, base);
  const reason = rejectReason(node);
  if (reason) batch.bad.push({ line, byteOffset: node.byteOffset, reason });
  else batch.records.push({ node, line });
}

/** Why a value cannot be a record; null = it can. */
function rejectReason(node: JsonNode): string | null {
  const kind = node.kind;
  if (kind === 'object') return null;
  if (kind === 'array') return isEmptyArray(node) ? 'expected an object, found an empty array' : null;
  const shown = new TextDecoder().decode(node.head(40)).replace(/[^\x20-\x7e]/g, '·');
  return `expected a JSON object, found ${JSON.stringify(shown)}`;
}

function isEmptyArray(node: JsonNode): boolean {
  const bytes = node.head(65_536);
  return bytes.length === node.byteLength && skipSpace(bytes, 1, bytes.length) >= bytes.length - 1;
}

/** Does content open with something else than a JSON container? */
function isText(bytes: Uint8Array, start: number): boolean {
  const first = bytes[skipSpace(bytes, start, bytes.length)];
  return first !== undefined && first !== 0x7b && first !== 0x5b;
}

async function* readText(source: ByteSource, start: number, head: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<RecordBatch> {
  if (source.size > MAX_HELD_BYTES) {
    throw new ContextscopeError('too-large', `${source.name} is a text log of ${source.size} bytes; these are read up to ${MAX_HELD_BYTES} bytes. Split it between two sessions.`, { file: source.name });
  }
  const pieces = [head];
  for await (const slice of rest) pieces.push(slice);
  const bytes = joinBytes(pieces);
  yield { shape: 'text', records: splitTextLog(bytes, start), bad: [], notes: [], bytesRead: bytes.length, last: true };
}

async function* readDocument(source: ByteSource, start: number, head: Uint8Array, rest: AsyncGenerator<Uint8Array>, options: StreamOptions): AsyncGenerator<RecordBatch> {
  if (source.size > (options.heldBytes ?? HELD_DOCUMENT_BYTES) && source.readSync) {
    yield* pageDocuments(source, source.readSync.bind(source), start, head, rest, options);
    return;
  }
  if (source.size > MAX_HELD_BYTES) {
    throw new ContextscopeError('too-large', `${source.name} is one JSON document of ${source.size} bytes; here documents are read up to ${MAX_HELD_BYTES} bytes. Convert it to JSON lines, one record a line (jq -c '.[]').`, { file: source.name });
  }
  const bytes = head.length === source.size ? head : new Uint8Array(source.size);
  if (bytes !== head) bytes.set(head);
  let filled = head.length;
  for await (const slice of rest) {
    bytes.set(slice, filled);
    filled += slice.length;
  }
  yield splitDocuments(bytes, start);
}

/** Documents of any size: scanned while they stream by, read again by pages when a format asks. One batch a slice that ends one. */
async function* pageDocuments(source: ByteSource, readSync: NonNullable<ByteSource['readSync']>, start: number, head: Uint8Array, rest: AsyncGenerator<Uint8Array>, { heldBytes }: StreamOptions): AsyncGenerator<RecordBatch> {
  const pages = new Pages(readSync);
  let batch: RecordBatch = { shape: 'document', records: [], bad: [], notes: [], bytesRead: 0, last: false };
  let found = 0;
  // The last one waits for the next or the end, so that a document that is alone comes with the last batch.
  let held: SourceRecord | null = null;
  const scanner = new DocumentScanner(
    Math.min(LARGE_VALUE_BYTES, Math.ceil((heldBytes ?? HELD_DOCUMENT_BYTES) / 4)),
    (value) => {
      const node = pagedNode(pages, value);
      const reason = rejectReason(node);
      if (reason) batch.bad.push({ line: 0, byteOffset: value.from, reason });
      else {
        found++;
        if (held) batch.records.push(held);
        held = { node, line: 0 };
      }
      if (value.cut) batch.bad.push({ line: 0, byteOffset: source.size, reason: cutReason(source.size) });
    },
    ({ from, to }) => {
      if (to === source.size) batch.bad.push({ line: 0, byteOffset: from, reason: `text without JSON: ${to - from} bytes` });
      else if (found === 0) batch.notes.push(`Skipped ${to - from} bytes of text before the JSON.`);
      else batch.bad.push({ line: 0, byteOffset: from, reason: `text between JSON documents: ${to - from} bytes` });
    },
  );
  const opening = head[skipSpace(head, start, head.length)];
  const from = opening === 0x7b || opening === 0x5b ? start : nextOpening(head, start);
  if (from > start) batch.notes.push(`Skipped ${from - start} bytes of text before the JSON.`);
  let read = head.length;
  scanner.push(head.subarray(Math.max(from, start)), Math.max(from, start));
  for await (const slice of rest) {
    // What the scan has found so far goes out before the next slice.
    yield { ...batch, bytesRead: read };
    batch = { ...batch, records: [], bad: [], notes: [] };
    scanner.push(slice);
    read += slice.length;
  }
  scanner.end();
  if (held) batch.records.push(held);
  yield { ...batch, bytesRead: read, last: true };
}

function cutReason(size: number): string {
  const pipe = size % 65_536 === 0 ? ' (its size is a multiple of 65 536: some tools cut their output when it is piped)' : '';
  return `the JSON document is cut off at the end of the file${pipe}`;
}

function splitDocuments(bytes: Uint8Array, start: number): RecordBatch {
  const batch: RecordBatch = { shape: 'document', records: [], bad: [], notes: [], bytesRead: bytes.length, last: true };
  for (let at = skipSpace(bytes, start, bytes.length); at < bytes.length; at = skipSpace(bytes, at, bytes.length)) {
    if (bytes[at] !== 0x7b && bytes[at] !== 0x5b) {
      const next = nextOpening(bytes, at);
      if (next < 0) {
        batch.bad.push({ line: 0, byteOffset: at, reason: `text without JSON: ${bytes.length - at} bytes` });
        break;
      }
      // A banner that a command printed before its JSON is no record; text between documents is a lost one.
      if (batch.records.length === 0) batch.notes.push(`Skipped ${next - at} bytes of text before the JSON.`);
      else batch.bad.push({ line: 0, byteOffset: at, reason: `text between JSON documents: ${next - at} bytes` });
      at = next;
    }
    const end = skipValue(bytes, at, bytes.length);
    const node = new JsonNode(bytes, at, end < 0 ? bytes.length : end, 0, end < 0);
    const reason = rejectReason(node);
    if (reason) batch.bad.push({ line: 0, byteOffset: node.byteOffset, reason });
    else batch.records.push({ node, line: 0 });
    if (end < 0) {
      batch.bad.push({ line: 0, byteOffset: bytes.length, reason: cutReason(bytes.length) });
      break;
    }
    at = end;
  }
  return batch;
}

/** Next `{` or `[` that opens a line; else the first `{` anywhere. */
function nextOpening(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0x0a, from); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    const first = bytes[at + 1];
    if (first === 0x7b || first === 0x5b) return at + 1;
  }
  return bytes.indexOf(0x7b, from);
}
