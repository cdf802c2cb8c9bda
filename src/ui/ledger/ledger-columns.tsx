import { columnVisibilityFeature, createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { KindTag } from '../shared/KindTag';
import { PinGlyph } from '../shared/PinGlyph';
import { count, percent } from '../shared/format';
import { kindLook, statusGlyph, statusReason } from '../shared/kinds';
import type { LedgerKey, LedgerRow } from './ledger-model';
import { LEDGER_TITLES } from './ledger-tsv';

export const ledgerFeatures = tableFeatures({ columnVisibilityFeature, rowSortingFeature });
const column = createColumnHelper<typeof ledgerFeatures, LedgerRow>();

/** Widths in CSS pixels; the content column takes what is left. */
export const LEDGER_WIDTHS: Record<LedgerKey, number | null> = {
  id: 78, kind: 116, tool: 96, tokens: 68, share: 128, age: 48, born: 48, lastUse: 66, uses: 48, level: 48, parent: 56, status: 118, stale: 124, preview: null,
};
export const LEDGER_HELP: Record<LedgerKey, string> = {
  id: 'Block id in admission order, never reused (model.md §2)',
  kind: 'Block kind',
  tool: 'Tool that returned it, or that was called',
  tokens: 'Tokens of its content, without message overhead (tokenizer)',
  share: 'Tokens as a share of the budget B',
  age: 'Root turns since it was admitted: step − born',
  born: 'First step whose context held it',
  lastUse: 'Last step whose action repeats a rare string of it, over the whole run: a lower bound on use (evidence.md §1)',
  uses: 'Steps whose action repeats a rare string of it',
  level: '0 raw, 1 bundle, 2 bundle of bundles',
  parent: 'Block that called it, or that it stands for',
  status: 'What it is at this step',
  stale: 'Tokens × steps carried in the context after its last use, up to this step',
  preview: 'First line',
};
export const NUMERIC: ReadonlySet<LedgerKey> = new Set(['tokens', 'share', 'age', 'born', 'lastUse', 'uses', 'level', 'stale']);

const numberColumn = (key: LedgerKey, text: (row: LedgerRow) => string) =>
  column.accessor((row) => row[key], { id: key, header: LEDGER_TITLES[key], cell: ({ row }) => text(row.original) });

export const ledgerTableColumns = column.columns([
  column.accessor('id', { header: LEDGER_TITLES.id, cell: ({ row }) => <span className="mono">{row.original.id}</span> }),
  column.accessor('kind', { header: LEDGER_TITLES.kind, cell: ({ row }) => <KindTag kind={row.original.kind} isError={row.original.isError} /> }),
  column.accessor('tool', { header: LEDGER_TITLES.tool, cell: ({ row }) => <span className="mono" title={row.original.tool}>{row.original.tool}</span> }),
  numberColumn('tokens', (row) => count(row.tokens)),
  column.accessor('share', { header: LEDGER_TITLES.share, cell: ({ row }) => <ShareBar row={row.original} /> }),
  numberColumn('age', (row) => `${row.age}r`),
  numberColumn('born', (row) => count(row.born)),
  numberColumn('lastUse', (row) => (row.lastUse === 0 ? '–' : count(row.lastUse))),
  numberColumn('uses', (row) => count(row.uses)),
  numberColumn('level', (row) => String(row.level)),
  column.accessor('parent', { header: LEDGER_TITLES.parent, cell: ({ row }) => <span className="mono">{row.original.parent || '–'}</span> }),
  column.accessor('status', { header: LEDGER_TITLES.status, cell: ({ row }) => <Status row={row.original} /> }),
  numberColumn('stale', (row) => count(row.stale)),
  column.accessor('preview', { header: LEDGER_TITLES.preview, cell: ({ row }) => <span className="mono muted">{row.original.label !== '' && <span className="ledger-label" title={`Put away under the label “${row.original.label}”`}>{row.original.label}</span>}{row.original.incomplete && <span className="ledger-cut" title="The result says that it was cut or paginated">cut</span>}{row.original.preview}</span> }),
]);

function ShareBar({ row }: { row: LedgerRow }) {
  return (
    <span className="ledger-share">
      <span className="ledger-bar" aria-hidden="true"><span style={{ width: `${Math.min(100, row.share * 100)}%`, background: kindLook(row.kind, row.isError).fill }} /></span>
      <span>{percent(row.share)}</span>
    </span>
  );
}

function Status({ row }: { row: LedgerRow }) {
  return <span className={`ledger-status status-${row.status}`} title={statusReason(row.status)}><span aria-hidden="true">{statusGlyph(row.status)}</span> {row.status}{row.pinned && <PinGlyph />}</span>;
}
