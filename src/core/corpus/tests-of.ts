/** Exact two-sided signed-rank tests over trajectories, adjusted by Holm within a family (gem.md §2). */
import { holmAdjusted } from '../numerics/holm';
import { wilcoxonSignedRank } from '../numerics/wilcoxon';
import type { CorpusTest, TableId } from './types';

export interface Comparison {
  columns: [string, string];
  /** One pair a trajectory, in the order of the runs; null = no value. */
  pairs: readonly (readonly [number | null, number | null])[];
}

/** No test where no trajectory has both values. */
export function testFamily(table: TableId, family: string, comparisons: readonly Comparison[]): CorpusTest[] {
  const tests = comparisons.flatMap(({ columns, pairs }) => {
    const differences = pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [a - b]));
    if (differences.length === 0) return [];
    const { m, wPlus, wMinus, p } = wilcoxonSignedRank(differences);
    return [{ table, columns, n: differences.length, m, statistic: Math.min(wPlus, wMinus), wPlus, wMinus, p, family }];
  });
  const adjusted = holmAdjusted(tests.map((test) => test.p));
  return tests.map(({ family: of, ...test }, i) => ({ ...test, pHolm: adjusted[i]!, family: of }));
}
