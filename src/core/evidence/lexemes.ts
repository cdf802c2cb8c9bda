/**
 * Finds lexemes (evidence.md §1) in one pass over the characters, without cutting strings: a run of word characters and
 * joiners is classified from flags gathered on the way. Compounds nest: a path, then its components, then their words.
 */

/** Called for each lexeme [from, to). True = its parts are of no interest. */
export type LexemeSink = (text: string, from: number, to: number) => boolean;

const MIN_LEXEME = 4;
/** Numbers count from three digits on. */
const MIN_DIGITS = 3;
export const MAX_LEXEME = 256;
/** Longer unbroken runs are data (base64, minified code), not names. */
const MAX_RUN = 1024;
const MAX_LITERAL = 120;

const enum Class { other, lower, upper, digit, underscore, joiner, urlOnly, quote, newline }

/**
 * Class of every UTF-16 unit: one look-up a character. Letters beyond ASCII belong to words; spaces, punctuation, arrows,
 * boxes and surrogates do not.
 */
const CLASSES = new Uint8Array(65_536);
CLASSES.fill(Class.lower, 0xc0, 0x2000).fill(Class.lower, 0x2c00, 0x3000).fill(Class.lower, 0x3040, 0xd800);
CLASSES.fill(Class.lower, 97, 123).fill(Class.upper, 65, 91).fill(Class.digit, 48, 58);
for (const [characters, kind] of [['_$', Class.underscore], ['-./@~', Class.joiner], ['?&=%#+:', Class.urlOnly], ['"\'`', Class.quote], ['\n\r', Class.newline]] as const) {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = kind;
}
const classOf = (code: number): number => CLASSES[code]!;

const SLASH = 47, DOT = 46, DASH = 45, AT = 64, COLON = 58, TILDE = 126, BACKSLASH = 92;

const ONLY_LOWER = 1 << Class.lower;
const LOWER_AND_UPPER = ONLY_LOWER | (1 << Class.upper);

const isWord = (kind: number): boolean => kind >= Class.lower && kind <= Class.underscore;

export function scanLexemes(text: string, sink: LexemeSink): void {
  const length = text.length;
  // Where an open quote of each kind stands; pairs are taken in turn and never cross a line.
  let openDouble = -1, openSingle = -1, openBack = -1;
  for (let i = 0; i < length; ) {
    const code = text.charCodeAt(i);
    const kind = classOf(code);
    if (isWord(kind) || kind === Class.joiner) {
      i = scanRun(text, i, sink);
      continue;
    }
    if (kind === Class.newline) openDouble = openSingle = openBack = -1;
    else if (kind === Class.quote && text.charCodeAt(i - 1) !== BACKSLASH) {
      const open = code === 34 ? openDouble : code === 39 ? openSingle : openBack;
      let next = -1;
      if (open >= 0) emitLiteral(text, open + 1, i, sink);
      // An apostrophe inside a word opens nothing.
      else if (code !== 39 || i === 0 || !isWord(classOf(text.charCodeAt(i - 1)))) next = i;
      if (code === 34) openDouble = next;
      else if (code === 39) openSingle = next;
      else openBack = next;
    }
    i++;
  }
}

function emitLiteral(text: string, from: number, to: number, sink: LexemeSink): void {
  if (to - from >= MIN_LEXEME && to - from <= MAX_LITERAL) sink(text, from, to);
}

/** A whole value that is short and on one line counts as a quoted literal. */
export function scanLiteral(text: string, sink: LexemeSink): void {
  if (text.length <= MAX_LITERAL && !text.includes('\n')) emitLiteral(text, 0, text.length, sink);
}

/** Emits the lexemes of the run that starts here; returns where it ends. */
function scanRun(text: string, start: number, sink: LexemeSink): number {
  let end = start;
  let url = false;
  let seen = 0;
  let before = 0;
  let camel = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const kind = classOf(code);
    seen |= 1 << kind;
    if (isWord(kind)) {
      if (kind === Class.upper && before === Class.lower) camel = true;
      before = kind;
      continue;
    }
    if (kind === Class.joiner) continue;
    seen &= ~(1 << kind);
    if (kind !== Class.urlOnly) break;
    if (url) continue;
    if (code !== COLON || text.charCodeAt(end + 1) !== SLASH || text.charCodeAt(end + 2) !== SLASH) break;
    url = true;
  }
  // Most runs are plain words, and those are no lexemes.
  if (end - start > MAX_RUN || seen === ONLY_LOWER || (seen === LOWER_AND_UPPER && !camel)) return end;
  if ((seen & (1 << Class.joiner)) === 0) {
    emitWord(text, start, end, sink);
    return end;
  }
  let from = start;
  let to = end;
  while (to > from && !isWord(classOf(text.charCodeAt(to - 1)))) to--;
  while (from < to && !startsName(text, from, to)) from++;
  if (to - from >= MIN_DIGITS) emitCompound(text, from, to, url, sink);
  return end;
}

