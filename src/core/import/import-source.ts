import type { ByteSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';
import type { Hasher } from '../base/hasher';
import { decodeUtf8 } from '../base/text';
import type { Trajectory } from '../trace/model';
import { openOnly, openText } from './content';
import type { Opened } from './containers';
import type { FileLinks, Format, Sample, SourceRecord } from './format';
import { FormatMix } from './format-mix';
import type { Home } from './format-mix';
import { peek } from './json-node';
import { DEFAULT_SLICE_BYTES, readRecords } from './record-stream';
import type { RecordBatch } from './record-stream';
import { hasherFor, hashSource } from './hash-source';
import { findDamage } from './json-damage';
import { inferCompactions } from './infer-compactions';
import { soundThreads } from './sound-threads';
import { isUsageWarning, possibleUsage } from './possible-usage';
import { FORMATS, detectFormat, formatById, unknownFormat } from './registry';
import type { Detection } from './registry';
import { ReportBuilder, isStep } from './report';
import { salvageLine } from './salvage';
import { mayBeEncrypted } from './stores/open-store';
import { CSV_HEAD_BYTES, csvFault } from './tables/open-csv';
import { utf8Head } from './text-encoding';
import type { ImportOptions, ImportSource, ImportedFile } from './types';
import type { OpenOptions } from './open-options';

/** Of a text record. */
const TEXT_LOOK_BYTES = 4096;
/** Records that detection looks at. */
const SAMPLE_RECORDS = 20;
/** Read at most for the sample: records may be tens of megabytes each. */
const MAX_SAMPLE_BYTES = 64 * 1024 * 1024;
/** The first look is offered once this much has been read; a smaller file is simply done. */
const FIRST_LOOK_BYTES = 1_000_000;

/** Imports one source. See `ImportSource`. */
export const importSource: ImportSource = async (source, options = {}) => {
  const { report, trajectories, content } = await importWithLinks(source, options);
  return { report, trajectories, ...(content ? { content } : {}) };
};

/** An imported file with what is needed to join it with others. `plain` = spans are offsets into `opened.source`. */
export interface LinkedFile extends ImportedFile { links?: FileLinks; plain: boolean }

async function importWithLinks(source: ByteSource, options: ImportOptions): Promise<LinkedFile> {
  const opened = await openOnly(source, unpackOptions(source, options));
  return importOpened(source, opened, options, () => hashSource(source, options));
}

/** Progress while `source` is unpacked is the first half of its bytes. */
export function unpackOptions(source: ByteSource, options: ImportOptions, wal?: ByteSource): OpenOptions {
  const { signal, createSpool, onProgress, sqliteWasm } = options;
  return {
    limits: options.unpack,
    signal,
    createSpool,
    sqliteWasm,
    wal,
    // How much is packed is known, how much comes out is not: half of the way at most, slower and slower.
    onBytes: onProgress && ((unpacked) => { onProgress({ bytesRead: Math.floor((source.size / 2) * (unpacked / (unpacked + source.size * 4 + 1))), bytesTotal: source.size, records: 0 }); }),
  };
}

/** Imports what was opened of `given`; `hashGiven` is the SHA-256 of the whole given file. */
export async function importOpened(given: ByteSource, opened: Opened, options: ImportOptions, hashGiven: () => Promise<string>): Promise<LinkedFile> {
  try {
    return await new Importer(given, opened, options, hashGiven).run();
  } catch (error) {
    if (!(error instanceof ContextscopeError) || error.code !== 'unknown-format') throw error;
    const head = await opened.source.read(0, CSV_HEAD_BYTES);
    const fault = csvFault(utf8Head(head), opened.name) ?? (mayBeEncrypted(head, opened.source.size, opened.name) ? `${opened.name} has the name of a database, but holds no SQLite database: it may be encrypted. Export the sessions from its program.` : null);
    throw fault === null ? error : new ContextscopeError('unknown-format', fault, error.place);
  }
}

class Importer {
  private readonly report = new ReportBuilder();
  /** Sees the bytes while they are read, when the file is in no container. */
  private readonly hasher: Hasher | null;
  private found: Detection | null = null;
  private mix: FormatMix | null = null;
  private firstLookDone = false;
  private nonFinite = 0;
  /** Records read before the format is decided. */
  private waiting: SourceRecord[] = [];

  constructor(private readonly given: ByteSource, private readonly opened: Opened, private readonly options: ImportOptions, private readonly hashGiven: () => Promise<string>) {
    this.hasher = opened.container === 'none' ? hasherFor(given, options) : null;
  }

  async run(): Promise<LinkedFile> {
    const { opened, given } = this;
    const content = await openText(opened);
    content.notes.forEach((note) => { this.report.warn(note); });
    this.report.badRecords(opened.bad ?? [], opened.badCount ?? 0);
    const plain = content.source === opened.source;
    const sliceBytes = this.options.sliceBytes ?? DEFAULT_SLICE_BYTES;
    const { hasher } = this;
    const onBytes = hasher && plain && !hasher.readsItself ? (bytes: Uint8Array): void => { hasher.update(bytes); } : undefined;
    for await (const batch of readRecords(content, { sliceBytes, signal: this.options.signal, onBytes, heldBytes: this.options.heldBytes })) {
      this.take(batch);
      this.options.onProgress?.({ bytesRead: this.progress(batch.bytesRead, content.source.size), bytesTotal: given.size, records: this.report.records });
      this.offerFirstLook(batch);
    }
    const sha256 = hasher && (plain || hasher.readsItself) ? await hasher.digest() : await this.hashGiven();
    const id = opened.isMember || opened.isJoined === true ? await hashSource(opened.source, this.options) : sha256;
    return { ...this.finish(sha256, id), plain, links: this.mix?.homes.length === 1 ? this.mix.homes[0]!.session.links?.() : undefined };
  }

  /** In bytes of the given file: what was packed is half done when it is unpacked. */
  private progress(read: number, total: number): number {
    const { size } = this.given;
    if (this.opened.container === 'none') return total === size ? read : Math.round((size * read) / total);
    return Math.round(size / 2 + (size / 2) * (read / Math.max(1, total)));
  }

  private take(batch: RecordBatch): void {
    batch.notes.forEach((note) => { this.report.warn(note); });
    batch.bad.forEach((bad) => { this.report.badRecord(bad); });
    if (this.mix) {
      for (const record of batch.records) this.addRecord(record);
      return;
    }
    // What is decided must not depend on where slices end: wait for the whole sample.
    this.waiting.push(...batch.records);
    if (this.waiting.length === 0 || (this.waiting.length < SAMPLE_RECORDS && !batch.last && batch.bytesRead < MAX_SAMPLE_BYTES)) return;
    this.mix = this.openMix(batch.shape, batch.last && this.waiting.length === 1);
    // All formats of the sample are known before its first record is given to one.
    for (const record of this.waiting) this.mix.route(record);
    for (const record of this.waiting) this.addRecord(record);
    this.waiting = [];
  }

  private openMix(shape: Sample['shape'], single: boolean): FormatMix {
    const look = (record: SourceRecord): unknown => (shape === 'text' ? decodeUtf8(record.node.head(TEXT_LOOK_BYTES)) : peek(record.node));
    const sample: Sample = { shape, records: this.waiting.slice(0, SAMPLE_RECORDS).map(look).filter((value) => value !== undefined) };
    const forced = this.options.format;
    this.found = forced === undefined ? detectFormat(sample, this.opened.name) : { format: formatById(forced), confidence: 'forced' };
    // One record cannot be of two formats, and a format that was asked for is not doubted.
    const candidates = forced === undefined && !single && shape !== 'text' ? FORMATS : [];
    return new FormatMix(this.openHome(this.found.format, shape, single), shape, candidates, (format) => this.openHome(format, shape, false));
  }

  private openHome(format: Format, shape: Sample['shape'], single: boolean): Home {
    let records = 0;
    const session = format.open({
      baseName: baseName(this.opened.name),
      shape,
      single,
      count: (kind, units) => {
        records += units ?? 1;
        this.report.count(kind, units);
      },
      unknown: (kind) => { this.report.unknown(kind); },
      warn: (text) => { this.report.warn(text); },
    });
    return { format, session, get records() { return records; } };
  }

  private addRecord(record: SourceRecord): void {
    const home = this.mix!.route(record);
    // Formats that read parts of a record scan it anyway; there a line must be whole before its parts are trusted.
    const pieces = home.format.reads === 'parts' && record.line > 0 ? salvageLine(record, true) : null;
    if (pieces) return this.addPieces(pieces);
    if (home.format.reads === 'parts') this.reportDamage(record);
    try {
      this.give(home, record);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.addPieces(salvageLine(record, false) ?? { bad: [{ line: record.line, byteOffset: record.node.byteOffset, reason: `not valid JSON: ${error.message}` }], records: [] });
    }
  }

  /** A record of which its format says nothing at all would be lost silently. */
  private give(home: Home, record: SourceRecord): void {
    const before = this.report.said;
    try {
      home.session.add(record);
    } catch (error) {
      // The engine's stack ended: what the format had taken of the record stays.
      if (!(error instanceof RangeError)) throw error;
      this.report.badRecord({ line: record.line, byteOffset: record.node.byteOffset, reason: `nested too deeply to be read: ${error.message}` });
    }
    if (home.format.reads !== 'parts' && record.node.isLenient) this.reportDamage(record);
    else if (home.format.reads !== 'parts') this.nonFinite += record.node.nonFinite;
    if (this.report.said === before) this.report.unknown('record without content');
  }

  private reportDamage({ node, line }: SourceRecord): void {
    const { damage, nonFinite } = findDamage(node);
    for (const { byteOffset, reason } of damage) this.report.damage({ line, byteOffset, reason });
    this.nonFinite += nonFinite;
  }

  private addPieces(pieces: NonNullable<ReturnType<typeof salvageLine>>): void {
    pieces.bad.forEach((bad) => { this.report.badRecord(bad); });
    for (const record of pieces.records) {
      try {
        this.give(this.mix!.route(record), record);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.report.badRecord({ line: record.line, byteOffset: record.node.byteOffset, reason: `not valid JSON: ${error.message}` });
      }
    }
  }

  private offerFirstLook(batch: RecordBatch): void {
    const { onFirst } = this.options;
    if (!onFirst || this.firstLookDone || !this.mix || batch.bytesRead < FIRST_LOOK_BYTES) return;
    const trajectories = this.trajectories('');
    if (!trajectories.some(({ columns }) => columns.role.some((_, row) => isStep(columns, row)))) return;
    this.firstLookDone = true;
    onFirst(this.file('', trajectories));
  }

  private finish(sha256: string, id: string): ImportedFile {
    if (!this.mix) {
      if (this.report.badRecordCount > 0) throw unknownFormat({ shape: 'lines', records: [] }, this.opened.name);
      if (this.options.format !== undefined) formatById(this.options.format);
      this.report.warn(this.opened.source.size === 0 ? 'The file is empty.' : 'The file holds nothing but white space.');
    }
    if (this.nonFinite > 0) this.report.warn(`${this.nonFinite} ${this.nonFinite === 1 ? 'number is' : 'numbers are'} NaN or infinite, which JSON does not know, and ${this.nonFinite === 1 ? 'is' : 'are'} read as unknown.`);
    const all = this.trajectories(id);
    // Headers, titles, summaries of other sessions: nothing that could be opened.
    for (const { warnings } of all) for (const text of warnings) if (isUsageWarning(text)) this.report.warn(text);
    const trajectories = all.every(({ columns }) => columns.n === 0) ? [] : all;
    if (this.mix && trajectories.length === 0) this.report.warn('No message was found in the file.');
    return this.file(sha256, trajectories);
  }

  private trajectories(id: string): Trajectory[] {
    const drafts = (this.mix?.homes ?? []).flatMap(({ format, session }) => session.build().map((draft) => ({ draft, format: format.id })));
    return drafts.map(({ draft, format }, indexInFile) => ({ ...inferCompactions(soundThreads(possibleUsage(draft))), id: `${id}#${indexInFile}`, indexInFile, format }));
  }

  private file(sha256: string, trajectories: Trajectory[]): ImportedFile {
    const { opened, given } = this;
    const bytes = opened.isMember ? opened.source.size : given.size;
    const report = this.report.build({ file: opened.name, bytes, sha256, container: opened.container }, this.found, trajectories, this.mix?.homes);
    return { report, trajectories, ...(opened.container === 'none' ? {} : { content: opened.source }) };
  }
}

function baseName(path: string): string {
  const name = path.split(/[\\/!]/).pop() ?? path;
  return name.replace(/(\.traj)?\.(jsonl|json|ndjson|traj|log|txt|md|af|eval|csv|tsv|parquet|db|vscdb)(\.(gz|zst|zip))?$/i, '') || name;
}

/** Rethrows anything as an error that names the file. */
export function asImportError(error: unknown, file: string): ContextscopeError {
  if (error instanceof ContextscopeError) return error;
  return new ContextscopeError('internal', `${file} could not be imported: ${error instanceof Error ? error.message : String(error)}`, { file });
}
