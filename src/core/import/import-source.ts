import type { ByteSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';
import { nobleHasher } from '../base/hasher';
import type { Hasher } from '../base/hasher';
import type { Trajectory } from '../trace/model';
import { openContent } from './content';
import type { Content } from './content';
import type { FileLinks, FormatSession, Sample, SourceRecord } from './format';
import { peek } from './json-node';
import { DEFAULT_SLICE_BYTES, readRecords } from './record-stream';
import type { RecordBatch } from './record-stream';
import { detectFormat, formatById, unknownFormat } from './registry';
import type { Detection } from './registry';
import { ReportBuilder, isStep } from './report';
import { salvageLine } from './salvage';
import type { ImportOptions, ImportSource, ImportedFile } from './types';

/** Records that detection looks at. */
const SAMPLE_RECORDS = 20;
/** Read at most for the sample: records may be tens of megabytes each. */
const MAX_SAMPLE_BYTES = 64 * 1024 * 1024;
/** The first look is offered once this much has been read; a smaller file is simply done. */
const FIRST_LOOK_BYTES = 1_000_000;

/** Imports one source. See `ImportSource`. */
export const importSource: ImportSource = async (source, options = {}) => {
  const { report, trajectories } = await importWithLinks(source, options);
  return { report, trajectories };
};

/** An imported file with what is needed to join it with others. `plain` = spans are offsets into the file itself. */
export interface LinkedFile extends ImportedFile { links?: FileLinks; plain: boolean }

export async function importWithLinks(source: ByteSource, options: ImportOptions): Promise<LinkedFile> {
  return new Importer(source, options).run();
}

class Importer {
  private readonly report = new ReportBuilder();
  private readonly hasher: Hasher;
  private found: Detection | null = null;
  private session: FormatSession | null = null;
  private firstLookDone = false;
  /** Records read before the format is decided. */
  private waiting: SourceRecord[] = [];
  private container: Content['container'] = 'none';

  constructor(private readonly source: ByteSource, private readonly options: ImportOptions) {
    this.hasher = options.createHasher?.() ?? nobleHasher();
  }

  async run(): Promise<LinkedFile> {
    const content = await openContent(this.source);
    this.container = content.container;
    content.notes.forEach((note) => { this.report.warn(note); });
    const isSame = content.source === this.source;
    const sliceBytes = this.options.sliceBytes ?? DEFAULT_SLICE_BYTES;
    const { signal } = this.options;
    for await (const batch of readRecords(content, { sliceBytes, signal, onBytes: isSame ? (bytes) => { this.hasher.update(bytes); } : undefined })) {
      this.take(batch);
      this.options.onProgress?.({ bytesRead: isSame ? batch.bytesRead : Math.round((this.source.size * batch.bytesRead) / content.source.size), bytesTotal: this.source.size, records: this.report.records });
      this.offerFirstLook(batch);
    }
    if (!isSame) await this.hashSource(sliceBytes);
    return { ...this.finish(await this.hasher.digest()), plain: isSame, links: this.session?.links?.() };
  }

  private async hashSource(sliceBytes: number): Promise<void> {
    for (let at = 0; at < this.source.size; at += sliceBytes) this.hasher.update(await this.source.read(at, at + sliceBytes));
  }

  private take(batch: RecordBatch): void {
    batch.notes.forEach((note) => { this.report.warn(note); });
    batch.bad.forEach((bad) => { this.report.badRecord(bad); });
    if (this.session) {
      for (const record of batch.records) this.addRecord(record);
      return;
    }
    // What is decided must not depend on where slices end: wait for the whole sample.
    this.waiting.push(...batch.records);
    if (this.waiting.length === 0 || (this.waiting.length < SAMPLE_RECORDS && !batch.last && batch.bytesRead < MAX_SAMPLE_BYTES)) return;
    this.session = this.openSession(batch.shape, batch.last && this.waiting.length === 1);
    for (const record of this.waiting) this.addRecord(record);
    this.waiting = [];
  }

  private openSession(shape: Sample['shape'], single: boolean): FormatSession {
    const sample: Sample = { shape, records: this.waiting.slice(0, SAMPLE_RECORDS).map((record) => peek(record.node)).filter((value) => value !== undefined) };
    const { format } = (this.found = this.options.format === undefined ? detectFormat(sample, this.source.name) : { format: formatById(this.options.format), confidence: 'forced' });
    return format.open({
      baseName: baseName(this.source.name),
      shape,
      single,
      count: (kind, units) => { this.report.count(kind, units); },
      unknown: (kind) => { this.report.unknown(kind); },
      warn: (text) => { this.report.warn(text); },
    });
  }

  private addRecord(record: SourceRecord): void {
    const { format } = this.found!;
    // Formats that read parts of a record scan it anyway; there a line must be whole before its parts are trusted.
    const pieces = format.reads === 'parts' && record.line > 0 ? salvageLine(record, true) : null;
    if (pieces) return this.addPieces(pieces);
    try {
      this.session!.add(record);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.addPieces(salvageLine(record, false) ?? { bad: [{ line: record.line, byteOffset: record.node.byteOffset, reason: `not valid JSON: ${error.message}` }], records: [] });
    }
  }

  private addPieces(pieces: NonNullable<ReturnType<typeof salvageLine>>): void {
    pieces.bad.forEach((bad) => { this.report.badRecord(bad); });
    for (const record of pieces.records) {
      try {
        this.session!.add(record);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        this.report.badRecord({ line: record.line, byteOffset: record.node.byteOffset, reason: `not valid JSON: ${error.message}` });
      }
    }
  }

  private offerFirstLook(batch: RecordBatch): void {
    const { onFirst } = this.options;
    if (!onFirst || this.firstLookDone || !this.session || batch.bytesRead < FIRST_LOOK_BYTES) return;
    const trajectories = this.trajectories('');
    if (!trajectories.some(({ columns }) => columns.role.some((_, row) => isStep(columns, row)))) return;
    this.firstLookDone = true;
    onFirst(this.file('', trajectories));
  }

  private finish(sha256: string): ImportedFile {
    if (!this.session) {
      if (this.report.badRecordCount > 0) throw unknownFormat({ shape: 'lines', records: [] }, this.source.name);
      if (this.options.format !== undefined) formatById(this.options.format);
      this.report.warn(this.source.size === 0 ? 'The file is empty.' : 'The file holds nothing but white space.');
    }
    const all = this.trajectories(sha256);
    // Headers, titles, summaries of other sessions: nothing that could be opened.
    const trajectories = all.every(({ columns }) => columns.n === 0) ? [] : all;
    if (this.session && trajectories.length === 0) this.report.warn('No message was found in the file.');
    return this.file(sha256, trajectories);
  }

  private trajectories(sha256: string): Trajectory[] {
    const format = this.found?.format.id ?? '';
    return (this.session?.build() ?? []).map((draft, indexInFile) => ({ ...draft, id: `${sha256}#${indexInFile}`, indexInFile, format }));
  }

  private file(sha256: string, trajectories: Trajectory[]): ImportedFile {
    const report = this.report.build({ file: this.source.name, bytes: this.source.size, sha256, container: this.container }, this.found, trajectories, this.session?.counts?.());
    return { report, trajectories };
  }
}

function baseName(path: string): string {
  const name = path.split(/[\\/]/).pop() ?? path;
  return name.replace(/(\.traj)?\.(jsonl|json|ndjson|traj|log|txt)(\.gz)?$/i, '') || name;
}

/** Rethrows anything as an error that names the file. */
export function asImportError(error: unknown, file: string): ContextscopeError {
  if (error instanceof ContextscopeError) return error;
  return new ContextscopeError('internal', `${file} could not be imported: ${error instanceof Error ? error.message : String(error)}`, { file });
}
