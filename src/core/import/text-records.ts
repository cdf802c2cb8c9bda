import type { SourceRecord } from './format';
import { JsonNode } from './json-node';

/**
 * Logs and exports that are plain text. Lines that open a session or an entry are whole patterns, because answers hold
 * headings too.
 */

/** Aider (formats.md §17). */
export const AIDER_SESSION = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*$/;
/** CrewAI (formats.md §18): `TIME: task_name="…", task="…", …`. */
export const CREW_ENTRY = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}: task_name="/;
/** Cursor's Markdown export (formats.md §11): the line below the title. The file is one record. */
export const CURSOR_EXPORT = /^_Exported on .+ from Cursor\b.*_\s*$/;

const OPENINGS: readonly RegExp[] = [AIDER_SESSION, CREW_ENTRY];
/** Characters that a line which opens a record may have at most, to be told. */
const OPENING_CHARS = 80;

/** Bytes in which a text log must show its first session. */
export const TEXT_HEAD_BYTES = 65_536;

/** Is content that opens with no bracket the log of a tool that writes text? */
export function isTextLog(head: string): boolean {
  return head.split('\n').some((line) => OPENINGS.some((pattern) => pattern.test(line))) || isCursorExport(head);
}

/** A title, the export line, a rule, and the first speaker. */
export function isCursorExport(head: string): boolean {
  const lines = head.slice(0, 4096).split(/\r?\n/).filter((line) => line.trim() !== '');
  return CURSOR_EXPORT.test(lines[1] ?? '') || CURSOR_EXPORT.test(lines[0] ?? '');
}

/** Could this byte begin a line that opens a record? `#` or a digit. */
function canOpen(byte: number | undefined): boolean {
  return byte === 0x23 || (byte !== undefined && byte >= 0x30 && byte <= 0x39);
}

/** One record a session; what stands before the first is one too. `line` is that of its first line. */
export function splitTextLog(bytes: Uint8Array, start: number): SourceRecord[] {
  const records: SourceRecord[] = [];
  const decoder = new TextDecoder();
  let from = start;
  let fromLine = 1;
  let line = 0;
  const end = (to: number): void => {
    if (bytes.subarray(from, to).some((byte) => byte > 0x20)) records.push({ node: new JsonNode(bytes, from, to, 0), line: fromLine });
  };
  const head = decoder.decode(bytes.subarray(start, start + TEXT_HEAD_BYTES));
  const openings = isCursorExport(head) ? [] : OPENINGS;
  for (let at = start; at < bytes.length; ) {
    line++;
    const newline = bytes.indexOf(0x0a, at);
    const to = newline < 0 ? bytes.length : newline;
    if (at > start && canOpen(bytes[at])) {
      const opening = decoder.decode(bytes.subarray(at, Math.min(to, at + OPENING_CHARS)));
      if (openings.some((pattern) => pattern.test(opening))) {
        end(at);
        from = at;
        fromLine = line;
      }
    }
    at = to + 1;
  }
  end(bytes.length);
  return records;
}
