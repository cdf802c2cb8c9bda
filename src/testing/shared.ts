import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Folder with real sample files and reference numbers, kept outside the project. */
const root = process.env['CONTEXTSCOPE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared');

/** Tests that need the samples use `describe.skipIf(!hasShared)` after `announceMissingShared()`. */
export const hasShared = existsSync(resolve(root, 'trajectories'));

export function sharedPath(...parts: string[]): string {
  return resolve(root, ...parts);
}

if (!hasShared) console.warn(`Skipped: no sample files at ${root}. Set CONTEXTSCOPE_SHARED to the folder that holds them.`);
