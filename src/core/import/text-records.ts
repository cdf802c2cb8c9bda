import type { SourceRecord } from './format';
import { JsonNode } from './json-node';

/** Lines that open a session in logs that are plain text (formats.md §17). The whole pattern, because answers hold headings too. */
export const AIDER_SESSION = /^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*$/;

/** Bytes in which a text log must show its first session. */
export const TEXT_HEAD_BYTES = 65_536;

/** Is content that opens with no bracket the log of a tool that writes text? */
export function isTextLog(head: string): boolean {
  return head.split('\n').some((line) => AIDER_SESSION.test(line));
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
  for (let at = start; at < bytes.length; ) {
    line++;
    const newline = bytes.indexOf(0x0a, at);
    const to = newline < 0 ? bytes.length : newline;
    if (bytes[at] === 0x23 && bytes[at + 1] === 0x20 && at > start && AIDER_SESSION.test(decoder.decode(bytes.subarray(at, Math.min(to, at + 80))))) {
      end(at);
      from = at;
      fromLine = line;
    }
    at = to + 1;
  }
  end(bytes.length);
  return records;
}
