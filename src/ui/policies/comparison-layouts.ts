/**
 * Column sets of the comparison table: ours, and the rows of VISTA's Tables 1, 2 and 7 as far as a replay can fill them.
 * What needs a model acting (accuracy, correct, timeouts, errors) has no column: evidence kept stands in its place, and is not it.
 */
import type { TableLayout } from '../../state/view';
import type { TableCell, TableRows } from '../shared/table-text';
import { COMPARISON_KEYS, eventWords, valueOf, type ComparisonKey, type ComparisonRow } from './comparison-model';

const ONLY_VISTA: ReadonlySet<ComparisonKey> = new Set(['family', 'state', 'control', 'recovery', 'steps', 'inputM', 'outputM', 'events', 'notes']);

export const LAYOUT_KEYS: Record<TableLayout, readonly ComparisonKey[]> = {
  all: COMPARISON_KEYS.filter((key) => !ONLY_VISTA.has(key)),
  'vista-1': ['policy', 'family', 'state', 'control', 'recovery', 'visible', 'recoverable', 'lost', 'trajectory'],
  'vista-2': ['policy', 'inputM', 'outputM', 'cacheRate', 'usd', 'managementUsd'],
  'vista-7': ['policy', 'family', 'firstLoss', 'visible', 'steps', 'trajectory', 'managementTokens', 'events', 'notes'],
};
export const LAYOUT_WORDS: Record<TableLayout, { name: string; title: string; note: string }> = {
  all: { name: 'All columns', title: 'Everything a replay measures', note: '' },
  'vista-1': { name: 'VISTA 1', title: 'Mechanism, evidence, trajectory: VISTA Table 1', note: 'VISTA Table 1 has accuracy, which only a model that acts can show: evidence kept stands in its place and is not accuracy.' },
  'vista-2': { name: 'VISTA 2', title: 'Cache-aware cost: VISTA Table 2', note: 'As VISTA Table 2: input includes cached tokens, output is the record’s; prices 0.50 / 0.05 cached / 3.00 USD per million. Management calls apart.' },
  'vista-7': { name: 'VISTA 7', title: 'Run ledger with management events: VISTA Table 7', note: 'VISTA Table 7 without correct, accuracy, timeouts and errors: the recorded actions stay as they were, so every policy has the run’s own outcome.' },
};

const mark = (value: TableCell): TableCell => (value === 1 ? 'yes' : value === 0 ? 'no' : value);
const HEADS: Partial<Record<ComparisonKey, string>> = {
  policy: 'Method', family: 'Family', state: 'State', control: 'Ctrl', recovery: 'Recov', visible: 'Evidence visible (%)', recoverable: 'Evidence recoverable (%)', lost: 'Evidence lost (%)', trajectory: 'Traj. tokens',
  inputM: 'Input (M)', outputM: 'Output (M)', cacheRate: 'Cache rate (%)', usd: 'Cost (USD)', managementUsd: 'Mgmt. cost (USD)', firstLoss: 'First loss, step', steps: 'Steps', managementTokens: 'Mgmt. tokens', events: 'Mgmt. events', notes: 'Notes',
};
const SHARES: ReadonlySet<ComparisonKey> = new Set(['visible', 'recoverable', 'lost', 'cacheRate']);
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** The rows of one of VISTA's tables as text, rounded as printed there; rows of another budget are left out. */
export function vistaTable(layout: Exclude<TableLayout, 'all'>, rows: readonly ComparisonRow[]): TableRows {
  const keys = LAYOUT_KEYS[layout];
  const cell = (row: ComparisonRow, key: ComparisonKey): TableCell => {
    const value = valueOf(row, key);
    if (key === 'events') return row.summary ? eventWords(row.summary.totals) || null : null;
    if (key === 'state' || key === 'control' || key === 'recovery') return mark(value);
    if (typeof value !== 'number') return value;
    if (SHARES.has(key)) return rounded(value * 100, 1);
    return key === 'inputM' || key === 'outputM' ? rounded(value, 3) : key === 'usd' || key === 'managementUsd' ? rounded(value, 4) : value;
  };
  return [keys.map((key) => HEADS[key] ?? key), ...rows.flatMap((row) => (row.summary && row.current ? [keys.map((key) => cell(row, key))] : []))];
}
