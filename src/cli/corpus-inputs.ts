import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { comparePaths, isLeftOut } from '../core/corpus/run-names';
import { nodeHasher } from './file-source';

/** A file to map. `name`: what the tables call it: its path within the folder given, so that it does not depend on where that is. */
export interface CorpusInput { path: string; name: string }

/** Files of the arguments, folders in full, in the order of their names. Hidden files and node_modules are left out. Throws 'not-found'. */
export async function corpusInputs(paths: readonly string[]): Promise<CorpusInput[]> {
  const out: CorpusInput[] = [];
  for (const path of paths) {
    const info = await stat(path).catch(() => null);
    if (!info) throw new ContextscopeError('not-found', `Expected a file or folder, found no ${path}.`, { file: path });
    if (info.isDirectory()) for (const name of await filesIn(path, '')) out.push({ path: join(path, name), name });
    else out.push({ path, name: basename(path) });
  }
  const taken = new Map<string, number>();
  for (const input of out) taken.set(input.name, (taken.get(input.name) ?? 0) + 1);
  // Two files of one name: called by their paths as given.
  return out.map((input) => (taken.get(input.name)! > 1 ? { ...input, name: input.path } : input));
}

async function filesIn(root: string, below: string): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const names = entries.filter((entry) => !isLeftOut(entry.name)).sort((a, b) => comparePaths(a.name, b.name));
  const lists = await Promise.all(names.map((entry) => {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    return entry.isDirectory() ? filesIn(root, name) : Promise.resolve(entry.isFile() ? [name] : []);
  }));
  return lists.flat();
}

/** SHA-256 of a file's bytes, read as a stream. */
export async function sha256OfFile(path: string): Promise<string> {
  const hasher = nodeHasher();
  for await (const piece of createReadStream(path)) hasher.update(piece as Uint8Array);
  return hasher.digest();
}
