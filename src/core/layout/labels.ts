/** Text placed by measured width, dropped in order of importance before it collides (design.md "Layout"). */
export type MeasureText = (text: string) => number;

/** The longest prefix and suffix around "…" that fit; the whole text when it fits, '' when not even "…" does. */
export function cutMiddle(text: string, maxWidth: number, measure: MeasureText): string {
  if (measure(text) <= maxWidth) return text;
  const points = [...text];
  let low = 0;
  let high = points.length - 1;
  const cut = (keep: number): string => points.slice(0, Math.ceil(keep / 2)).join('') + '…' + points.slice(points.length - Math.floor(keep / 2)).join('');
  if (measure('…') > maxWidth) return '';
  while (low < high) {
    const keep = Math.ceil((low + high) / 2);
    if (measure(cut(keep)) <= maxWidth) low = keep;
    else high = keep - 1;
  }
  return cut(low);
}

/** Parts in order of importance, joined while they fit; the first alone is cut in the middle when it does not. */
export function fitParts(parts: readonly string[], separator: string, maxWidth: number, measure: MeasureText): string {
  const [first = '', ...rest] = parts;
  let text = cutMiddle(first, maxWidth, measure);
  for (const part of rest) {
    const longer = text + separator + part;
    if (measure(longer) > maxWidth) break;
    text = longer;
  }
  return text;
}

export interface StackedLabel { key: string; /** Wanted centre. */ y: number; height: number; importance: number }
export interface PlacedLabel { key: string; y: number }

/**
 * Labels at the ends of lines: the more important first, each as near as it can get to where it belongs and no farther
 * than `maxShift`; what finds no room is left out. Result in order of y.
 */
export function placeStacked(labels: readonly StackedLabel[], top: number, bottom: number, maxShift: number): PlacedLabel[] {
  const taken: { from: number; to: number; key: string; y: number }[] = [];
  const byImportance = [...labels].sort((a, b) => b.importance - a.importance);
  for (const label of byImportance) {
    const y = nearestGap(label, taken, top, bottom);
    if (y === null || Math.abs(y - label.y) > maxShift) continue;
    taken.push({ from: y - label.height / 2, to: y + label.height / 2, key: label.key, y });
  }
  return taken.sort((a, b) => a.y - b.y).map(({ key, y }) => ({ key, y }));
}

function nearestGap(label: StackedLabel, taken: readonly { from: number; to: number }[], top: number, bottom: number): number | null {
  const half = label.height / 2;
  const free = (y: number): boolean =>
    y - half >= top - 1e-9 && y + half <= bottom + 1e-9 && taken.every((other) => y + half <= other.from + 1e-9 || y - half >= other.to - 1e-9);
  const candidates = [Math.min(Math.max(label.y, top + half), bottom - half), ...taken.flatMap((other) => [other.from - half, other.to + half])];
  let best: number | null = null;
  for (const y of candidates) if (free(y) && (best === null || Math.abs(y - label.y) < Math.abs(best - label.y))) best = y;
  return best;
}

/** Tick labels on one line: centres and widths in order; returns which to draw, first and last preferred. */
export function dropOverlapping(centres: readonly number[], widths: readonly number[], gap: number): boolean[] {
  const keep: boolean[] = [];
  let end = -Infinity;
  centres.forEach((centre, i) => {
    const half = (widths[i] ?? 0) / 2;
    const fits = centre - half >= end;
    keep.push(fits);
    if (fits) end = centre + half + gap;
  });
  return keep;
}
