/** Lone surrogates become U+FFFD, as in UTF-8 (embedding.md §1); what hash, tokenizer and hashed encoder see is the same text. */
export function wellFormed(text: string): string {
  // With the u flag a surrogate pair is one code point, so \p{Surrogate} matches only halves that stand alone.
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
