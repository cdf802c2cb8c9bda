import type { SourceRecord } from './format';
import { JsonNode, skipSpace, skipValue } from './json-node';
import type { BadRecord } from './types';

export interface Salvaged { records: SourceRecord[]; bad: BadRecord[] }

/** Starts of a record that are tried inside a broken line. */
const MAX_TRIES = 64;
const OPENING = [0x7b, 0x22] as const;

/**
 * What can be kept of a line that is not one JSON value: records glued together, and a whole record that follows a
 * half-written one. `onlyScan` (formats that read parts of a record): null when the brackets of the line balance, and
 * a cut record is kept for the whole messages in it.
 */
export function salvageLine(record: SourceRecord, onlyScan: boolean): Salvaged | null {
  const { node, line } = record;
  const { bytes, to, base } = node;
  if (onlyScan && node.isWhole()) return null;
  const found: Salvaged = { records: [], bad: [] };
  let at = node.from;
  while (at < to) {
    const end = bytes[at] === 0x7b || bytes[at] === 0x5b ? skipValue(bytes, at, to) : -1;
    if (end < 0 || !isJson(bytes, at, end)) return tail(record, found, at, onlyScan);
    found.records.push({ node: new JsonNode(bytes, at, end, base), line });
    at = skipSpace(bytes, end, to);
  }
  return found;
}

/** From `at` on something is broken: the first place from which the rest is whole, if any. */
function tail(record: SourceRecord, found: Salvaged, at: number, keepCut: boolean): Salvaged {
  const { node, line } = record;
  const { bytes, to, base } = node;
  found.bad.push({ line, byteOffset: base + at, reason: skipValue(bytes, at, to) < 0 ? 'the record is cut off' : 'not valid JSON' });
  let tries = 0;
  for (let i = at + 1; i < to && tries < MAX_TRIES; i++) {
    i = bytes.indexOf(OPENING[0], i);
    if (i < 0 || i >= to) break;
    if (bytes[i + 1] !== OPENING[1]) continue;
    tries++;
    if (skipValue(bytes, i, to) === to && isJson(bytes, i, to)) {
      found.records.push({ node: new JsonNode(bytes, i, to, base), line });
      return found;
    }
  }
  // Nothing whole follows. A cut record may still hold whole messages for formats that read parts.
  if (keepCut && skipValue(bytes, at, to) < 0) found.records.push({ node: new JsonNode(bytes, at, to, base, true), line });
  return found;
}

function isJson(bytes: Uint8Array, from: number, to: number): boolean {
  try {
    new JsonNode(bytes, from, to, 0).value();
    return true;
  } catch {
    return false;
  }
}
