/** MiniLM was trained for at most 256 positions: 254 pieces between `[CLS]` and `[SEP]` (embedding.md §2). */
export const WINDOW_PIECES = 254;

/**
 * Ranges [from, to) of the pieces of a text of `count` pieces that are embedded: consecutive windows of `pieces` (254), the last one
 * shorter; with more than `most`, the first half of `most` and the last half. `most` = null keeps all of them.
 */
export function windowRanges(count: number, most: number | null, pieces = WINDOW_PIECES): { from: number; to: number }[] {
  const total = Math.ceil(count / pieces);
  const range = (index: number): { from: number; to: number } => ({
    from: index * pieces,
    to: Math.min(count, (index + 1) * pieces),
  });
  const all = Array.from({ length: total }, (_, index) => index);
  const half = most === null ? 0 : Math.floor(most / 2);
  const kept = most === null || total <= most ? all : [...all.slice(0, half), ...all.slice(total - half)];
  return kept.map(range);
}
