import { describe, expect, it } from 'vitest';
import { localLocks } from '../storage/owner-locks';
import { createImportMarks } from './import-marks';

/** A store of the browser's kind, in memory. */
function memoryStorage(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() { return kept.size; },
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  };
}
const tokens = (): (() => string) => {
  let n = 0;
  return () => `t${++n}`;
};

describe('imports that were cut off', () => {
  it('are told once by the next page; finished ones are not', async () => {
    const storage = memoryStorage();
    const before = createImportMarks(storage, localLocks(), tokens());
    before.begin(['a.jsonl', 'b.jsonl']);
    before.begin(['done.jsonl'])();
    // The locks went with the page.
    const after = createImportMarks(storage, localLocks(), tokens());
    expect(await after.takeInterrupted()).toEqual(['a.jsonl', 'b.jsonl']);
    expect(await after.takeInterrupted()).toEqual([]);
    expect(storage.length).toBe(0);
  });

  it('one that another tab is at is none', async () => {
    const storage = memoryStorage();
    const locks = localLocks();
    const end = createImportMarks(storage, locks, tokens()).begin(['running.jsonl']);
    const other = createImportMarks(storage, locks, tokens());
    expect(await other.takeInterrupted()).toEqual([]);
    end();
    expect(await other.takeInterrupted()).toEqual([]);
  });

  it('a store that is full, broken or not there costs nothing', async () => {
    expect(await createImportMarks(null, localLocks(), tokens()).takeInterrupted()).toEqual([]);
    const full = { ...memoryStorage(), length: 0, setItem: () => { throw new DOMException('full', 'QuotaExceededError'); } };
    expect(() => createImportMarks(full, localLocks(), tokens()).begin(['a'])()).not.toThrow();
    const odd = memoryStorage();
    odd.setItem('contextscope.importing.x', '{broken');
    odd.setItem('contextscope.importing.y', '[1,"kept.jsonl"]');
    odd.setItem('other', 'stays');
    expect(await createImportMarks(odd, localLocks(), tokens()).takeInterrupted()).toEqual(['kept.jsonl']);
    expect(odd.getItem('other')).toBe('stays');
    const refused = { hold: () => Promise.reject(new Error('no locks here')), isHeld: () => Promise.reject(new Error('no locks here')) };
    const marks = createImportMarks(memoryStorage(), refused, tokens());
    marks.begin(['cut.jsonl']);
    expect(await marks.takeInterrupted()).toEqual(['cut.jsonl']);
  });
});
