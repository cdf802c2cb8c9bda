import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextscopeError } from '../core/base/errors';

/** A file to import; `folder` is set when it was found in a folder that was named. */
export interface ExpandedPath { path: string; folder?: string }

/** A path as given, or every file below a folder, by name; hidden ones and installed packages are left out. Throws 'bad-argument' for a folder without files. */
export async function expandPaths(path: string): Promise<ExpandedPath[]> {
  const isFolder = path !== '-' && (await stat(path).then((found) => found.isDirectory(), () => false));
  if (!isFolder) return [{ path }];
  const files = await filesBelow(path);
  if (files.length === 0) throw new ContextscopeError('bad-argument', `Expected files in the folder ${path}, found none.`, { file: path });
  return files.map((file) => ({ path: file, folder: path }));
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
