/** What the tables call a file, and in which order files are taken: by name alone, so that no machine changes it. */

const collate = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Folder by folder, names by code unit: the order in which a folder is walked. */
export function comparePaths(a: string, b: string): number {
  const [one, two] = [a.split('/'), b.split('/')];
  for (let i = 0; i < Math.min(one.length, two.length); i++) {
    const order = collate(one[i]!, two[i]!);
    if (order !== 0) return order;
  }
  return one.length - two.length;
}

/** Hidden files and installed packages are no runs. `path` is relative to the folder given. */
export function isLeftOut(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');
}

/**
 * Names of files given by their paths: where all lie in one folder, its name is left out, as it is for `corpus FOLDER`.
 * Two files of one name are told apart by the first digits of their hashes.
 */
export function runNames(files: readonly { path: string; sha256: string }[]): string[] {
  const roots = new Set(files.map(({ path }) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : '')));
  const [root = ''] = roots.size === 1 ? roots : [];
  const names = files.map(({ path }) => path.slice(root.length));
  const taken = new Map<string, Set<string>>();
  names.forEach((name, i) => taken.set(name, (taken.get(name) ?? new Set()).add(files[i]!.sha256)));
  return names.map((name, i) => (taken.get(name)!.size > 1 ? `${name} (${files[i]!.sha256.slice(0, 8)})` : name));
}
