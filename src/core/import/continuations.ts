import type { FileLinks } from './format';

/** What is looked at of a file: its path, its format, and what it says of others. */
export interface Continued { path: string; format: string; links: FileLinks | undefined }

/**
 * Files in which one run goes on (ATIF's `trajectory.cont-N.json`, formats.md §8), as chains of positions in `files`. Told
 * by the name that a file gives, in its own folder; a name that two files have tells nothing.
 */
export function continuationChains(files: readonly Continued[]): number[][] {
  const byPath = new Map<string, number[]>();
  files.forEach(({ path }, i) => { byPath.set(path, [...(byPath.get(path) ?? []), i]); });
  const next = files.map(({ path, format, links }, i): number | undefined => {
    if (links?.continuedIn === undefined) return undefined;
    const found = byPath.get(`${path.slice(0, folderLength(path))}${links.continuedIn}`) ?? [];
    const only = found.length === 1 ? found[0]! : undefined;
    return only !== undefined && only !== i && files[only]!.format === format ? only : undefined;
  });
  const continued = new Set(next.filter((at) => at !== undefined));
  const chains: number[][] = [];
  next.forEach((at, i) => {
    if (at === undefined || continued.has(i)) return;
    const chain = [i];
    // A circle has no first file, and a file that two name goes with the first.
    for (let to: number | undefined = at; to !== undefined && !chain.includes(to) && !chains.some((other) => other.includes(to!)); to = next[to]) chain.push(to);
    if (chain.length > 1) chains.push(chain);
  });
  return chains;
}

/** Characters of a path up to its last separator; `archive!member` counts as a folder. */
function folderLength(path: string): number {
  return Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'), path.lastIndexOf('!')) + 1;
}
