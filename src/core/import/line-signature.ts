import { skipSpace, skipValue } from './json-node';
import type { JsonNode } from './json-node';

/** Only so much of a record is looked at: telling formats apart must cost next to nothing. */
const LOOK_BYTES = 320;
const MAX_KEYS = 4;
const MAX_VALUE_BYTES = 48;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Keys whose short text value says what kind of record it is. */
const TELLING = new Set(['type', 'role', 'kind', 'event', 'object', 'source', 'method', 'record_type'].map((key) => hash(new TextEncoder().encode(`"${key}"`), 0, key.length + 2, 0)));

/**
 * A number that records of the same writer and kind share: the first keys of an object in order, and the value of those
 * that name a kind. No parsing and no allocation.
 */
export function lineSignature(node: JsonNode): number {
  const bytes = node.head(LOOK_BYTES);
  const end = bytes.length;
  let signature = bytes[0]!;
  // Records in an array: by the first of them.
  let i = skipSpace(bytes, bytes[0] === 0x5b ? skipSpace(bytes, 1, end) + 1 : 1, end);
  for (let keys = 0; keys < MAX_KEYS && bytes[i] === QUOTE; keys++) {
    const keyEnd = skipValue(bytes, i, end);
    if (keyEnd < 0) break;
    const key = hash(bytes, i, keyEnd, 0);
    signature = (Math.imul(signature, 31) + key) | 0;
    i = skipSpace(bytes, keyEnd, end);
    if (bytes[i] !== COLON) break;
    i = skipSpace(bytes, i + 1, end);
    const valueEnd = skipValue(bytes, i, end);
    if (valueEnd < 0) break;
    if (TELLING.has(key) && bytes[i] === QUOTE && valueEnd - i <= MAX_VALUE_BYTES) signature = (Math.imul(signature, 31) + hash(bytes, i, valueEnd, 7)) | 0;
    i = skipSpace(bytes, valueEnd, end);
    if (bytes[i] !== COMMA) break;
    i = skipSpace(bytes, i + 1, end);
  }
  return signature;
}

/** FNV-1a over bytes [from, to). */
function hash(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let i = from; i < to; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return value;
}
