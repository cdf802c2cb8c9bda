import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaths, isLeftOut, runNames } from './run-names';

describe('comparePaths', () => {
  it('walks folder by folder, by code unit', () => {
    const given = ['a.json', 'a/z.json', 'Z.json', 'a-b/c.json', 'ä.json', 'a/b/c.json', 'a'];
    expect([...given].sort(comparePaths)).toEqual(['Z.json', 'a', 'a/b/c.json', 'a/z.json', 'a-b/c.json', 'a.json', 'ä.json']);
  });

  it('is an order: the same whatever the files came in', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'a.json', 'B', 'ab', 'a b'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
      expect([...paths].reverse().sort(comparePaths)).toEqual([...paths].sort(comparePaths));
    }));
  });
});

it('hidden files and installed packages are left out', () => {
  expect(['a.json', '.git/a', 'a/.b/c', 'a/node_modules/c', 'a.b/c'].map(isLeftOut)).toEqual([false, true, true, true, false]);
});

describe('runNames', () => {
  const named = (paths: string[], hashes = paths): string[] => runNames(paths.map((path, i) => ({ path, sha256: hashes[i]! })));

  it('leaves out the one folder that all lie in, and no more', () => {
    expect(named(['runs/a.json', 'runs/deep/b.json'])).toEqual(['a.json', 'deep/b.json']);
    expect(named(['runs/a.json', 'b.json'])).toEqual(['runs/a.json', 'b.json']);
    expect(named(['runs/a.json', 'other/b.json'])).toEqual(['runs/a.json', 'other/b.json']);
    expect(named([])).toEqual([]);
  });

  it('tells two files of one name apart by their bytes; one file under one name twice is one', () => {
    expect(named(['run.json', 'run.json', 'x.json'], ['0123456789', 'fedcba9876', 'aa'])).toEqual(['run.json (01234567)', 'run.json (fedcba98)', 'x.json']);
    expect(named(['run.json', 'run.json'], ['01', '01'])).toEqual(['run.json', 'run.json']);
  });
});
