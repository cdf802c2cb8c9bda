import { describe, expect, it } from 'vitest';
import { moveRowFacts, rowsOfList } from './row-facts';

describe('facts of events that name rows', () => {
  it('are moved with the rows, single ones and lists; other facts stay', () => {
    const data = { summaryRow: 4, firstKeptRow: null, firstForgottenRow: 1, forgottenRows: '1,2,10', removedRows: '', callIds: 'c1\nc2', tokensBefore: 3 };
    expect(moveRowFacts(data, (row) => row + 100)).toEqual({ ...data, summaryRow: 104, firstForgottenRow: 101, forgottenRows: '101,102,110' });
  });

  it('lose rows that are nowhere any more', () => {
    expect(moveRowFacts({ firstKeptRow: 7, removedRows: '1,7,2' }, (row) => (row < 5 ? row : undefined))).toEqual({ firstKeptRow: null, removedRows: '1,2' });
  });

  it.each([['1,2', [1, 2]], ['', []], ['1,x', undefined], [3, undefined], [null, undefined]])('rowsOfList(%j)', (value, rows) => {
    expect(rowsOfList(value)).toEqual(rows);
  });
});
