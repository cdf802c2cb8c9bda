import type { ByteSource } from '../../base/byte-source';
import { ContextscopeError } from '../../base/errors';
import { decodeUtf8 } from '../../base/text';
import { MAX_LISTED_BAD_RECORDS } from '../report';
import type { BadRecord } from '../types';
import type { UnpackGuard } from '../../base/unpack-guard';
import { csvFields, csvRecords } from './split-csv';
import { EXPECTED_COLUMNS, tableRoute } from './table-columns';
import type { TableRoute } from './table-columns';
import { TableRows } from './table-rows';

/** Bytes in which the header must stand. */
export const CSV_HEAD_BYTES = 16_384;
/** A table of this many columns is no table of messages: its header is not read. */
const MOST_COLUMNS = 2000;
const DELIMITERS = [',', '\t', ';', '|'] as const;

export interface CsvShape { delimiter: string; header: string[]; /** First byte of the record behind the header. */ start: number; /** 1-based line of it. */ line: number; route: TableRoute }

interface FirstRecord { delimiter: string; header: string[]; start: number; line: number }

/** Is this the beginning of a table of messages? By its header, whatever the file is called; null = no. */
export function csvShape(head: Uint8Array): CsvShape | null {
  for (const first of firstRecords(head)) {
    const route = tableRoute(first.header);
    // A column alone shows itself as a table by the quoted list below its name.
    if (route && (first.header.length > 1 || (route.kind === 'conversations' && head[first.start] === 0x22))) return { ...first, route };
  }
  return null;
}

/** What is missing in a table whose columns are not known; null where this does not look like a table. */
export function csvFault(head: Uint8Array, name: string): string | null {
  for (const { delimiter, header, start } of firstRecords(head)) {
    if (header.length < 2 || !header.every((field) => field.trim() !== '' && field.length < 80)) continue;
    const rows = decodeUtf8(head.subarray(start)).split(/\r?\n/).slice(0, 3);
    const widths = rows.filter((row) => row !== '').slice(0, 2).map((row) => csvFields(new TextEncoder().encode(row), delimiter).length);
    if (widths.length === 0 || widths.some((width) => width !== header.length)) continue;
    return `${name} looks like a table, but not of messages. ${EXPECTED_COLUMNS}; found the columns ${header.slice(0, 12).join(', ')}${header.length > 12 ? ', …' : ''}. Rename the columns that hold these, or export the run from its tool.`;
  }
  const wide = firstRecords(head, Infinity).find(({ header }) => header.length >= MOST_COLUMNS && tableRoute(header) !== null);
  return wide === undefined ? null : `${name} looks like a table of messages, but its header has ${MOST_COLUMNS} columns or more. Write it again with those that hold messages alone. ${EXPECTED_COLUMNS}.`;
}

/** The first record of content that may be a table, read with each delimiter that occurs in it; the likeliest first. */
function firstRecords(head: Uint8Array, mostColumns = MOST_COLUMNS): FirstRecord[] {
  let from = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  let line = 1;
  const isBlank = (byte: number | undefined): boolean => byte === 0x0a || byte === 0x0d || byte === 0x20;
  while (isBlank(head[from])) if (head[from++] === 0x0a) line++;
  // Excel names its delimiter in a line of its own.
  const named = /^sep=(.)\r?\n/.exec(decodeUtf8(head.subarray(from, from + 8)));
  if (named) {
    from += named[0].length;
    line++;
  }
  const first = head[from];
  if (first === undefined || first === 0x7b || first === 0x5b || head.subarray(from, from + 512).includes(0)) return [];
  return (named ? [named[1]!] : DELIMITERS)
    .map((delimiter) => ({ delimiter, ...headerRecord(head, from, delimiter) }))
    .map(({ delimiter, bytes, next, lines }) => ({ delimiter, header: csvFields(bytes, delimiter).map((field) => field.trim()), start: next, line: line + lines }))
    .filter(({ header, start }) => header.length < mostColumns && start <= head.length)
    .sort((a, b) => b.header.length - a.header.length);
}

