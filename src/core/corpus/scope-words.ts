import type { Cell, CorpusTable, RowScope, TableColumn, TableRow } from './types';

export const SCOPE_WORDS: Record<RowScope, string> = {
  pooled: 'mean over checkpoints',
  upTo89: 'mean over checkpoints of ≤ 89 blocks',
  runs: 'over trajectories',
  effect: 'difference over trajectories',
  seed: 'printed in the paper',
  run: 'one trajectory',
};

/** `0.327 [0.21, 0.45]`; – = unknown. The minus sign is a hyphen: the text is also pasted into programs. */
export function cellText(cell: Cell | undefined, { digits }: TableColumn): string {
  if (cell === undefined || cell.value === null) return '–';
  const fixed = (value: number): string => {
    const text = value.toFixed(digits);
    return /^-0\.?0*$/.test(text) ? text.slice(1) : text;
  };
  return cell.low == null || cell.high == null ? fixed(cell.value) : `${fixed(cell.value)} [${fixed(cell.low)}, ${fixed(cell.high)}]`;
}

/** p as printed beside a table. */
export function pText(p: number): string {
  return p < 1e-3 ? p.toExponential(2) : p.toFixed(4);
}

/** Rows without those of single runs, and those. */
export function splitRows({ rows }: CorpusTable): { summary: TableRow[]; perRun: TableRow[] } {
  return { summary: rows.filter((row) => row.scope !== 'run'), perRun: rows.filter((row) => row.scope === 'run') };
}

/** Which encoder and settings the numbers are from; below every table. */
export function originWords({ id, dim, sha256 }: { id: string; dim: number; sha256: string | null }, settings: { seed: number; capacity: number; tau: number }): string {
  return `Encoder ${id} (${dim} numbers${sha256 === null ? '' : `, model ${sha256.slice(0, 12)}`}); K = ${settings.capacity}, τ = ${settings.tau}, seed ${settings.seed}.`;
}
