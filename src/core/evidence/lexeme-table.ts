/** Posting words: block × 2 + 1 if it merely repeated the lexeme. */
const ECHO = 1;

/**
 * Inverted index lexeme → blocks, newest first. Lexemes are kept as two 32-bit hashes of their characters, never as
 * strings (a slice would keep its whole text alive): two different ones fall together with a chance of about n² / 2^65,
 * below 10⁻⁵ for ten million. Postings are a linked list, so adding is O(1) and reading the newest few is too.
 */
export class LexemeTable {
  private slots = new Int32Array(1 << 12).fill(-1);
  private hashA = new Int32Array(1 << 11);
  private hashB = new Int32Array(1 << 11);
  private head = new Int32Array(1 << 11);
  private first = new Int32Array(1 << 11);
  private df = new Int32Array(1 << 11);
  /** Step that last asked for it: a lexeme is one demand a step. */
  private asked = new Int32Array(1 << 11);
  private posting = new Uint32Array(1 << 12);
  private nextPosting = new Int32Array(1 << 12);
  private postings = 0;
  size = 0;

  /** Notes that a block holds characters [from, to) of a text; `echo` = it repeats what was there before, if it was. */
  add(text: string, from: number, to: number, block: number, repeats: boolean): void {
    const entry = this.entryFor(text, from, to, true);
    const newest = this.head[entry]!;
    if (newest >= 0 && this.posting[newest]! >>> 1 === block) return;
    if (this.postings === this.posting.length) {
      this.posting = grow(this.posting, Uint32Array);
      this.nextPosting = grow(this.nextPosting, Int32Array);
    }
    if (newest < 0) this.first[entry] = block;
    this.posting[this.postings] = block * 2 + (repeats && newest >= 0 ? ECHO : 0);
    this.nextPosting[this.postings] = newest;
    this.head[entry] = this.postings++;
    this.df[entry]!++;
  }

  /** Entry of a lexeme that some block holds, or -1. */
  find(text: string, from: number, to: number): number {
    return this.entryFor(text, from, to, false);
  }

  /** How many blocks hold it. */
  documentFrequency(entry: number): number {
    return this.df[entry]!;
  }

  /** True the first time a step asks for the entry. */
  askOnce(entry: number, step: number): boolean {
    if (this.asked[entry] === step) return false;
    this.asked[entry] = step;
    return true;
  }

  /** Blocks that hold it, rising, with their echo marks: the newest `limit - 1` and the very first. */
  sources(entry: number, limit: number): { blocks: number[]; echoes: number[] } {
    const blocks: number[] = [];
    const echoes: number[] = [];
    let at = this.head[entry]!;
    for (; at >= 0 && blocks.length < limit - 1; at = this.nextPosting[at]!) {
      blocks.push(this.posting[at]! >>> 1);
      echoes.push(this.posting[at]! & ECHO);
    }
    if (at >= 0) {
      // The first holder repeats nobody.
      blocks.push(this.first[entry]!);
      echoes.push(0);
    }
    return { blocks: blocks.reverse(), echoes: echoes.reverse() };
  }

  private entryFor(text: string, from: number, to: number, make: boolean): number {
    let a = 0x811c9dc5 | 0;
    let b = 0x9747b28c | 0;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      a = Math.imul(a ^ code, 0x01000193);
      b = Math.imul((b << 5) ^ (b >>> 27) ^ code, 0x85ebca6b);
    }
    a ^= a >>> 15;
    b ^= b >>> 13;
    const mask = this.slots.length - 1;
    let slot = (a ^ Math.imul(b, 0x9e3779b1)) & mask;
    for (let entry = this.slots[slot]!; entry >= 0; entry = this.slots[slot]!) {
      if (this.hashA[entry] === a && this.hashB[entry] === b) return entry;
      slot = (slot + 1) & mask;
    }
    if (!make) return -1;
    if (this.size === this.hashA.length) {
      this.growEntries();
      return this.entryFor(text, from, to, true);
    }
    const entry = this.size++;
    this.hashA[entry] = a;
    this.hashB[entry] = b;
    this.head[entry] = -1;
    this.slots[slot] = entry;
    return entry;
  }

  private growEntries(): void {
    this.hashA = grow(this.hashA, Int32Array);
    this.hashB = grow(this.hashB, Int32Array);
    this.head = grow(this.head, Int32Array);
    this.first = grow(this.first, Int32Array);
    this.df = grow(this.df, Int32Array);
    this.asked = grow(this.asked, Int32Array);
    this.slots = new Int32Array(this.hashA.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (let entry = 0; entry < this.size; entry++) {
      let slot = (this.hashA[entry]! ^ Math.imul(this.hashB[entry]!, 0x9e3779b1)) & mask;
      while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = entry;
    }
  }
}

function grow<T extends Int32Array | Uint32Array>(array: T, make: new (length: number) => T): T {
  const larger = new make(array.length * 2);
  larger.set(array);
  return larger;
}
