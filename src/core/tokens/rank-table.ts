import type { EncodingData } from './encoding-data';

/** No such token. */
export const NO_RANK = -1;

/** Slots of the pair table; a power of two. Full at half, it is emptied: a bounded memo, never wrong. */
const PAIR_SLOTS = 1 << 18;
/** Ranks are below 2^18 in both encodings; one more bit for headroom. */
const RANK_SPAN = 1 << 19;

/**
 * Ranks by text, by byte and by pair of tokens. BPE asks for the rank of two neighbours' bytes put together; both are
 * tokens already, so the answer hangs on their two ranks alone and is remembered under them instead of cutting, validating
 * and decoding bytes at each question.
 */
export class RankTable {
  /** Tokens that are valid UTF-8, as JavaScript strings. */
  private readonly byText = new Map<string, number>();
  /** Tokens with a byte above 0x7f, as one character a byte; built at the first need. */
  private byBytes: Map<string, number> | undefined;
  private readonly byteRank = new Int32Array(256).fill(NO_RANK);
  private readonly pairKeys = new Float64Array(PAIR_SLOTS).fill(-1);
  private readonly pairRanks = new Int32Array(PAIR_SLOTS);
  private pairs = 0;

  constructor(private readonly ranks: EncodingData['ranks']) {
    ranks.forEach((token, rank) => {
      if (typeof token === 'string') this.byText.set(token, rank);
      const only = typeof token === 'string' ? token.charCodeAt(0) : token[0];
      if (token.length === 1 && only !== undefined && (typeof token !== 'string' || only < 0x80)) this.byteRank[only] = rank;
    });
  }

  /** Rank of a whole text, or undefined. */
  rankOfText(text: string): number | undefined {
    return this.byText.get(text);
  }

  rankOfByte(byte: number): number {
    return this.byteRank[byte]!;
  }

  /** Rank of the token made of two tokens' bytes, or NO_RANK. */
  rankOfPair(left: number, right: number): number {
    const key = left * RANK_SPAN + right;
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) >>> 14;
    for (;;) {
      const held = this.pairKeys[slot]!;
      if (held === key) return this.pairRanks[slot]!;
      if (held < 0) break;
      slot = (slot + 1) & (PAIR_SLOTS - 1);
    }
    const rank = this.lookUp(this.bytesOf(left) + this.bytesOf(right));
    if (++this.pairs > PAIR_SLOTS / 2) {
      this.pairKeys.fill(-1);
      this.pairs = 1;
    }
    this.pairKeys[slot] = key;
    this.pairRanks[slot] = rank;
    return rank;
  }

  private lookUp(bytes: string): number {
    const rank = isAscii(bytes) ? this.byText.get(bytes) : (this.byBytes ??= this.indexByBytes()).get(bytes);
    return rank ?? NO_RANK;
  }

  /** A token's bytes, one character a byte. */
  private bytesOf(rank: number): string {
    const token = this.ranks[rank]!;
    if (typeof token !== 'string') return String.fromCharCode(...token);
    return isAscii(token) ? token : String.fromCharCode(...new TextEncoder().encode(token));
  }

  private indexByBytes(): Map<string, number> {
    const index = new Map<string, number>();
    this.ranks.forEach((token, rank) => {
      if (typeof token !== 'string' || !isAscii(token)) index.set(this.bytesOf(rank), rank);
    });
    return index;
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
