import { describe, expect, it } from 'vitest';
import { libraryRun } from '../../testing/fake-workbench';
import { changeChoice, corpusRows, filterRows, isChosen, stateWords } from './corpus-rows';
import { sortBy } from './sort-by';

const runs = [libraryRun({ id: 'aa#0', fileId: 'aa', name: 'Fix the parser', fileName: 'runs/a.jsonl', steps: 40 }), libraryRun({ id: 'bb#0', fileId: 'bb', name: 'first', fileName: 'both.jsonl', model: 'gpt-x' }), libraryRun({ id: 'bb#1', fileId: 'bb', indexInFile: 1, name: 'second', fileName: 'both.jsonl' })];
const rows = corpusRows(runs, [{ name: 'folder/c.json', blob: new Blob(['x'.repeat(16_000)]) }]);

describe('rows of the corpus page', () => {
  it('name files that are not stored first, and the place in a file of several runs', () => {
    expect(rows.map(({ id, path, run }) => [id, path, run !== null])).toEqual([['file:folder/c.json', 'folder/c.json', false], ['aa#0', 'runs/a.jsonl', true], ['bb#0', 'both.jsonl#0', true], ['bb#1', 'both.jsonl#1', true]]);
    expect(rows[0]!.entry.item).toMatchObject({ path: 'folder/c.json', size: 2 });
    expect(rows[1]!.entry.item).toEqual({ path: 'runs/a.jsonl', size: 40, runId: 'aa#0' });
  });

  it('are found by every word, in name, file, format and model', () => {
    const found = (filter: string): string[] => filterRows(rows, filter).map(({ id }) => id);
    expect(found('')).toHaveLength(4);
    expect(found('PARSER fix')).toEqual(['aa#0']);
    expect(found('gpt-x')).toEqual(['bb#0']);
    expect(found('parser second')).toEqual([]);
  });

  it('are all chosen until one is taken out, and again when all are back', () => {
    expect(rows.every(({ id }) => isChosen(null, id))).toBe(true);
    const out = changeChoice(null, rows, ['bb#0'], false)!;
    expect(out).toEqual(['file:folder/c.json', 'aa#0', 'bb#1']);
    expect(changeChoice(new Set(out), rows, ['bb#0'], true)).toBeNull();
    expect(changeChoice(new Set(['aa#0', 'forgotten#0']), rows, [], true)).toEqual(['aa#0']);
  });

  it('say what is known of a result', () => {
    expect(stateWords(undefined, false)).toBe('–');
    expect(stateWords(undefined, true)).toBe('stored result');
    expect(stateWords({ state: 'running', phase: 'measuring', share: 0.999 }, false)).toBe('measuring 99 %');
    expect(stateWords({ state: 'done', reused: true }, false)).toBe('stored result');
    expect(stateWords({ state: 'done', reused: false }, true)).toBe('done');
    expect(stateWords({ state: 'failed', message: 'No known format.' }, true)).toBe('No known format.');
  });
});

it('sorts numbers and words either way, unknown last, ties as they were', () => {
  const list = [{ k: 'b', v: 2 }, { k: 'a', v: null }, { k: 'c', v: 10 }, { k: 'd', v: 2 }];
  expect(sortBy(list, (row) => row.v, false).map(({ k }) => k)).toEqual(['b', 'd', 'c', 'a']);
  expect(sortBy(list, (row) => row.v, true).map(({ k }) => k)).toEqual(['c', 'b', 'd', 'a']);
  expect(sortBy([{ k: 'run 10' }, { k: 'run 9' }], (row) => row.k, false).map(({ k }) => k)).toEqual(['run 9', 'run 10']);
});
