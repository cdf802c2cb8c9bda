import { describe, expect, it } from 'vitest';
import { containerFiles } from '../../testing/container-files';
import { corpusFiles } from '../../testing/corpus-files';
import type { CorpusFile } from '../../testing/corpus-files';
import { MUTATORS, mutant, seededRandom } from '../../testing/mutate';
import { importFault } from './fuzz';

const SEED = 7;
/** The seeds of a slice are its own, so that slices can be run alone. */
async function faultsOf(files: readonly CorpusFile[], from: number, count: number, size: 'small' | 'full'): Promise<string[]> {
  const faults: string[] = [];
  for (let i = from; i < from + count && faults.length < 5; i++) {
    const random = seededRandom(SEED * 1_000_003 + i);
    const file = files[Math.floor(random() * files.length)]!;
    const other = files[Math.floor(random() * files.length)]!;
    const { bytes, how } = mutant(file.bytes, other.bytes, random, size);
    const fault = await importFault(bytes);
    if (fault !== null) faults.push(`${i}: ${file.name} (${how}): ${fault}`);
  }
  return faults;
}

describe('mutants of files', () => {
  const small = corpusFiles(1200);
  const all = corpusFiles(60_000);

  // 20 000 in all: `npm run fuzz` goes on from here, with any number and any seed.
  it.each(Array.from({ length: 10 }, (_, slice) => slice))('of the smallest, slice %i: no crash, hang, loose reference or silent loss', async (slice) => {
    expect(await faultsOf(small, slice * 1970, 1970, 'small')).toEqual([]);
  });

  it('of all formats and sizes', async () => {
    expect(await faultsOf(all, 100_000, 300, 'full')).toEqual([]);
  });

  it('of containers: databases, tables and archives', async () => {
    expect(await faultsOf(await containerFiles(), 200_000, 400, 'full')).toEqual([]);
  });

  it('every mutator changes something, and the same seed makes the same bytes', () => {
    const file = all.find(({ name }) => name.startsWith('claude-code/'))!;
    for (const { name, mutate } of MUTATORS) {
      const changed = [1, 2, 3, 4, 5].filter((seed) => Buffer.compare(mutate(file.bytes, seededRandom(seed), file.bytes, 'small'), file.bytes) !== 0);
      expect([name, changed.length > 0]).toEqual([name, true]);
    }
    expect(mutant(file.bytes, file.bytes, seededRandom(9))).toEqual(mutant(file.bytes, file.bytes, seededRandom(9)));
  });

  it('sees what it is there to see', async () => {
    const text = new TextEncoder().encode('{"type":"session","version":3,"id":"p","cwd":"/"}\n{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"x"}]}}');
    expect(await importFault(text)).toBeNull();
    // A broken reader, format or spool would show as one of these.
    expect(await importFault(text, { createSpool: () => { throw new Error('not asked for'); } })).toBeNull();
    expect(await importFault(text, { createHasher: () => ({ update: () => { throw new TypeError('bug'); }, digest: () => '' }) })).toMatch(/could not be imported: bug/);
  });
});
