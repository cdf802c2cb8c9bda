/**
 * Extractive stand-in for a summary (policies.md): no model, the same text always gives the same words. First and last
 * sentence, then headings, error lines, paths, identifiers and numbers while there is room.
 */
export const GIST_LIMIT = 400;

/** Only the two ends of a long text are looked at, so that the cost of a gist is bounded. */
const HEAD = 2000;
const TAIL = 1200;
const SENTENCE_LIMIT = 120;
const DETAIL_LIMIT = 80;

const SENTENCE_END = /[.!?。！？](?=\s|$)|\n/;
const HEADING = /^#{1,6} +\S.*$/gm;
/** The line patterns of gem.md §7: code that merely speaks of errors is none. */
const ERROR_LINE =
  /^[ \t]*Traceback \(most recent call last\).*$|^[ \t]*(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[[^\]\n]*\])?:.*$|^(?:fatal|error|panic|FATAL|ERROR)(?:\[[^\]\n]*\])?:.*$|^(?:FAILED|FAIL)\b.*$|^.{1,200}: (?:No such file or directory|Permission denied|command not found|not found)$/gm;
/** Starts only where a run of such characters starts: else a long run without a slash would be read again from each of its characters. */
const PATH = /(?<![\w@./-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*\w/g;
const IDENTIFIER = /\b(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)\b/g;
const NUMBER = /(?<![\w.])\d[\d,.]*\d(?!\w)/g;

export function gistOf(text: string): string {
  const whole = text.length <= HEAD + TAIL ? text : `${wholeCharacters(text.slice(0, HEAD))}\n${wholeCharacters(text.slice(-TAIL))}`;
  const body = whole.trim();
  if (body.length <= GIST_LIMIT) return oneLine(body);
  const first = cut(firstSentence(body), SENTENCE_LIMIT);
  const last = cut(lastSentence(body), SENTENCE_LIMIT);
  const pieces = last === first ? [first] : [`${first} …`, last];
  let length = pieces.join(' ').length;
  const seen = new Set([first, last]);
  for (const pattern of [HEADING, ERROR_LINE, PATH, IDENTIFIER, NUMBER]) {
    for (const match of body.matchAll(pattern)) {
      const detail = cut(oneLine(match[0]), DETAIL_LIMIT);
      if (detail === '' || seen.has(detail)) continue;
      const needed = detail.length + 3;
      if (length + needed > GIST_LIMIT) break;
      seen.add(detail);
      pieces.push(`· ${detail}`);
      length += needed;
    }
  }
  return pieces.join(' ');
}

function firstSentence(body: string): string {
  const end = SENTENCE_END.exec(body);
  return oneLine(end ? body.slice(0, end.index + 1) : body);
}

function lastSentence(body: string): string {
  const tail = wholeCharacters(body.slice(-600)).trimEnd();
  let start = 0;
  for (const match of tail.slice(0, -1).matchAll(new RegExp(SENTENCE_END, 'g'))) start = match.index + 1;
  return oneLine(tail.slice(start));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Without half a surrogate pair at either end. */
function wholeCharacters(slice: string): string {
  return slice.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** Never cuts between the halves of a surrogate pair. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${wholeCharacters(text.slice(0, limit - 1))}…`;
}
