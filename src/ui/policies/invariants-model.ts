/** The invariants report as a table, and in one sentence. */
import { INVARIANT_NAMES } from '../../core/workspace/invariants/types';
import type { PolicyInfo } from '../../core/workspace/types';
import type { InvariantOutcome } from '../../workers/api';
import { count, plural } from '../shared/format';
import type { TableRows } from '../shared/table-text';

/** One row a policy that was checked. */
export function invariantsTable(policies: readonly PolicyInfo[], outcomes: ReadonlyMap<string, InvariantOutcome>): TableRows {
  const head = ['policy', 'budget', ...INVARIANT_NAMES.map((name, i) => `${i + 1} ${name.toLowerCase()}`), 'infeasible steps', 'first', 'smallest feasible budget'];
  const rows = policies.flatMap(({ id }) => {
    const outcome = outcomes.get(id);
    if (!outcome || !('report' in outcome)) return [];
    const { budget, results, infeasible } = outcome.report;
    return [[id, budget, ...results.map(({ verdict, at }) => (at === null ? verdict : `${verdict} at ${at}`)), infeasible?.steps ?? 0, infeasible?.first ?? null, infeasible?.smallestFeasibleBudget ?? null]];
  });
  return [head, ...rows];
}

/** "all hold", or how many are violated. */
export function summaryWords(outcomes: readonly InvariantOutcome[]): string {
  const reports = outcomes.flatMap((outcome) => ('report' in outcome ? [outcome.report] : []));
  const violated = reports.reduce((sum, { results }) => sum + results.filter(({ verdict }) => verdict === 'violated').length, 0);
  const infeasible = reports.filter((report) => report.infeasible !== null).length;
  const errors = outcomes.length - reports.length;
  return [
    violated === 0 ? 'none is violated' : `${plural(violated, 'is', 'are')} violated`,
    ...(infeasible > 0 ? [`${count(infeasible)} with infeasible steps`] : []), ...(errors > 0 ? [`${count(errors)} could not be replayed`] : []),
  ].join(', ');
}
