import { kindLook } from '../shared/kinds';
import type { LedgerKey, LedgerRow } from './ledger-model';

export const LEDGER_TITLES: Record<LedgerKey, string> = {
  id: 'ID', kind: 'Kind', tool: 'Tool', tokens: 'Tokens', share: '% of budget', age: 'Age', born: 'Born', lastUse: 'Last use', uses: 'Uses',
  level: 'Level', parent: 'Parent', status: 'Status', stale: 'Stale, token·steps', preview: 'Content',
};

/** Tab-separated text of rows: plain numbers, no tabs or line breaks inside a cell. */
export function ledgerTsv(rows: Iterable<LedgerRow>, keys: readonly LedgerKey[]): string {
  const lines = [keys.map((key) => LEDGER_TITLES[key]).join('\t')];
  for (const row of rows) lines.push(keys.map((key) => cell(row, key)).join('\t'));
  return `${lines.join('\n')}\n`;
}

function cell(row: LedgerRow, key: LedgerKey): string {
  switch (key) {
    case 'kind': return kindLook(row.kind, row.isError).word;
    case 'share': return (row.share * 100).toFixed(2);
    case 'lastUse': return row.lastUse === 0 ? '' : String(row.lastUse);
    case 'status': return row.pinned ? `${row.status} pinned` : row.status;
    default: return String(row[key]).replace(/[\t\r\n]+/g, ' ');
  }
}
