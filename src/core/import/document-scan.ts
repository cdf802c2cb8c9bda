import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../base/json-bytes';

/**
 * Finds where the values of a JSON document stand while it streams by, for documents that are too large to hold: a tree
 * of the large containers only, whose children are byte ranges.
 */

/** Containers nested deeper are not looked into: whatever is large in them is read as one. */
const MAX_TRACKED_DEPTH = 48;

/** A value of the document: bytes [from, to) of the content. */
export interface ScannedValue {
  from: number;
  to: number;
  /** It is not closed: the content ended. */
  cut: boolean;
  /** Only of containers of at least `largeBytes`. */
  children?: ScannedChildren;
}
export interface ScannedChildren {
  isObject: boolean;
  /** Byte ranges of the children, and of their keys (with quotes) in objects. */
  from: number[];
  to: number[];
  keyFrom: number[];
  keyTo: number[];
  /** Index of a child → what is known of it, for large containers and cut values. */
  known: Map<number, ScannedValue>;
}
/** What stands between documents: `to` is its end. */
export interface ScannedText { from: number; to: number }

interface Open { from: number; children: ScannedChildren; keyFrom: number; keyTo: number; expectsKey: boolean }

export class DocumentScanner {
  private readonly stack: Open[] = [];
  /** Levels below the tracked ones. */
  private untracked = 0;
  private inString = false;
  private escaped = false;
  private stringFrom = 0;
  private scalarFrom = -1;
  private textFrom = -1;
  private at = 0;

  constructor(private readonly largeBytes: number, private readonly onValue: (value: ScannedValue) => void, private readonly onText: (text: ScannedText) => void) {}

  /** The next bytes of the content; `offset` = where they begin, for the first call. */
  push(bytes: Uint8Array, offset = this.at): void {
    this.at = offset;
    for (let i = 0; i < bytes.length; i++) {
      if (this.inString) {
        i = this.string(bytes, i);
        continue;
      }
      const byte = bytes[i]!;
      // White space between values.
      if (byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09)) {
        if (this.scalarFrom >= 0) this.endScalar(offset + i);
        continue;
      }
      this.token(byte, offset + i);
    }
    this.at = offset + bytes.length;
  }

  /** The content is over: what is open is given as cut. */
  end(): void {
    if (this.textFrom >= 0) this.endText(this.at);
    if (this.stack.length === 0) return;
    let below: ScannedValue | null = null;
    if (this.inString || this.untracked > 0 || this.scalarFrom >= 0) {
      const from = this.scalarFrom >= 0 ? this.scalarFrom : this.inString && this.untracked === 0 ? this.stringFrom : this.at;
      if (from < this.at && this.stack.length > 0) below = { from, to: this.at, cut: true };
    }
    for (let open = this.stack.pop(); open; open = this.stack.pop()) {
      if (below && !open.expectsKey) {
        open.children.known.set(open.children.from.length, below);
        this.addChild(open, below.from, below.to);
      }
      below = { from: open.from, to: this.at, cut: true, ...(this.at - open.from >= this.largeBytes ? { children: open.children } : {}) };
    }
    if (below) this.onValue(below);
  }

  private string(bytes: Uint8Array, from: number): number {
    let i = from;
    if (this.escaped) {
      this.escaped = false;
      i++;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, i);
      const end = quote < 0 ? bytes.length : quote;
      let slashes = 0;
      while (end - 1 - slashes >= i && bytes[end - 1 - slashes] === BACKSLASH) slashes++;
      if (quote < 0) {
        this.escaped = slashes % 2 === 1;
        return bytes.length;
      }
      if (slashes % 2 === 0) {
        this.inString = false;
        if (this.untracked === 0) this.endString(this.at + quote + 1);
        return quote;
      }
      i = quote + 1;
    }
  }

  private endString(to: number): void {
    const open = this.stack[this.stack.length - 1];
    if (!open) return;
    if (open.expectsKey) {
      open.keyFrom = this.stringFrom;
      open.keyTo = to;
    } else this.addChild(open, this.stringFrom, to);
  }

  private token(byte: number, at: number): void {
    if (byte === QUOTE) {
      if (this.stack.length === 0) return this.text(at);
      if (this.scalarFrom >= 0) this.endScalar(at);
      this.inString = true;
      this.stringFrom = at;
      return;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.open(byte === OPEN_BRACE, at);
    if (this.stack.length === 0) return this.text(at);
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) return this.close(at);
    if (this.untracked > 0) return;
    const open = this.stack[this.stack.length - 1]!;
    if (byte === COMMA) {
      if (this.scalarFrom >= 0) this.endScalar(at);
      open.expectsKey = open.children.isObject;
    } else if (byte === COLON && open.expectsKey) open.expectsKey = false;
    else if (this.scalarFrom < 0) this.scalarFrom = at;
  }

  private open(isObject: boolean, at: number): void {
    if (this.textFrom >= 0) this.endText(at);
    if (this.scalarFrom >= 0) this.endScalar(at);
    if (this.stack.length === MAX_TRACKED_DEPTH) this.untracked++;
    else this.stack.push({ from: at, children: { isObject, from: [], to: [], keyFrom: [], keyTo: [], known: new Map() }, keyFrom: 0, keyTo: 0, expectsKey: isObject });
  }

  private close(at: number): void {
    if (this.untracked > 0) {
      this.untracked--;
      return;
    }
    if (this.scalarFrom >= 0) this.endScalar(at);
    const { from, children } = this.stack.pop()!;
    const to = at + 1;
    const value: ScannedValue | null = to - from >= this.largeBytes ? { from, to, cut: false, children } : null;
    const parent = this.stack[this.stack.length - 1];
    if (!parent) this.onValue(value ?? { from, to, cut: false });
    else {
      if (value) parent.children.known.set(parent.children.from.length, value);
      this.addChild(parent, from, to);
    }
  }

  private endScalar(at: number): void {
    const from = this.scalarFrom;
    this.scalarFrom = -1;
    const open = this.stack[this.stack.length - 1];
    if (open && this.untracked === 0 && !open.expectsKey) this.addChild(open, from, at);
  }

  private addChild({ children, keyFrom, keyTo }: Open, from: number, to: number): void {
    children.from.push(from);
    children.to.push(to);
    if (!children.isObject) return;
    children.keyFrom.push(keyFrom);
    children.keyTo.push(keyTo);
  }

  private text(at: number): void {
    if (this.textFrom < 0) this.textFrom = at;
  }

  private endText(to: number): void {
    this.onText({ from: this.textFrom, to });
    this.textFrom = -1;
  }
}
