/**
 * The lexemes of evidence.md §1 (without copied lines) as one regular expression: the yardstick that the benchmark holds
 * the index against ("≤ 3 × one regex pass over the same text"). The index itself uses the scanner in lexemes.ts.
 */
export const LEXEME_PATTERN =
  /https?:\/\/[^\s"'<>`]+|(?:[~.]{0,2}\/)?(?:[\w@.~-]+\/)+[\w@.~-]*\w|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[A-Za-z_$][\w$]*(?:[.-][\w$]+)+|[A-Za-z$]*(?:_[\w$]*|\d[\w$]*|[a-z][A-Z][\w$]*)|\b(?:E[A-Z]{3,}|SIG[A-Z]+)\b|\b\d{3,}\b|"[^"\n]{4,120}"|'[^'\n]{4,120}'|`[^`\n]{4,120}`/g;
