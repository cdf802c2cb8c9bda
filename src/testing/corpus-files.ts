import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { hasShared, sharedPath } from './shared';

export interface CorpusFile { name: string; bytes: Uint8Array }

/** Every fixture of ours and every sample file there is, by name; `maxBytes` leaves out the larger ones. */
export function corpusFiles(maxBytes = Infinity): CorpusFile[] {
  const roots = [resolve(import.meta.dirname, '../core/import/fixtures'), ...(hasShared ? [sharedPath('trajectories')] : [])];
  return roots
    .flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !/\.tsv$|README/.test(entry.name)).map((entry) => ({ root, path: join(entry.parentPath, entry.name) })))
    .filter(({ path }) => existsSync(path))
    .map(({ root, path }) => ({ name: relative(root, path), bytes: new Uint8Array(readFileSync(path)) }))
    .filter(({ bytes }) => bytes.length <= maxBytes)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