/** A word character, or the start of `/x`, `./x`, `../x`, `~/x`, `.x`, `@x`. */
function startsName(text: string, at: number, to: number): boolean {
  const code = text.charCodeAt(at);
  if (isWord(classOf(code))) return true;
  const next = at + 1 < to ? text.charCodeAt(at + 1) : 0;
  if (code === TILDE) return next === SLASH;
  if (code === SLASH || code === AT) return isWord(classOf(next)) || (code === SLASH && (next === DOT || next === AT));
  return code === DOT && (next === SLASH || next === DOT || isWord(classOf(next)));
}

function emitCompound(text: string, from: number, to: number, url: boolean, sink: LexemeSink): void {
  let slashes = 0;
  let telling = url;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === SLASH) slashes++;
    else if (!telling && (code === DOT || code === DASH || code === AT || code === TILDE || classOf(code) === Class.digit || classOf(code) === Class.underscore)) telling = true;
  }
  if (slashes === 0) return emitDotted(text, from, to, sink);
  // "and/or" is no path: it takes a second slash, a leading one, or something that prose does not have.
  const isPath = telling || slashes > 1 || text.charCodeAt(from) === SLASH;
  if (isPath && to - from >= MIN_LEXEME && to - from <= MAX_LEXEME && sink(text, from, to)) return;
  for (let i = from, part = from; i <= to; i++) {
    const code = i < to ? text.charCodeAt(i) : SLASH;
    if (code !== SLASH && classOf(code) !== Class.urlOnly) continue;
    emitDotted(text, part, i, sink);
    part = i + 1;
  }
}

/** A name without slashes: dotted, e-mail-like, kebab, or one word. */
function emitDotted(text: string, start: number, to: number, sink: LexemeSink): void {
  let from = start;
  while (from < to && !isWord(classOf(text.charCodeAt(from))) && text.charCodeAt(from) !== DOT) from++;
  let joined = false;
  for (let i = from + 1; i < to - 1 && !joined; i++) {
    const code = text.charCodeAt(i);
    joined = code === DOT || code === AT || code === DASH;
  }
  if (!joined) return emitWord(text, from, to, sink);
  if (to - from >= MIN_LEXEME && to - from <= MAX_LEXEME && sink(text, from, to)) return;
  for (let i = from, part = from; i <= to; i++) {
    if (i < to && classOf(text.charCodeAt(i)) !== Class.joiner) continue;
    emitWord(text, part, i, sink);
    part = i + 1;
  }
}

/** snake_case, camelCase, letters with digits, numbers, error codes; plain words are no lexemes. */
function emitWord(text: string, from: number, to: number, sink: LexemeSink): void {
  const length = to - from;
  if (length < MIN_DIGITS || length > MAX_LEXEME) return;
  let digits = 0, uppers = 0, underscores = 0;
  let camel = false;
  let before = 0;
  for (let i = from; i < to; i++) {
    const kind = classOf(text.charCodeAt(i));
    if (kind === Class.digit) digits++;
    else if (kind === Class.upper) {
      uppers++;
      if (before === Class.lower) camel = true;
    } else if (kind === Class.underscore) underscores++;
    before = kind;
  }
  if (digits === length || (digits > 0 && digits + underscores === length)) {
    if (digits >= MIN_DIGITS) sink(text, from, to);
    return;
  }
  if (length < MIN_LEXEME) return;
  const name = camel || digits > 0 || (underscores > 0 && underscores < length);
  // ENOENT, EACCES, SIGKILL: all capitals with a known beginning.
  const errorCode = uppers === length && (text.charCodeAt(from) === 69 || text.startsWith('SIG', from));
  if (name || errorCode) sink(text, from, to);
}

const MIN_VERBATIM = 32;
const LINE_PREFIX = /^(?:\s*\d+[\t→:|]|\s*[+>-](?=\s))/;

/**
 * Lines of at least 32 characters as verbatim runs. A line number that a reading tool put before it, a diff's sign and
 * white space around it are left out, so that a copied line is found again wherever it was printed.
 */
export function scanLines(text: string, onLine: (text: string, from: number, to: number) => void): void {
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    if (end - start >= MIN_VERBATIM) {
      const prefix = LINE_PREFIX.exec(text.slice(start, start + 24));
      let from = start + (prefix ? prefix[0].length : 0);
      let to = end;
      while (from < to && text.charCodeAt(from) <= 32) from++;
      while (to > from && text.charCodeAt(to - 1) <= 32) to--;
      if (to - from >= MIN_VERBATIM) onLine(text, from, to);
    }
    start = end + 1;
  }
}

/** The lexemes of a text as strings, each once, in order of appearance; `nested: false` leaves the parts of compounds out. */
export function lexemesOf(text: string, nested = true): string[] {
  const found = new Set<string>();
  scanLexemes(text, (source, from, to) => {
    found.add(source.slice(from, to));
    return !nested;
  });
  return [...found];
}
