/** Rows of the benchmark (cli.md `bench`): what was measured, as a ratio, against what. */
export const ROW_IDS = [
  'import', 'import-growth', 'memory', 'first-step', 'long-task', 'step', 'replay', 'evidence', 'tokens',
  'completion', 'spectrum', 'embedding', 'reopen', 'first-load',
] as const;
export type RowId = (typeof ROW_IDS)[number];

export interface Row {
  id: RowId;
  /** What was measured, with the absolute numbers of this run behind the ratio. */
  what: string;
  /** Measured ÷ baseline (`tokens`, `embedding`: throughput ÷ that of the baseline); null = could not be measured, `what` says why. */
  ratio: number | null;
  target: number;
  ok: boolean;
  baseline: string;
  size: string;
}

/** Rows where the ratio is a throughput: the target is a floor. */
const FLOORS: ReadonlySet<RowId> = new Set(['tokens', 'embedding']);
/** quality.md §1. */
const TARGETS: Record<RowId, number> = {
  import: 2, 'import-growth': 1.1, memory: 1, 'first-step': 1, 'long-task': 1, step: 1, replay: 20, evidence: 3, tokens: 0.9,
  completion: 8, spectrum: 9, embedding: 0.9, reopen: 1, 'first-load': 1,
};

export interface Measured {
  what: string;
  ratio: number | null;
  baseline: string;
  size: string;
  /** Further demands of the same target, each of which must hold too (linear growth, an absolute bound). */
  also?: boolean;
}

export function makeRow(id: RowId, { also = true, ...measured }: Measured): Row {
  const target = TARGETS[id];
  const { ratio } = measured;
  const within = ratio !== null && (FLOORS.has(id) ? ratio >= target : ratio <= target);
  return { id, ...measured, ratio: ratio === null ? null : Number(ratio.toPrecision(4)), target, ok: within && also };
}

export const failedRow = (id: RowId, error: unknown): Row =>
  makeRow(id, { what: `could not be measured: ${firstLine(error)}`, ratio: null, baseline: '-', size: '-' });

/** The driver's messages go on for pages of browser logs. */
const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;

/** Table for a terminal; the long text stands on a line of its own. */
export function table(rows: readonly Row[]): string {
  const lines = [`${'id'.padEnd(14)}${'ratio'.padStart(9)}  ${'target'.padEnd(8)}${'ok'.padEnd(5)}size`];
  for (const row of rows) {
    const bound = `${FLOORS.has(row.id) ? '≥' : '≤'} ${row.target}`;
    lines.push(
      `${row.id.padEnd(14)}${(row.ratio === null ? '-' : row.ratio.toFixed(row.ratio < 10 ? 2 : 1)).padStart(9)}  ${bound.padEnd(8)}${(row.ok ? 'yes' : 'NO').padEnd(5)}${row.size}`,
      `${' '.repeat(14)}${row.what}`,
      `${' '.repeat(14)}against ${row.baseline}`,
    );
  }
  return lines.join('\n');
}
