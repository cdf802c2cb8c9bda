/**
 * Where an o200k piece ends, for ASCII: the rules of the split pattern (gpt-tokenizer/encodingParams; huge-piece.ts says
 * them one by one) over a table of character classes, several times as fast as the pattern with its Unicode properties.
 */

/** Classes: everything else (signs and control characters), upper case, lower case, digits, white space, line ends. */
const SIGN = 0;
const UPPER = 1;
const LOWER = 2;
const DIGIT = 3;
const SPACE = 4;
const LINE_END = 5;
/** Beyond ASCII, or past the end of the text. */
const BEYOND = 6;
const END = 7;

const SLASH = 47;
const APOSTROPHE = 39;
const BLANK = 32;

const CLASS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return UPPER;
  if (/[a-z]/.test(character)) return LOWER;
  if (/[0-9]/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return LINE_END;
  return /\s/.test(character) ? SPACE : SIGN;
});

function classAt(text: string, at: number): number {
  if (at >= text.length) return END;
  const code = text.charCodeAt(at);
  return code < 128 ? CLASS[code]! : BEYOND;
}

/** End of the piece at `from` (inside the text); −1 where a character beyond ASCII stands in it or next to it. */
export function endOfAsciiPiece(text: string, from: number): number {
  const first = classAt(text, from);
  if (first === BEYOND) return -1;
  if (first === UPPER || first === LOWER) return endOfWord(text, from);
  if (first === DIGIT) return endOfDigits(text, from);
  const second = classAt(text, from + 1);
  if (second === BEYOND) return -1;
  if (first === LINE_END) return endOfSpace(text, from);
  // One sign or blank before letters goes with them.
  if (second === UPPER || second === LOWER) return endOfWord(text, from + 1);
  if (first === SIGN || (second === SIGN && text.charCodeAt(from) === BLANK)) return endOfSigns(text, from + 1);
  return endOfSpace(text, from);
}

/** `[UPPER]*[LOWER]*`, then a contraction. */
function endOfWord(text: string, from: number): number {
  let at = from;
  let kind = classAt(text, at);
  while (kind === UPPER) kind = classAt(text, ++at);
  while (kind === LOWER) kind = classAt(text, ++at);
  if (kind === BEYOND) return -1;
  return kind === SIGN && text.charCodeAt(at) === APOSTROPHE ? endOfContraction(text, at) : at;
}

function endOfContraction(text: string, at: number): number {
  const next = text.charCodeAt(at + 1) | 0x20;
  if (classAt(text, at + 1) === BEYOND) return -1;
  // s, d, m, t
  if (next === 115 || next === 100 || next === 109 || next === 116) return at + 2;
  const after = text.charCodeAt(at + 2) | 0x20;
  // ll, ve, re
  const isLong = (next === 108 && after === 108) || ((next === 118 || next === 114) && after === 101);
  return isLong ? at + 3 : at;
}

function endOfDigits(text: string, from: number): number {
  let at = from + 1;
  while (at < from + 3 && classAt(text, at) === DIGIT) at++;
  return at < from + 3 && classAt(text, at) === BEYOND ? -1 : at;
}

/** `[signs]*[\r\n/]*`; the first sign lies before `from` or at it. */
function endOfSigns(text: string, from: number): number {
  let at = from;
  let kind = classAt(text, at);
  while (kind === SIGN) kind = classAt(text, ++at);
  if (kind === BEYOND) return -1;
  while (kind === LINE_END || (kind === SIGN && text.charCodeAt(at) === SLASH)) kind = classAt(text, ++at);
  return kind === BEYOND ? -1 : at;
}

/** `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last line end of the run, else all but the blank before what follows. */
function endOfSpace(text: string, from: number): number {
  let at = from;
  let lineEnd = -1;
  let kind = classAt(text, at);
  while (kind === SPACE || kind === LINE_END) {
    at++;
    if (kind === LINE_END) lineEnd = at;
    kind = classAt(text, at);
  }
  if (kind === BEYOND) return -1;
  if (lineEnd >= 0) return lineEnd;
  return kind === END || at - from === 1 ? at : at - 1;
}
