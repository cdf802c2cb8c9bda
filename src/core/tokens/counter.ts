import type { EncodingName } from '../trace/blocks-types';
import { countMerged } from './byte-pair-merge';
import { loadEncodingData } from './encoding-data';
import type { EncodingData } from './encoding-data';
import { endOfPiece } from './huge-piece';
import { LastText } from './last-text';
import { endOfAsciiPiece } from './o200k-ascii';
import { RankTable } from './rank-table';
import type { TokenCounter } from './types';

/** Pieces whose count is remembered, and the longest of them. */
const CACHED_PIECES = 65_536;
const CACHED_PIECE_LENGTH = 48;
/** V8 copies a shorter slice, but a longer one keeps its whole text alive: as a key it is copied first. */
const COPIED_SLICE_LENGTH = 12;
/** Slots of the pieces counted lately (a power of two), and the longest of them: at most so many characters are V8's own copy. */
const RECENT_PIECES = 1 << 14;
const RECENT_PIECE_LENGTH = 12;
const FIRST_BUFFER_BYTES = 4096;

/** Counts exactly as tiktoken does with every special token taken as text; near-linear on every input. */
class BytePairCounter implements TokenCounter {
  private readonly table: RankTable;
  private readonly split: RegExp;
  private readonly encoder = new TextEncoder();
  private readonly pieceCounts = new Map<string, number>();
  private readonly isO200k: boolean;
  /** By hash of the characters. */
  private readonly recent: (string | undefined)[] = new Array<undefined>(RECENT_PIECES).fill(undefined);
  private readonly recentCounts = new Uint8Array(RECENT_PIECES);
  private readonly last = new LastText();
  private buffer = new Uint8Array(FIRST_BUFFER_BYTES);

  constructor(readonly encoding: EncodingName, data: EncodingData) {
    this.isO200k = encoding === 'o200k_base';
    this.table = new RankTable(data.ranks);
    // Own copy: the library's object carries a lastIndex that others move.
    this.split = new RegExp(data.splitPattern.source, data.splitPattern.flags);
  }

  count(text: string): number {
    if (this.last.begin(text)) return this.countOn(text);
    let total = 0;
    for (let from = 0; from < text.length; ) {
      const to = this.endOfNext(text, from);
      if (to < 0) break;
      total += this.countRange(text, from, to);
      from = to;
    }
    return total;
  }

  /** The same for a text that begins like the last one, from the first line on that may differ. */
  private countOn(text: string): number {
    const { last } = this;
    let total = last.tokens;
    for (let from = last.from; from < text.length; ) {
      const to = this.endOfNext(text, from);
      if (to < 0) break;
      total += this.countRange(text, from, to);
      last.passed(to, total);
      from = to;
    }
    return total;
  }

  /** End of the piece at `from`; −1 = there is none. */
  private endOfNext(text: string, from: number): number {
    const to = this.isO200k ? endOfAsciiPiece(text, from) : -1;
    if (to >= 0) return to;
    this.split.lastIndex = from;
    return this.findNext(text, from) ? this.split.lastIndex : -1;
  }

  /** Tokens of one piece; those counted lately are known by their characters, without a copy of them. */
  private countRange(text: string, from: number, to: number): number {
    if (to - from > RECENT_PIECE_LENGTH) return this.countSlice(text.slice(from, to));
    let hash = to - from;
    for (let i = from; i < to; i++) hash = Math.imul(hash, 31) + text.charCodeAt(i);
    const slot = (hash ^ (hash >>> 15)) & (RECENT_PIECES - 1);
    const known = this.recent[slot];
    if (known !== undefined && known.length === to - from && text.startsWith(known, from)) return this.recentCounts[slot]!;
    const piece = text.slice(from, to);
    const count = this.countSlice(piece);
    this.recent[slot] = piece;
    this.recentCounts[slot] = count;
    return count;
  }

  private countSlice(piece: string): number {
    return this.table.rankOfText(piece) === undefined ? this.countPiece(piece) : 1;
  }

  /** Moves `split.lastIndex` to the end of the piece that starts at `from`; matches lie end to end. */
  private findNext(text: string, from: number): boolean {
    try {
      // test() makes no match array.
      return this.split.test(text);
    } catch (error) {
      // The only error a match throws: its backtrack stack is full, in the middle of a piece of millions of characters.
      if (!(error instanceof RangeError) && !(error instanceof Error && error.name === 'InternalError')) throw error;
      this.split.lastIndex = endOfPiece(this.encoding, text, from);
      return true;
    }
  }

  private countPiece(piece: string): number {
    if (piece.length > CACHED_PIECE_LENGTH) return this.merge(piece);
    const known = this.pieceCounts.get(piece);
    if (known !== undefined) return known;
    const count = this.merge(piece);
    if (this.pieceCounts.size >= CACHED_PIECES) this.pieceCounts.clear();
    this.pieceCounts.set(piece.length > COPIED_SLICE_LENGTH ? copyOf(piece) : piece, count);
    return count;
  }

  private merge(piece: string): number {
    // UTF-8 needs at most three bytes a UTF-16 unit.
    const needed = piece.length * 3;
    if (needed > this.buffer.length) {
      if (needed > FIRST_BUFFER_BYTES * 16) {
        const bytes = this.encoder.encode(piece);
        return countMerged(bytes, bytes.length, this.table);
      }
      this.buffer = new Uint8Array(needed);
    }
    return countMerged(this.buffer, this.encoder.encodeInto(piece, this.buffer).written, this.table);
  }
}

/** The same characters in a string of their own. */
function copyOf(piece: string): string {
  const units: number[] = [];
  for (let i = 0; i < piece.length; i++) units.push(piece.charCodeAt(i));
  return String.fromCharCode(...units);
}

const loading = new Map<EncodingName, Promise<TokenCounter>>();

/** The counter of one encoding, loaded once; a failed load is tried again at the next call. */
export function loadTokenCounter(encoding: EncodingName): Promise<TokenCounter> {
  let counter = loading.get(encoding);
  if (!counter) {
    counter = loadEncodingData(encoding).then((data) => new BytePairCounter(encoding, data));
    counter.catch(() => loading.delete(encoding));
    loading.set(encoding, counter);
  }
  return counter;
}
