import { kindLook } from '../shared/kinds';
import { toTsv, type TableCell } from '../shared/table-text';
import type { LedgerKey, LedgerRow } from './ledger-model';

export const LEDGER_TITLES: Record<LedgerKey, string> = {
  id: 'ID', kind: 'Kind', tool: 'Tool', tokens: 'Tokens', share: '% of budget', age: 'Age', born: 'Born', lastUse: 'Last use', uses: 'Uses',
  level: 'Level', parent: 'Parent', status: 'Status', stale: 'Stale, token·steps', preview: 'Content',
};

/** Rows as a table, header first: plain numbers, unknown empty. */
export function ledgerTable(rows: Iterable<LedgerRow>, keys: readonly LedgerKey[]): TableCell[][] {
  return [keys.map((key) => LEDGER_TITLES[key]), ...Array.from(rows, (row) => keys.map((key) => cell(row, key)))];
}

/** Tab-separated text of rows: no tabs or line breaks inside a cell. */
export function ledgerTsv(rows: Iterable<LedgerRow>, keys: readonly LedgerKey[]): string {
  return toTsv(ledgerTable(rows, keys));
}

function cell(row: LedgerRow, key: LedgerKey): TableCell {
  switch (key) {
    case 'kind': return kindLook(row.kind, row.isError).word;
    case 'share': return Number((row.share * 100).toFixed(2));
    case 'lastUse': return row.lastUse === 0 ? null : row.lastUse;
    case 'status': return [row.status, ...(row.pinned ? ['pinned'] : []), ...(row.label === '' ? [] : [`label ${row.label}`])].join(' ');
    default: return row[key];
  }
}
