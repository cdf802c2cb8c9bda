/** Parts on disk: what `--resume` goes on from, and what `corpus map` hands to `corpus reduce`. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { settingsKey } from '../core/corpus/part-key';
import { PART_VERSION, type CorpusSettings, type RunPart } from '../core/corpus/types';
import type { PartFile } from './corpus-map';

/** Named by everything the numbers follow from: bytes, encoder, settings, version. */
export function partPath(folder: string, sha256: string, source: string, settings: CorpusSettings): string {
  return join(folder, `${sha256.slice(0, 16)}-${settingsKey(source, settings).slice(0, 8)}.json`);
}

/** The stored parts under the file's present name; null = none that fits (absent, cut off, of other bytes or settings). */
export async function storedParts(path: string, wanted: { name: string; sha256: string; source: string; settings: CorpusSettings }): Promise<RunPart[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const stored = parsePartFile(path, text);
    const fits = stored.sha256 === wanted.sha256 && stored.source === wanted.source && JSON.stringify(stored.settings) === JSON.stringify(wanted.settings);
    return fits ? stored.parts.map((part) => ({ ...part, run: { ...part.run, file: wanted.name } })) : null;
  } catch {
    return null;
  }
}

/** Written beside and then renamed: a run that is stopped leaves no half of a file. */
export async function writeWhole(path: string, text: string | readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.partial`, text);
  await rename(`${path}.partial`, path);
}

/** Throws 'corrupt' for what is no part file, 'bad-argument' for one of another version. */
export function parsePartFile(path: string, text: string): PartFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ContextscopeError('corrupt', `${path} is not JSON: expected what \`corpus map\` writes.`, { file: path });
  }
  const { version, parts } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof version !== 'number' || !Array.isArray(parts)) throw new ContextscopeError('corrupt', `${path} is not a part: expected "version" and "parts", as \`corpus map\` writes.`, { file: path });
  if (version !== PART_VERSION) throw new ContextscopeError('bad-argument', `${path} was written by version ${version} of the tables; this is version ${PART_VERSION}. Map the file again.`, { file: path });
  return value as PartFile;
}