function headerRecord(head: Uint8Array, from: number, delimiter: string): { bytes: Uint8Array; next: number; lines: number } {
  const code = delimiter.charCodeAt(0);
  let quoted = false;
  let atStart = true;
  let lines = 0;
  for (let i = from; i < head.length; i++) {
    const byte = head[i];
    if (byte === 0x22 && (quoted || atStart)) quoted = !quoted;
    atStart = !quoted && byte === code;
    if (byte !== 0x0a) continue;
    lines++;
    if (!quoted) return { bytes: head.subarray(from, head[i - 1] === 0x0d ? i - 1 : i), next: i + 1, lines };
  }
  return { bytes: head.subarray(from), next: head.length, lines };
}

export interface OpenedTable { source: ByteSource; notes: string[]; bad: BadRecord[]; badCount: number }

/** Time after which the event loop gets a turn, so that a cancel can arrive; milliseconds. */
const TURN_MS = 12;

/** Reads a table record by record into JSON lines. A row that is no message costs only itself. */
export async function openCsv(given: ByteSource, { delimiter, header, start, line, route }: CsvShape, guard: UnpackGuard, sliceBytes?: number): Promise<OpenedTable> {
  const out = guard.spool();
  const encoder = new TextEncoder();
  const rows = new TableRows(route);
  const bad: BadRecord[] = [];
  let badCount = 0;
  let row = 0;
  let turnStart = performance.now();
  const lineBase = line - 1;
  for await (const records of csvRecords(given, { start, delimiter: delimiter.charCodeAt(0), sliceBytes, signal: guard.options.signal })) {
    for (const record of records) {
      row++;
      const cells = csvFields(record.bytes, delimiter);
      // Exporters end lines with a delimiter too many.
      while (cells.length > header.length && cells[cells.length - 1] === '') cells.pop();
      const read = record.open ? { reason: 'a quoted field is not closed before the end of the file' } : cells.length > header.length ? { reason: `expected ${header.length} fields, found ${cells.length}: a quote or delimiter is out of place` } : rows.line(cells.map((cell) => (cell === '' ? null : cell)), row);
      if ('line' in read) {
        const bytes = encoder.encode(`${read.line}\n`);
        guard.add(bytes.length);
        out.write(bytes);
      } else if (++badCount <= MAX_LISTED_BAD_RECORDS) bad.push({ line: lineBase + record.line, byteOffset: record.byteOffset, reason: read.reason });
    }
    if (performance.now() - turnStart < TURN_MS) continue;
    await new Promise<void>((resolve) => { setTimeout(resolve, 0); });
    turnStart = performance.now();
  }
  if (row === 0) throw new ContextscopeError('bad-record', `${given.name} is a table with a header (${header.slice(0, 12).join(', ')}) and no rows.`, { file: given.name });
  if (out.size === 0) throw new ContextscopeError('bad-record', `${given.name} is a table of ${row} rows, none of which is a message: line ${bad[0]!.line}: ${bad[0]!.reason}. ${EXPECTED_COLUMNS}.`, { file: given.name, line: bad[0]!.line });
  return { source: out.finish(given.name), notes: tableNotes(route, header), bad, badCount };
}

/** What became of columns that have no meaning here. */
export function tableNotes(route: TableRoute, names: readonly string[]): string[] {
  if (route.kind === 'langfuse') return [];
  const used = new Set([...Object.values(route.columns.at), ...Object.values(route.columns.usageAt), ...(route.kind === 'conversations' ? [route.list] : [])]);
  const others = names.filter((_, i) => !used.has(i));
  return others.length === 0 ? [] : [`Columns kept raw beside the messages: ${others.slice(0, 12).join(', ')}${others.length > 12 ? ', …' : ''}.`];
}
