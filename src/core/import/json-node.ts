import { parseLenientJson, parseNotingNumbers } from '../base/json';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../base/json-bytes';
import { decodeUtf8 } from '../base/text';

/**
 * A JSON value as a range of bytes: its fields and elements are found by scanning, without parsing, so that a message
 * deep in a document has an exact byte span and can be read again alone. Nothing here recurses: 10 000 levels are fine.
 */

/** Bytes of a string that are looked at one by one before the native search. */
const NEAR_BYTES = 24;

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let i = from;
  while (i < to && isSpace(bytes[i])) i++;
  return i;
}

/** Index after the closing quote of the string that opens at `from`; -1 = cut. */
function skipString(bytes: Uint8Array, from: number, to: number): number {
  let i = from + 1;
  // Keys and short values by hand: a native search has a price of its own.
  for (const near = Math.min(to, from + NEAR_BYTES); i < near; i++) {
    const byte = bytes[i];
    if (byte === BACKSLASH) i++;
    else if (byte === QUOTE) return i + 1;
  }
  // `i` may stand behind an escape that crossed `near`, never inside one.
  const start = i;
  for (let at = bytes.indexOf(QUOTE, start); at >= 0 && at < to; at = bytes.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (before >= start && bytes[before] === BACKSLASH) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
  return -1;
}

/** Index after the value that starts at `from` (brackets and strings balanced; not validated further); -1 = cut. */
export function skipValue(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from];
  if (first === QUOTE) return skipString(bytes, from, to);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    let i = from;
    while (i < to) {
      const byte = bytes[i];
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) break;
      i++;
    }
    return i;
  }
  let depth = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      const end = skipString(bytes, i, to);
      if (end < 0) return -1;
      i = end - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

export type JsonKind = 'object' | 'array' | 'string' | 'other';

export function kindOf(first: number | undefined): JsonKind {
  if (first === OPEN_BRACE) return 'object';
  if (first === OPEN_BRACKET) return 'array';
  return first === QUOTE ? 'string' : 'other';
}

export class JsonNode {
  /** True when the value runs past the end of the bytes; fields() and elements() then give the complete ones. */
  readonly cut: boolean;
  /** Set when `value` had to take raw control characters: not valid JSON, and to be reported. */
  isLenient = false;
  /** Numbers that `value` took as null, because JSON knows no NaN and no Infinity. */
  nonFinite = 0;
  private knownFields: Map<string, JsonNode> | null = null;
  private knownElements: JsonNode[] | null = null;
  /** Index after the closing bracket, once fields or elements have been read; −1 = there is none. */
  private closedAt = -1;

  /** Value in bytes[from, to); `base` = offset of bytes[0] in the content. */
  constructor(private readonly held: Uint8Array, readonly from: number, readonly to: number, readonly base: number, cut = false) {
    this.cut = cut;
  }

  /** Where the value stands, at `from`. A paged value reads them anew each time: do not keep them. */
  get bytes(): Uint8Array { return this.held; }

  /** The first bytes of the value, at most `limit`. */
  head(limit: number): Uint8Array { return this.held.subarray(this.from, Math.min(this.to, this.from + limit)); }

  get kind(): JsonKind { return kindOf(this.held[this.from]); }

  get byteOffset(): number { return this.base + this.from; }
  get byteLength(): number { return this.to - this.from; }

  text(): string { return decodeUtf8(this.bytes.subarray(this.from, this.to)); }

  /** The parsed value; raw control characters in strings are taken as they stand. Throws SyntaxError. */
  value(): unknown {
    const text = this.text();
    try {
      const { value, nonFinite } = parseNotingNumbers(text);
      this.nonFinite = nonFinite;
      return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const value = parseLenientJson(text);
      this.isLenient = true;
      return value;
    }
  }

