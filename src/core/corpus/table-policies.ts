import { ensurePolicy } from '../workspace/policies';
import { meanOverRuns } from './cells';
import { COMPARED_POLICIES, POLICY_METRICS, WHOLE_HISTORY, type PolicyMetric, type PolicyPart } from './policy-part';
import { SEED_ROWS } from './seed-numbers';
import { testFamily } from './tests-of';
import type { Cell, CorpusRun, CorpusSettings, CorpusTable, TableColumn, TableRow } from './types';

const TITLES: Record<PolicyMetric, [string, number]> = {
  trajectoryTokens: ['trajectory tokens', 0], inputTokens: ['input tokens', 0], outputTokens: ['output tokens', 0], cacheRate: ['cache rate', 3], usd: ['USD', 4],
  steps: ['steps', 1], removals: ['removals', 1], reads: ['reads', 1], overflowSteps: ['overflow steps', 1], infeasibleSteps: ['infeasible steps', 1], managementCalls: ['mgmt calls', 1],
  peakContext: ['peak context', 0], meanContext: ['mean context', 0], evidenceVisible: ['evidence visible', 3], evidenceRecoverable: ['recoverable', 3], evidenceLost: ['lost', 3],
};
/** Mechanisms of VISTA's Table 1; 1 = yes. */
const MECHANISMS: readonly TableColumn[] = [{ key: 'state', title: 'state', digits: 0 }, { key: 'control', title: 'control', digits: 0 }, { key: 'recovery', title: 'recovery', digits: 0 }];
const POLICY_COLUMNS: readonly TableColumn[] = [...MECHANISMS, ...POLICY_METRICS.map((key): TableColumn => ({ key, title: TITLES[key][0], digits: TITLES[key][1] }))];

const AGAINST = ['append-truncate', 'tool-clearing', 'auto-archive', 'claude-compact'] as const;
const TESTED: readonly PolicyMetric[] = ['trajectoryTokens', 'usd', 'evidenceLost'];

/** Rows of VISTA's Tables 1, 2 and 7 over the runs whose history exceeds the window. */
export function tablePolicies(runs: readonly CorpusRun[], { seed, budget }: CorpusSettings): CorpusTable {
  const all = runs.flatMap(({ key, part }) => (part.policies ? [{ key, part: part.policies }] : []));
  const having = all.filter(({ part }) => Object.keys(part.policies).length > 0);
  const policies = [WHOLE_HISTORY, ...COMPARED_POLICIES];
  const value = (part: PolicyPart, policy: string, key: PolicyMetric): number | null => part.policies[policy]?.values[key] ?? null;
  const values = (policy: string, key: PolicyMetric): (number | null)[] => having.map(({ part }) => value(part, policy, key));
  const cells = (cellOf: (key: PolicyMetric) => Cell): Record<string, Cell> => Object.fromEntries(POLICY_METRICS.map((key) => [key, cellOf(key)]));
  const difference = (a: string, b: string, key: PolicyMetric): (number | null)[] => {
    const other = values(b, key);
    return values(a, key).map((x, i) => (x === null || other[i] == null ? null : x - other[i]));
  };
  const standIns = policies.filter((policy) => having.some(({ part }) => ['stand-in', 'size-only'].includes(part.policies[policy]?.replayClass ?? 'exact')));
  return {
    id: 'policies',
    title: `Policies at a window of ${budget} tokens`,
    origin: `Tokens o200k_base, exact; window B = ${budget} tokens, prices of VISTA; seed ${seed}. No encoder.`,
    columns: [...POLICY_COLUMNS],
    notes: [
      `${having.length} of ${all.length} runs exceed the window and are replayed; the others fit and no policy has anything to do.`,
      'A replay keeps the recorded actions: it measures what the model would have had and what it would have cost, not what it would have done, so there is no accuracy and every policy takes the same steps.',
      `Trajectory tokens: prompts without management calls; USD with them. Evidence: share of what the recorded actions used. ${standIns.length > 0 ? `Stand-in words or sizes only: ${standIns.join(', ')}.` : ''}`.trim(),
      'State, control, recovery (1 = yes): the mechanisms of VISTA’s Table 1. Its printed numbers are of LOCA-Bench at 128K: other runs, another window. Brackets: 95 % bootstrap intervals over trajectories.',
    ],
    rows: having.length === 0 ? seedRows() : [
      ...policies.map((policy): TableRow => ({ scope: 'runs', label: policy, n: having.length, cells: { ...mechanisms(policy), ...cells((key) => meanOverRuns(values(policy, key), seed)) } })),
      ...AGAINST.map((other): TableRow => ({ scope: 'effect', label: `vista − ${other}`, n: having.length, cells: cells((key) => meanOverRuns(difference('vista', other, key), seed)) })),
      ...seedRows(),
      ...having.flatMap(({ key, part }) => policies.map((policy): TableRow => ({ scope: 'run', label: `${key} · ${policy}`, n: part.steps, cells: { ...mechanisms(policy), ...cells((metric) => ({ value: value(part, policy, metric) })) } }))),
    ],
    tests: AGAINST.flatMap((other) => testFamily('policies', `policies: vista against ${other}`, TESTED.map((key) => {
      const theirs = values(other, key);
      return { columns: [`${key}.vista`, `${key}.${other}`], pairs: values('vista', key).map((x, i) => [x, theirs[i] ?? null] as const) };
    }))),
  };
}

function mechanisms(policy: string): Record<string, Cell> {
  const { contextDashboard, agentControlled, exactRecovery } = ensurePolicy(policy).capabilities;
  return { state: { value: Number(contextDashboard) }, control: { value: Number(agentControlled) }, recovery: { value: Number(exactRecovery) } };
}

function seedRows(): TableRow[] {
  return SEED_ROWS.policies.map(({ label, n, values }) => ({ scope: 'seed', label, n, cells: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])) }));
}
