import { sha256Hex } from '../base/sha256';
import { PART_VERSION, type CorpusSettings } from './types';

/** Everything but the bytes that a part's numbers follow from: encoder (or vectors), settings, version of the tables. SHA-256, hex. */
export function settingsKey(source: string, settings: CorpusSettings): string {
  return sha256Hex(JSON.stringify([PART_VERSION, source, settings]));
}

/** Under which a stored part is found again. `settings`: their key. `trajectory` 'all' = the parts of every trajectory of the file. */
export function corpusPartKey(sha256: string, trajectory: number | 'all', settings: string): string {
  return `${sha256} ${trajectory} ${settings}`;
}
