/** A budget as people write it. */
const UNITS: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000 };

/** "32000", "32 000", "32,000", "16k", "1.5M" → tokens, whole and above 0; null = none of these. */
export function parseBudget(text: string): number | null {
  const plain = text.trim().toLowerCase().replace(/(?<=\d)[\s_\u202f](?=\d)/g, '').replace(/^(\d{1,3})((?:,\d{3})+)$/, (_, head: string, rest: string) => head + rest.replace(/,/g, ''));
  const match = /^(\d+(?:\.\d+)?)\s*([km]?)$/.exec(plain);
  if (match === null) return null;
  const tokens = Math.round(Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1));
  return tokens > 0 && Number.isSafeInteger(tokens) ? tokens : null;
}
