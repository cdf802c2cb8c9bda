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
 * Labels at the ends of lines, in the order of where they belong: as many as fit, the more important first; those that
 * would overlap share the shift. What ends up farther than `maxShift` from its place is left out.
 */
export function placeStacked(labels: readonly StackedLabel[], top: number, bottom: number, maxShift: number): PlacedLabel[] {
  const kept = fitting(labels, bottom - top).sort((a, b) => a.y - b.y);
  const clusters: Cluster[] = [];
  for (const label of kept) {
    let cluster = settle({ labels: [label], height: label.height, top: 0 }, top, bottom);
    for (let before = clusters.at(-1); before && before.top + before.height > cluster.top; before = clusters.at(-1)) {
      clusters.pop();
      cluster = settle({ labels: [...before.labels, ...cluster.labels], height: before.height + cluster.height, top: 0 }, top, bottom);
    }
    clusters.push(cluster);
  }
  return clusters.flatMap((cluster) => {
    let at = cluster.top;
    return cluster.labels.flatMap(({ key, y, height }) => {
      const middle = at + height / 2;
      at += height;
      return Math.abs(middle - y) <= maxShift ? [{ key, y: middle }] : [];
    });
  });
}

/** Labels that touch, top to bottom. */
interface Cluster { labels: readonly StackedLabel[]; height: number; top: number }

/** Puts a cluster where the sum of the squared shifts of its labels is least, inside the room. */
function settle(cluster: Cluster, top: number, bottom: number): Cluster {
  let offset = 0;
  let sum = 0;
  for (const { y, height } of cluster.labels) {
    sum += y - height / 2 - offset;
    offset += height;
  }
  return { ...cluster, top: Math.max(top, Math.min(sum / cluster.labels.length, bottom - cluster.height)) };
}

/** The most important labels whose heights add up to no more than the room. */
function fitting(labels: readonly StackedLabel[], room: number): StackedLabel[] {
  let used = 0;
  return [...labels].sort((a, b) => b.importance - a.importance).filter(({ height }) => {
    if (used + height > room) return false;
    used += height;
    return true;
  });
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
