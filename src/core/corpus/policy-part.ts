/** One run → what each policy would have cost and lost at one window: the map half of the `policies` table. */
import { REMOVING_OPS } from '../workspace/removing-ops';
import { summarise, type ReplaySummary } from '../workspace/summary';
import { replay } from '../workspace/replay';
import type { OpName, ReplayClass, ReplayInput } from '../workspace/types';
import type { CorpusSettings } from './types';

/** VISTA's own rows in the order of its Table 1, then its ablations and itself. */
export const COMPARED_POLICIES = [
  'append-truncate', 'tool-clearing', 'observation-masking', 'skeleton', 'slim-summary', 'active-compression', 'context-folding', 'auto-archive', 'claude-compact', 'acm',
  'vista-no-dashboard', 'vista-no-recovery', 'vista',
] as const;
/** The whole history, against which a policy saves. */
export const WHOLE_HISTORY = 'keep-everything';

export const POLICY_METRICS = [
  'trajectoryTokens', 'inputTokens', 'outputTokens', 'cacheRate', 'usd', 'steps', 'removals', 'reads', 'overflowSteps', 'infeasibleSteps', 'managementCalls',
  'peakContext', 'meanContext', 'evidenceVisible', 'evidenceRecoverable', 'evidenceLost',
] as const;
export type PolicyMetric = (typeof POLICY_METRICS)[number];

export interface PolicyRow {
  replayClass: ReplayClass;
  values: Record<PolicyMetric, number | null>;
}

export interface PolicyPart {
  /** Largest context of the whole history, tokens. Up to the window nothing has to go, and no policy is replayed. */
  peak: number;
  steps: number;
  /** By policy; empty where the run fits. */
  policies: Record<string, PolicyRow>;
}

/** `onPolicy` is awaited between policies: for progress, and for cancelling (by throwing). */
export async function mapPolicies(input: ReplayInput, { budget }: Pick<CorpusSettings, 'budget'>, count: (text: string) => number, onPolicy?: (done: number, total: number) => void | Promise<void>): Promise<PolicyPart> {
  const run = (policy: string): ReplaySummary => summarise(replay(input, { policy, budget }, count), false);
  const whole = run(WHOLE_HISTORY);
  const part: PolicyPart = { peak: whole.totals.peakContext, steps: whole.steps, policies: {} };
  if (whole.totals.peakContext <= budget) return part;
  part.policies[WHOLE_HISTORY] = rowOf(whole);
  for (const [i, policy] of COMPARED_POLICIES.entries()) {
    await onPolicy?.(i, COMPARED_POLICIES.length);
    part.policies[policy] = rowOf(run(policy));
  }
  await onPolicy?.(COMPARED_POLICIES.length, COMPARED_POLICIES.length);
  return part;
}

/** Input and output of the recorded calls, USD with the management calls; evidence as shares of what the actions used. */
function rowOf({ replayClass, totals, cost, steps }: ReplaySummary): PolicyRow {
  const demand = totals.evidenceVisible + totals.evidenceRecoverable + totals.evidenceLost;
  const share = (weight: number): number | null => (demand > 0 ? weight / demand : null);
  return {
    replayClass,
    values: {
      trajectoryTokens: totals.trajectoryTokens, inputTokens: cost.input, outputTokens: cost.output, cacheRate: cost.cacheRate, usd: cost.usdWithManagement, steps,
      removals: Object.entries(totals.opsByKind).reduce((sum, [op, n]) => sum + (REMOVING_OPS.has(op as OpName) ? n : 0), 0),
      reads: totals.reads, overflowSteps: totals.overflowSteps, infeasibleSteps: totals.infeasibleSteps, managementCalls: totals.managementCalls,
      peakContext: totals.peakContext, meanContext: totals.meanContext,
      evidenceVisible: share(totals.evidenceVisible), evidenceRecoverable: share(totals.evidenceRecoverable), evidenceLost: share(totals.evidenceLost),
    },
  };
}
