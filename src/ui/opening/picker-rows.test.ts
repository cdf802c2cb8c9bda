import { describe, expect, it } from 'vitest';
import { libraryRun } from '../../testing/fake-workbench';
import { pickerLengths, pickerRows, pickerTotals } from './picker-rows';

const runs = ['django 10', 'django 9', 'sympy 3', 'flask'].map((name, indexInFile) => libraryRun({ id: `f#${indexInFile}`, name, indexInFile, steps: [5, 9, 1, 9][indexInFile]!, messages: 10 * (indexInFile + 1), model: indexInFile === 2 ? 'gpt-mini' : 'sonnet' }));
const names = (...args: [string, Parameters<typeof pickerRows>[2]]): string[] => pickerRows(runs, ...args).map(({ name }) => name);

describe('the runs of a file', () => {
  it('are found by words of name and model in any order, and by their place', () => {
    expect(names('', 'file')).toEqual(['django 10', 'django 9', 'sympy 3', 'flask']);
    expect(names('sonnet DJANGO', 'file')).toEqual(['django 10', 'django 9']);
    expect(names('gpt', 'file')).toEqual(['sympy 3']);
    expect(names('3', 'file')).toEqual(['flask', 'sympy 3']);
    expect(names('#0', 'file')).toEqual(['django 10']);
    expect(names('nothing', 'file')).toEqual([]);
  });

  it('are ordered by size or name, as in the file where these are equal', () => {
    expect(names('', 'steps')).toEqual(['django 9', 'flask', 'django 10', 'sympy 3']);
    expect(names('', 'messages')[0]).toBe('flask');
    expect(names('', 'name')).toEqual(['django 9', 'django 10', 'flask', 'sympy 3']);
  });

  it('are summed up', () => {
    expect(pickerTotals(runs)).toEqual({ fewestSteps: 1, mostSteps: 9, messages: 100 });
    expect(pickerTotals([])).toEqual({ fewestSteps: 0, mostSteps: 0, messages: 0 });
    expect(pickerLengths({ fewestSteps: 1, mostSteps: 1 })).toBe('of 1 step');
    expect(pickerLengths({ fewestSteps: 7, mostSteps: 7 })).toBe('of 7 steps');
    expect(pickerLengths({ fewestSteps: 0, mostSteps: 1 })).toBe('of 0–1 step');
    expect(pickerLengths({ fewestSteps: 1, mostSteps: 9 })).toBe('of 1–9 steps');
  });
});
