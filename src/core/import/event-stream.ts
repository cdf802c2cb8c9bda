import { decodeUtf8 } from '../base/text';
import { mostly } from './sampling';

/**
 * Server-sent events as they are saved by proxies and `curl -N` (formats.md §0.1.5; WHATWG HTML "Server-sent events"):
 * `data:` lines hold the records, `event:`, `id:`, `retry:` and comment lines only frame them.
 */

const FIELD = /^(?:data|event|id|retry):|^:/;

/** Does text that opens with no bracket look like server-sent events? The first line is a field, and so are most that follow. */
export function isEventStream(head: string): boolean {
  const lines = head.split(/\r?\n/).filter((line) => line.trim() !== '').slice(0, 8);
  // The last line may be cut by the end of what was read.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  return FIELD.test(lines[0] ?? '') && mostly(whole, (line) => FIELD.test(String(line))) && lines.some((line) => line.startsWith('data:'));
}

const LONGEST_FIELD_NAME = 8;
/** Sentinel of OpenAI's streams. */
const DONE = '[DONE]';

/**
 * Where the record of a line starts; −1 = a line that only frames. A line that is no field is given from its start, so
 * that it is reported.
 */
export function eventDataStart(bytes: Uint8Array, from: number, to: number): number {
  const name = decodeUtf8(bytes.subarray(from, Math.min(to, from + LONGEST_FIELD_NAME)));
  if (!FIELD.test(name)) return from;
  if (!name.startsWith('data:')) return -1;
  let at = from + 'data:'.length;
  while (at < to && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++;
  return at >= to || decodeUtf8(bytes.subarray(at, Math.min(to, at + DONE.length))) === DONE ? -1 : at;
}
