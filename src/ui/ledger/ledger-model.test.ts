import { describe, expect, it } from 'vitest';
import { lineOf, replayOf } from '../../testing/line';
import { ledgerColumns, ledgerRow, type LedgerQuery } from './ledger-model';
import { orderRows } from './ledger-order';
import { ledgerTsv } from './ledger-tsv';

const LINE = lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash !, A 5', [{ step: 2, sources: [3] }]);
const REPLAY = replayOf(LINE, { policy: 'keep-everything', budget: 1000 });
const at = (step: number) => ledgerColumns(LINE, REPLAY, step);
const ids = (query: Partial<LedgerQuery>, step = 3): string[] => {
  const columns = at(step);
  return [...orderRows(LINE, REPLAY, columns, { sort: 'id', descending: false, filter: '', visibleOnly: false, ...query })].map((index) => ledgerRow(LINE, REPLAY, columns, index).id);
};

describe('ledger', () => {
  it('lists the blocks that exist at the step', () => {
    expect(ids({}, 1)).toEqual(['B1', 'B2']);
    expect(ids({}, 2)).toEqual(['B1', 'B2', 'B3', 'B4']);
    expect(ids({}, 3)).toEqual(['B1', 'B2', 'B3', 'B4', 'B5', 'B6']);
  });

  it('a row says age, share, use and parent', () => {
    const row = ledgerRow(LINE, REPLAY, at(3), 3);
    expect(row).toMatchObject({ id: 'B4', kind: 'tool_result', tool: 'read', tokens: 500, share: 0.5, born: 2, age: 1, lastUse: 2, uses: 1, parent: 'B3', status: 'visible', isError: false });
    expect(ledgerRow(LINE, REPLAY, at(3), 5).isError).toBe(true);
  });

  it('stale counts token·steps carried after the last use, up to the step', () => {
    // Used in step 2, seen in steps 2 and 3: one step too long.
    expect(ledgerRow(LINE, REPLAY, at(2), 3).stale).toBe(0);
    expect(ledgerRow(LINE, REPLAY, at(3), 3).stale).toBe(500);
    // Never used, carried in steps 1, 2 and 3.
    expect(ledgerRow(LINE, REPLAY, at(3), 1).stale).toBe(60);
  });

  it('sorts by number and by text, ties in admission order', () => {
    expect(ids({ sort: 'tokens', descending: true })).toEqual(['B6', 'B4', 'B1', 'B2', 'B5', 'B3']);
    expect(ids({ sort: 'born', descending: false })).toEqual(['B1', 'B2', 'B3', 'B4', 'B5', 'B6']);
    expect(ids({ sort: 'born', descending: true })).toEqual(['B5', 'B6', 'B3', 'B4', 'B1', 'B2']);
    expect(ids({ sort: 'tool', descending: true }).slice(0, 2)).toEqual(['B4', 'B6']);
  });

  it('filters by words that must all be there', () => {
    expect(ids({ filter: 'BASH' })).toEqual(['B6']);
    expect(ids({ filter: 'result read' })).toEqual(['B4']);
    expect(ids({ filter: 'read bash' })).toEqual([]);
  });

  it('archived blocks stay in the list and leave the visible ones', () => {
    const replay = replayOf(LINE, { policy: 'auto-archive', budget: 700 });
    const columns = ledgerColumns(LINE, replay, 3);
    const rows = [...columns.blocks].map((index) => ledgerRow(LINE, replay, columns, index));
    expect(rows.find(({ base }) => base === 3)?.status).not.toBe('visible');
    expect(columns.visible).toBe(rows.filter(({ status }) => status === 'visible').length);
    expect(columns.visible).toBeLessThan(rows.length);
  });

  it('copies as TSV with plain numbers and one line a row', () => {
    const row = { ...ledgerRow(LINE, REPLAY, at(3), 3), preview: 'a\tb\nc' };
    expect(ledgerTsv([row], ['id', 'kind', 'tokens', 'share', 'lastUse', 'preview'])).toBe('ID\tKind\tTokens\t% of budget\tLast use\tContent\nB4\ttool result\t500\t50\t2\ta b c\n');
  });
});
