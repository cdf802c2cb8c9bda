import type { EncodingName } from '../trace/blocks-types';

/**
 * Where the pre-token piece that starts at an offset ends, without backtracking. V8 keeps one backtrack entry for every
 * character that a greedy class takes and gives up ("Maximum call stack size exceeded") after some millions; then this does
 * the split patterns' work in bounded bites. The rules are those of the patterns in gpt-tokenizer/encodingParams.
 */
export function endOfPiece(encoding: EncodingName, text: string, from: number): number {
  return encoding === 'o200k_base' ? endOfO200k(text, from) : endOfCl100k(text, from);
}

const UPPER = String.raw`\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`;
const LOWER = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{M}`;
/** Characters a bite: far below the limit, far above the cost of starting a match. */
const BITE = 16_384;
const bites = (characters: string): RegExp => new RegExp(`[${characters}]{1,${BITE}}`, 'uy');

const upper = bites(UPPER);
const lower = bites(LOWER);
const letters = bites(String.raw`\p{L}`);
const signs = bites(String.raw`^\s\p{L}\p{N}`);
const spaces = bites(String.raw`\s`);
const lineEnds = bites(String.raw`\r\n`);
const lineEndsAndSlash = bites(String.raw`\r\n/`);
const digits = /\p{N}{1,3}/uy;
const prefix = /[^\r\n\p{L}\p{N}]/uy;
const contraction = /'(?:[sdmt]|ll|ve|re)/iy;
const inLower = new RegExp(`[${LOWER}]`, 'u');

/** End of the match at an offset, or the offset itself. */
function once(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function run(pattern: RegExp, text: string, from: number): number {
  let to = from;
  for (let end = once(pattern, text, to); end > to; end = once(pattern, text, to)) to = end;
  return to;
}

function endOfO200k(text: string, from: number): number {
  const afterPrefix = once(prefix, text, from);
  for (const lowercase of [true, false]) {
    for (const start of afterPrefix > from ? [afterPrefix, from] : [from]) {
      const end = lowercase ? endWithLower(text, start) : endOfUpper(text, start);
      if (end > start) return once(contraction, text, end);
    }
  }
  const number = once(digits, text, from);
  if (number > from) return number;
  return endOfSigns(text, from, lineEndsAndSlash) ?? endOfSpace(text, from, true);
}

/** `[UPPER]*[LOWER]+`: as many as can be, the last one LOWER. */
function endWithLower(text: string, start: number): number {
  const uppers = run(upper, text, start);
  const lowers = run(lower, text, uppers);
  if (lowers > uppers) return lowers;
  // Nothing lower follows, so the star gives back up to the last character that is in both classes.
  for (let end = uppers; end > start; ) {
    const width = end - 2 >= start && /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 2, end)) ? 2 : 1;
    if (inLower.test(text.slice(end - width, end))) return end;
    end -= width;
  }
  return start;
}

/** `[UPPER]+[LOWER]*`. */
function endOfUpper(text: string, start: number): number {
  const uppers = run(upper, text, start);
  return uppers > start ? run(lower, text, uppers) : start;
}

function endOfCl100k(text: string, from: number): number {
  const short = once(contraction, text, from);
  if (short > from) return short;
  const afterPrefix = once(prefix, text, from);
  const word = run(letters, text, afterPrefix);
  if (word > afterPrefix) return word;
  const number = once(digits, text, from);
  if (number > from) return number;
  return endOfSigns(text, from, lineEnds) ?? endOfSpace(text, from, false);
}

/** ` ?[signs]+[tail]*`. */
function endOfSigns(text: string, from: number, tail: RegExp): number | undefined {
  const start = text[from] === ' ' ? from + 1 : from;
  const end = run(signs, text, start);
  return end > start ? run(tail, text, end) : undefined;
}

/** o200k: `\s*[\r\n]+|\s+(?!\S)|\s+`; cl100k: `\s+$|\s*[\r\n]|\s+(?!\S)|\s`. Both newline rules end at the last line end of the run. */
function endOfSpace(text: string, from: number, o200k: boolean): number {
  const end = run(spaces, text, from);
  if (end === text.length && !o200k) return end;
  for (let at = end; at > from; at--) if (text[at - 1] === '\n' || text[at - 1] === '\r') return at;
  if (end === text.length) return end;
  return end - from > 1 ? end - 1 : end;
}
