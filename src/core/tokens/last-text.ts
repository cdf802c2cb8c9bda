/**
 * Where the counting of a text can start when it begins like the one before: a running summary is counted at every step
 * and differs from the last one only in its newest lines.
 *
 * A line that begins with a visible ASCII character other than `/` begins a piece under both split patterns: whatever holds
 * the line end before it (signs with `[\r\n/]*`, or white space) stops there, and nothing looks beyond that character. So
 * the tokens before the line depend on the characters up to and with its first one alone.
 */

/** Characters that two texts must begin with alike before one of them is kept; copied, so that they hold no larger text alive. */
const HEAD = 16;
/** A shorter text is counted faster than compared; a longer one is not worth its memory. */
const SHORTEST = 1024;
const LONGEST = 65_536;
/** Characters between two places to start from, at least. */
const SPACING = 64;

const LINE_FEED = 10;
const SLASH = 47;

export class LastText {
  private readonly head = new Uint16Array(HEAD);
  private text = '';
  private readonly at: number[] = [];
  private readonly tokensBefore: number[] = [];
  private nextPlace = Infinity;
  /** Where to start, and the tokens before that: set by `begin`. */
  from = 0;
  tokens = 0;

  /** Makes `text` the last text. True when it may be counted from `from` on, telling `passed` every end of a piece. */
  begin(text: string): boolean {
    if (text.length < SHORTEST || text.length > LONGEST) return false;
    if (!this.beginsAlike(text)) {
      for (let i = 0; i < HEAD; i++) this.head[i] = text.charCodeAt(i);
      this.keep('', 0);
      return false;
    }
    this.keep(text, this.placesIn(text));
    return true;
  }

  /** A piece ended at `to`, with so many tokens up to there. */
  passed(to: number, tokens: number): void {
    if (to < this.nextPlace || this.text.charCodeAt(to - 1) !== LINE_FEED) return;
    const next = this.text.charCodeAt(to);
    // False for NaN too: the end of the text is no place to start from.
    if (!(next > 32 && next < 127) || next === SLASH) return;
    this.at.push(to);
    this.tokensBefore.push(tokens);
    this.nextPlace = to + SPACING;
  }

  private beginsAlike(text: string): boolean {
    for (let i = 0; i < HEAD; i++) if (this.head[i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /**
   * Places of the last text that are places of this one too. Whole beginnings are compared: one by one the characters of a
   * text that was put together cost as much as counting them.
   */
  private placesIn(text: string): number {
    let low = 0;
    for (let high = this.at.length; low < high; ) {
      const middle = (low + high) >> 1;
      // The first character of the line is part of what made it a place.
      const end = this.at[middle]! + 1;
      if (text.slice(0, end) === this.text.slice(0, end)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private keep(text: string, places: number): void {
    this.text = text;
    this.at.length = places;
    this.tokensBefore.length = places;
    this.from = this.at.at(-1) ?? 0;
    this.tokens = this.tokensBefore.at(-1) ?? 0;
    this.nextPlace = this.from + SPACING;
  }
}
