import { describe, expect, it } from 'vitest';
import { libraryRun } from '../../testing/fake-workbench';
import { filterRuns, searchable, sortRuns } from './library-rows';

const RUNS = [
  libraryRun({ id: 'a', name: 'alpha', model: 'Opus', steps: 3, pinned: false }),
  libraryRun({ id: 'b', name: 'beta', model: null, steps: 9, pinned: false }),
  libraryRun({ id: 'c', name: 'gamma', model: 'haiku', steps: 1, pinned: true }),
];
const ids = (runs: { id: string }[]): string => runs.map(({ id }) => id).join('');

describe('rows of the library', () => {
  it('puts pinned runs first and unknown values last, in both directions', () => {
    expect(ids(sortRuns(RUNS, 'steps', true))).toBe('cba');
    expect(ids(sortRuns(RUNS, 'steps', false))).toBe('cab');
    expect(ids(sortRuns(RUNS, 'model', true))).toBe('cab');
    expect(ids(sortRuns(RUNS, 'model', false))).toBe('cab');
  });

  it('finds by name, model and format, whatever the case, and never across two of them', () => {
    const all = searchable(RUNS);
    expect(ids(filterRuns(all, ' OPUS '))).toBe('a');
    expect(ids(filterRuns(all, ''))).toBe('abc');
    expect(filterRuns(all, 'betaopus')).toEqual([]);
  });
});
