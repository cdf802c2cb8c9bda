/**
 * Does a result say that it was cut or paginated (evidence.md §1)? Then keeping every byte of it is not having it all.
 * Only its two ends are looked at: tools say so first or last, and a long text that quotes such words in its middle does not.
 */
const END_CHARACTERS = 400;

const SAYS_SO: readonly RegExp[] = [
  // "[output truncated]", "… [1234 characters truncated] …", "<response clipped>", "Output too long (…)"
  /[[<({][^\])>}\n]{0,80}\b(?:truncated|clipped|omitted|elided)\b[^\])>}\n]{0,120}[\])>}]/i,
  /\b(?:output|response|content|result|file|lines?|characters?|observation)s?\b[^.\n]{0,60}\b(?:was|were|is|are|been|has been)\b[^.\n]{0,20}\b(?:truncated|clipped|omitted|elided|cut off)\b/i,
  /\boutput (?:truncated|too long|too large)\b/i,
  /\b\d[\d,]* (?:more )?(?:lines|characters|chars|bytes|tokens|results|matches|entries|files|rows) (?:\w+ )?(?:truncated|omitted|elided|hidden|not shown|remaining|more)\b/i,
  /\(?\b(?:showing|displaying) (?:only |the )?(?:first |last |lines? |results? )?\d[\d,]*(?:\s*(?:-|–|to)\s*\d[\d,]*)?[^.\n]{0,30}\bof\b (?:about |~)?\d[\d,]*/i,
  /\b\d[\d,]* more (?:lines|results|matches|files|entries|rows|pages)\b/i,
  /\buse (?:the )?[`'"]?(?:offset|limit|page|cursor|next_page|page_token)[`'"]?\b[^.\n]{0,60}\b(?:continue|read more|see more|next|rest)\b/i,
  /"(?:has_more|hasMore|hasNextPage|truncated|is_truncated)"\s*:\s*true\b/,
  /"(?:next_page_token|nextPageToken|next_cursor|nextCursor)"\s*:\s*"[^"]/,
];

export function saysIncomplete(text: string): boolean {
  const ends = text.length <= 2 * END_CHARACTERS ? text : `${text.slice(0, END_CHARACTERS)}\n${text.slice(-END_CHARACTERS)}`;
  return SAYS_SO.some((pattern) => pattern.test(ends));
}
