import { parseLenientJson } from '../base/json';
import { decodeUtf8 } from '../base/text';
import type { Span } from '../trace/model';
import { JsonNode, skipSpace } from './json-node';

/**
 * JSON inside a JSON string (Langfuse, OTLP, LangSmith): its values have spans too, over the escaped bytes. `located`
 * nodes know where in the content they stand; `parseSpan` takes the escapes off again.
 */
export interface Located { node: JsonNode; span(child: JsonNode): Span }

const NO_BYTES = new Uint8Array(0);
/** Levels of strings inside strings that are looked into. */
const MAX_LEVELS = 3;

export function locate(node: JsonNode, line: number): Located {
  return { node, span: (child) => spanAt(child.byteOffset, child.byteOffset + child.byteLength, line) };
}

function spanAt(from: number, to: number, line: number): Span {
  return line > 0 ? { byteOffset: from, byteLength: to - from, line } : { byteOffset: from, byteLength: to - from };
}

/** The object or array that a string holds; null where it holds something else. Linear in its bytes. */
export function openEmbedded(outer: Located, string: JsonNode): Located | null {
  if (string.kind !== 'string' || string.cut) return null;
  const { bytes, offsets } = unescape(string);
  const from = skipSpace(bytes, 0, bytes.length);
  if (bytes[from] !== 0x7b && bytes[from] !== 0x5b) return null;
  const node = new JsonNode(bytes, from, trimmedEnd(bytes), 0);
  if (!isJson(node)) return null;
  return {
    node,
    span: (child) => {
      // A node over the outer bytes: from the first escaped byte to the one after the last.
      const inner = new JsonNode(NO_BYTES, offsets[child.from]!, offsets[child.to]!, string.base);
      return outer.span(inner);
    },
  };
}

/** A value, or the one that its string holds. */
export function openAny(outer: Located, value: JsonNode | undefined): Located | null {
  if (!value) return null;
  return value.kind === 'string' ? openEmbedded(outer, value) : { node: value, span: (child) => outer.span(child) };
}

function isJson(node: JsonNode): boolean {
  try {
    node.value();
    return true;
  } catch {
    return false;
  }
}

function trimmedEnd(bytes: Uint8Array): number {
  let to = bytes.length;
  while (to > 0 && (bytes[to - 1] === 0x20 || bytes[to - 1] === 0x0a || bytes[to - 1] === 0x0d || bytes[to - 1] === 0x09)) to--;
  return to;
}

const SIMPLE: Readonly<Record<number, number>> = { 0x6e: 0x0a, 0x74: 0x09, 0x72: 0x0d, 0x62: 0x08, 0x66: 0x0c };

/** Bytes of a string's text, and for each (and the end) its index in the string's own bytes. */
function unescape(string: JsonNode): { bytes: Uint8Array; offsets: Uint32Array } {
  const { bytes: source } = string;
  const end = string.to - 1;
  const out = new Uint8Array(end - string.from);
  const offsets = new Uint32Array(out.length + 1);
  const encoder = new TextEncoder();
  let n = 0;
  for (let i = string.from + 1; i < end; ) {
    if (source[i] !== 0x5c) {
      offsets[n] = i;
      out[n++] = source[i++]!;
      continue;
    }
    const kind = source[i + 1]!;
    if (kind !== 0x75) {
      offsets[n] = i;
      out[n++] = SIMPLE[kind] ?? kind;
      i += 2;
      continue;
    }
    const start = i;
    let unit = hexAt(source, i + 2);
    let text = String.fromCharCode(unit);
    i += 6;
    if (unit >= 0xd800 && unit < 0xdc00 && source[i] === 0x5c && source[i + 1] === 0x75) {
      unit = hexAt(source, i + 2);
      if (unit >= 0xdc00 && unit < 0xe000) {
        text += String.fromCharCode(unit);
        i += 6;
      }
    }
    for (const byte of encoder.encode(text)) {
      offsets[n] = start;
      out[n++] = byte;
    }
  }
  offsets[n] = end;
  return { bytes: out.subarray(0, n), offsets };
}

function hexAt(bytes: Uint8Array, at: number): number {
  return parseInt(decodeUtf8(bytes.subarray(at, at + 4)), 16) || 0;
}

/** The value of a span. Text that is no JSON is tried as escaped text of a string: no JSON value starts that way. Throws SyntaxError. */
export function parseSpan(text: string): unknown {
  let level = text;
  for (let i = 0; ; i++) {
    try {
      return parseLenientJson(level);
    } catch (error) {
      if (i >= MAX_LEVELS || !level.includes('\\')) throw error;
      level = String(JSON.parse(`"${level}"`));
    }
  }
}
