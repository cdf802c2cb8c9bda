/** A 52-bit number for a text (two FNV-1a passes): texts that were seen are remembered without keeping them. */
export function textKey(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) + 0x9e3779b9;
  }
  return (low >>> 0) + ((high >>> 0) & 0xfffff) * 2 ** 32;
}
