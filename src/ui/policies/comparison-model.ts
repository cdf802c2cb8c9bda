/** The comparison table as data: a row a policy, a number or word a column, and the order of the rows. */
import { REMOVING_OPS, RETURNING_OPS } from '../../core/workspace/removing-ops';
import type { OpName, PolicyInfo, ReplayTotals } from '../../core/workspace/types';
import type { ReplaySummary } from '../../core/workspace/summary';
import type { HeldOutcome } from '../../state/react/use-replays';
import { classWords } from '../shared/replay-class';

export interface ComparisonRow {
  info: PolicyInfo;
  summary: ReplaySummary | null;
  /** Why it has no summary. */
  error: string | null;
  /** Is the summary of the budget and settings wanted now? */
  current: boolean;
  /** The policy that the page replays. */
  replayed: boolean;
  pinned: boolean;
}

export const COMPARISON_KEYS = [
  'policy', 'class', 'firstLoss', 'visible', 'recoverable', 'lost', 'peak', 'mean', 'trajectory', 'cacheRate', 'usd', 'managementUsd', 'managementCalls', 'managementTokens',
  'obligations', 'reads', 'faults', 'faultRate', 'readAmplification', 'amplification', 'ops', 'overflow', 'over', 'infeasible', 'totalBudget',
  // Only in the layouts of VISTA's tables.
  'family', 'state', 'control', 'recovery', 'steps', 'inputM', 'outputM', 'events', 'notes',
] as const;
export type ComparisonKey = (typeof COMPARISON_KEYS)[number];

export function comparisonRows(
  policies: readonly PolicyInfo[], outcomes: ReadonlyMap<string, HeldOutcome>, replayed: string, pinned: readonly string[],
): ComparisonRow[] {
  return policies.map((info) => {
    const held = outcomes.get(info.id);
    const summary = held && 'summary' in held.outcome ? held.outcome.summary : null;
    const error = held && 'error' in held.outcome ? held.outcome.error : null;
    return { info, summary, error, current: held?.current ?? false, replayed: info.id === replayed, pinned: pinned.includes(info.id) };
  });
}

/** A policy that nobody would run: it marks what is possible. Those that look at later calls are no policies at all. */
export function referenceWords({ causal, reference }: PolicyInfo): string | null {
  if (!causal) return 'not causal';
  return reference ? 'reference' : null;
}

export function evidenceWeight({ evidenceVisible, evidenceRecoverable, evidenceLost }: ReplayTotals): number {
  return evidenceVisible + evidenceRecoverable + evidenceLost;
}

const share = (part: number, totals: ReplayTotals): number | null => (evidenceWeight(totals) > 0 ? part / evidenceWeight(totals) : null);
const opsCount = ({ opsByKind }: ReplayTotals): number => Object.values(opsByKind).reduce((sum, n) => sum + n, 0);

/** "archive 12 · recover 3", most frequent first. */
export function opsWords({ opsByKind }: ReplayTotals): string {
  return Object.entries(opsByKind).sort((a, b) => b[1] - a[1]).map(([kind, n]) => `${kind} ${n}`).join(' · ');
}

/** Groups of VISTA Table 1, told from the capability row. */
export function familyOf(info: PolicyInfo): string {
  const { agentControlled, exactRecovery, contextDashboard } = info.capabilities;
  if (info.id === 'recorded') return 'as recorded';
  if (info.reference) return 'reference line';
  if (exactRecovery) return contextDashboard && agentControlled ? 'state + control + recovery' : 'lossless external store';
  return agentControlled ? 'agent-mediated, lossy' : 'fixed external policy';
}

/** "12 archives / 3 reads", as VISTA Table 7 has it: what went out and what was read back. */
export function eventWords(totals: ReplayTotals): string {
  const out = Object.entries(totals.opsByKind).filter(([kind]) => REMOVING_OPS.has(kind as OpName)).sort((a, b) => b[1] - a[1]).map(([kind, n]) => `${n} ${kind}`);
  const back = (totals.opsByKind['recover'] ?? 0) + (totals.opsByKind['expand'] ?? 0);
  return [...out, ...(back > 0 ? [`${back} read`] : [])].join(' / ');
}

