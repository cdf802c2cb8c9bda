/** Use against age as tables and words. */
import type { AgeKind, AgeRow, UseByAge } from '../../core/evidence/evidence-by-age';
import type { TableRows } from '../shared/table-text';

export const ageWords = ({ from, to }: Pick<AgeRow, 'from' | 'to'>): string => (from === to ? String(from) : `${from}–${to}`);
export const kindWords = (kind: AgeKind): string => (kind === 'tool_result' ? 'tool result' : kind);

/** One row a kind and age, `all` first. */
export function ageTable({ source, rows, byKind }: UseByAge): TableRows {
  const of = (kind: string, list: readonly AgeRow[]) => list.map((row) => [source, kind, row.from, row.to, row.weight, row.demands, row.blockSteps, row.rate]);
  return [['source', 'kind', 'age from', 'age to', 'weight', 'demands', 'block-steps', 'weight per 1000 block-steps'], ...of('all', rows), ...byKind.flatMap(({ kind, rows: own }) => of(kind, own))];
}

/** What this run says about the essay's claim, in one sentence; null without demands. */
export function ageVerdict({ weight, medianAge, olderHalf }: UseByAge): string | null {
  if (weight <= 0 || medianAge === null || olderHalf === null) return null;
  const percent = (olderHalf * 100).toFixed(0);
  const middle = medianAge === 1 ? '1 step' : `${medianAge} steps`;
  const how = olderHalf >= 0.4 ? 'use hardly falls with age here' : olderHalf >= 0.2 ? 'use falls with age here, and old blocks still hold a good part' : 'use falls with age here';
  return `${percent} % of the evidence weight comes from the older half of the blocks there were (50 % if use did not depend on age), half of it from ${middle} or less: ${how}.`;
}
