/** Fuzzy match for short lists: letters of the query in order; beginnings of words and runs of letters count more. */
export interface Match { score: number; /** Indices of the matched characters in the text, ascending. */ at: number[] }

const WORD = /[\p{L}\p{N}]/u;
/** Characters of a text that are looked at. */
const MAX_TEXT = 200;

/** null = no match. An empty query matches everything with score 0. Spaces separate words that must all occur, in any order. */
export function fuzzy(query: string, text: string): Match | null {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== '');
  const lower = text.slice(0, MAX_TEXT).toLowerCase();
  const at = new Set<number>();
  let score = 0;
  for (const word of words) {
    const found = matchWord(word, lower);
    if (found === null) return null;
    score += found.score;
    for (const index of found.at) at.add(index);
  }
  // Of two that match alike the shorter is meant.
  return { score: words.length === 0 ? 0 : score - lower.length * 0.02, at: [...at].sort((a, b) => a - b) };
}

const range = (from: number, length: number): number[] => Array.from({ length }, (_, i) => from + i);
const startsWord = (text: string, index: number): boolean => index === 0 || !WORD.test(text[index - 1] ?? '');

function matchWord(word: string, text: string): Match | null {
  // As it stands, best at the beginning of a word.
  let whole = text.indexOf(word);
  for (let next = whole; next >= 0; next = text.indexOf(word, next + 1)) {
    if (!startsWord(text, next)) continue;
    whole = next;
    break;
  }
  if (whole >= 0) return { score: word.length * 3 + (startsWord(text, whole) ? 8 : 2) + (whole === 0 ? 2 : 0), at: range(whole, word.length) };
  // Scattered letters of a short query match nearly any long text and mean nothing.
  if (word.length < 3) return null;
  const at: number[] = [];
  let score = 0;
  for (const letter of word) {
    const last = at.at(-1) ?? -1;
    let index = text.indexOf(letter, last + 1);
    if (index < 0) return null;
    if (index !== last + 1) {
      for (let next = index; next >= 0; next = text.indexOf(letter, next + 1)) {
        if (!startsWord(text, next)) continue;
        index = next;
        break;
      }
    }
    score += index === last + 1 ? 2 : startsWord(text, index) ? 1.5 : -1;
    at.push(index);
  }
  return score > 0 ? { score, at } : null;
}
