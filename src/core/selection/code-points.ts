/** Number of Unicode code points of a well-formed text. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) pairs++;
  return text.length - pairs;
}

/** UTF-16 offset after the first `count` code points. */
export function offsetOfCodePoint(text: string, count: number): number {
  let i = 0;
  for (let left = count; left > 0 && i < text.length; left--) i += (text.charCodeAt(i) & 0xfc00) === 0xd800 ? 2 : 1;
  return Math.min(i, text.length);
}

/** The first `count` code points. */
export function headOf(text: string, count: number): string {
  return text.slice(0, offsetOfCodePoint(text, count));
}

/** UTF-16 offset where the last `count` code points start. */
export function offsetOfTail(text: string, count: number): number {
  let i = text.length;
  for (let left = count; left > 0 && i > 0; left--) i -= (text.charCodeAt(i - 1) & 0xfc00) === 0xdc00 ? 2 : 1;
  return Math.max(0, i);
}

/** The last `count` code points. */
export function tailOf(text: string, count: number): string {
  return text.slice(offsetOfTail(text, count));
}