  /** Fields of an object (a repeated key keeps its last value, as in JSON.parse); empty for other kinds. */
  fields(): ReadonlyMap<string, JsonNode> {
    if (this.knownFields) return this.knownFields;
    const found = (this.knownFields = new Map<string, JsonNode>());
    if (this.kind !== 'object') return found;
    this.walk((from, to, key, cut) => { if (key !== null) found.set(key, new JsonNode(this.bytes, from, to, this.base, cut)); });
    return found;
  }

  field(name: string): JsonNode | undefined { return this.fields().get(name); }

  /** Elements of an array; of a cut array the complete ones. Empty for other kinds. */
  elements(limit = Infinity): readonly JsonNode[] {
    if (this.knownElements) return this.knownElements.slice(0, limit);
    const found: JsonNode[] = [];
    if (limit === Infinity) this.knownElements = found;
    if (this.kind !== 'array') return found;
    this.walk((from, to, _key, cut) => {
      if (!cut) found.push(new JsonNode(this.bytes, from, to, this.base));
      return found.length < limit;
    });
    return found;
  }

  /** Is this one object or array whose closing bracket is its last byte? */
  isWhole(): boolean {
    if (this.kind === 'object') this.fields();
    else this.elements();
    return this.closedAt === this.to;
  }

  private walk(onValue: (from: number, to: number, key: string | null, cut: boolean) => boolean | void): void {
    const { bytes, to } = this;
    const isObject = this.kind === 'object';
    let i = this.from + 1;
    for (;;) {
      i = skipSpace(bytes, i, to);
      if (i >= to) return;
      if (bytes[i] === CLOSE_BRACE || bytes[i] === CLOSE_BRACKET) {
        this.closedAt = i + 1;
        return;
      }
      if (bytes[i] === COMMA) {
        i++;
        continue;
      }
      let key: string | null = null;
      if (isObject) {
        if (bytes[i] !== QUOTE) return;
        const keyEnd = skipString(bytes, i, to);
        if (keyEnd < 0) return;
        key = keyText(bytes, i, keyEnd);
        i = skipSpace(bytes, keyEnd, to);
        if (bytes[i] !== COLON) return;
        i = skipSpace(bytes, i + 1, to);
      }
      const end = skipValue(bytes, i, to);
      if (end === i) return;
      if (end < 0) {
        onValue(i, to, key, true);
        return;
      }
      if (onValue(i, end, key, false) === false) return;
      i = end;
    }
  }
}

export function keyText(bytes: Uint8Array, from: number, to: number): string {
  const raw = decodeUtf8(bytes.subarray(from, to));
  if (!raw.includes('\\')) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1, -1);
  }
}

/** Bytes up to which a value is parsed whole by `peek`. */
const PEEK_WHOLE_BYTES = 65_536;
const PEEK_ELEMENTS = 8;
const PEEK_DEPTH = 5;

/** A value for detection: complete where small and sound; of a big array the first elements, of a big string nothing but ''. A fault deep inside costs its own value alone. */
export function peek(node: JsonNode, depth = 0): unknown {
  if (!node.cut && node.byteLength <= PEEK_WHOLE_BYTES) {
    try {
      return node.value();
    } catch {
      if (node.kind !== 'array' && node.kind !== 'object') return undefined;
    }
  }
  if (depth >= PEEK_DEPTH) return node.kind === 'array' ? [] : {};
  if (node.kind === 'array') {
    const elements = node.elements(PEEK_ELEMENTS);
    // A broken element looks like nothing in particular: those beside it say what the list is of.
    const sound = elements.filter((element) => element.byteLength > PEEK_WHOLE_BYTES || isSound(element));
    return (sound.length > 0 ? sound : elements).map((element) => peek(element, depth + 1));
  }
  if (node.kind === 'object') return Object.fromEntries([...node.fields()].map(([key, field]) => [key, peek(field, depth + 1)]));
  return '';
}

function isSound(node: JsonNode): boolean {
  try {
    node.value();
    return true;
  } catch {
    return false;
  }
}