function noteWords({ info, summary }: ComparisonRow): string {
  if (!summary) return '';
  const { infeasibleSteps, overSteps } = summary.totals;
  return [classWords(info.id, summary.replayClass), ...(info.causal ? [] : ['not causal']), ...(infeasibleSteps > 0 ? [`${infeasibleSteps} infeasible`] : []), ...(overSteps > 0 ? [`${overSteps} over B`] : [])].join(', ');
}

/** What a column sorts by; null = unknown or none, always last. */
export function valueOf(row: ComparisonRow, key: ComparisonKey): number | string | null {
  const { info, summary } = row;
  if (key === 'policy') return info.id;
  if (key === 'class') return (summary ?? info).replayClass;
  if (key === 'family') return familyOf(info);
  if (key === 'state') return info.capabilities.contextDashboard ? 1 : 0;
  if (key === 'control') return info.capabilities.agentControlled ? 1 : 0;
  if (key === 'recovery') return info.capabilities.exactRecovery ? 1 : 0;
  if (summary === null) return null;
  const { totals } = summary;
  switch (key) {
    case 'peak': return totals.peakContext;
    case 'mean': return totals.meanContext;
    case 'trajectory': return totals.trajectoryTokens;
    case 'ops': return opsCount(totals);
    case 'overflow': return totals.overflowSteps;
    case 'over': return totals.overSteps;
    case 'infeasible': return totals.infeasibleSteps;
    case 'visible': return share(totals.evidenceVisible, totals);
    case 'recoverable': return share(totals.evidenceRecoverable, totals);
    case 'lost': return share(totals.evidenceLost, totals);
    case 'firstLoss': return totals.firstLoss?.step ?? null;
    case 'obligations': return totals.obligations;
    case 'reads': return totals.reads;
    case 'cacheRate': return totals.cacheRate;
    case 'usd': return totals.usd;
    case 'managementUsd': return summary.cost.usdWithManagement - summary.cost.usd;
    case 'managementCalls': return totals.managementCalls;
    case 'managementTokens': return totals.managementTokens;
    case 'totalBudget': return totals.totalBudgetStep;
    case 'faults': return totals.paging.faults;
    case 'faultRate': return totals.paging.faultRate;
    case 'readAmplification': return totals.paging.readAmplification;
    case 'amplification': return totals.paging.amplification;
    case 'steps': return summary.steps;
    case 'inputM': return summary.cost.input / 1e6;
    case 'outputM': return summary.cost.output / 1e6;
    case 'events': return Object.entries(totals.opsByKind).reduce((sum, [kind, n]) => sum + (REMOVING_OPS.has(kind as OpName) || RETURNING_OPS.has(kind as OpName) ? n : 0), 0);
    case 'notes': return noteWords(row);
  }
}

export interface ComparisonOrder { sort: ComparisonKey | null; descending: boolean }

/** Pinned rows first, each part by the sorted column; equal and unsorted rows keep the order of the registry. */
export function orderComparison(rows: readonly ComparisonRow[], { sort, descending }: ComparisonOrder): ComparisonRow[] {
  const sign = descending ? -1 : 1;
  return rows.map((row, i) => ({ row, i, value: sort === null ? i : valueOf(row, sort) })).sort((a, b) => {
    if (a.row.pinned !== b.row.pinned) return a.row.pinned ? -1 : 1;
    if (sort === null || a.value === b.value) return a.i - b.i;
    if (a.value === null || b.value === null) return a.value === null ? 1 : -1;
    const order = typeof a.value === 'number' && typeof b.value === 'number' ? a.value - b.value : String(a.value).localeCompare(String(b.value));
    return sign * order || a.i - b.i;
  }).map(({ row }) => row);
}
