import { useMemo } from 'react';
import type { EncoderId } from '../../core/embedding/types';
import { reproduceCache } from '../../core/workspace/cache-reproduction';
import { costOf } from '../../core/workspace/cost';
import { listPolicies } from '../../core/workspace/policies';
import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { Replay, ReplayRequest } from '../../core/workspace/types';
import { useApp, usePreference, useView } from '../../state/react/app-context';
import { useReplays } from '../../state/react/use-replays';
import type { OpenLine } from '../../workers/api';
import { CostTab } from '../cost/CostTab';
import { costRows, stepTimes } from '../cost/cost-model';
import { requestOf } from './policy-request';

const POLICIES = listPolicies();

interface Props { line: OpenLine; replay: Replay; request: ReplayRequest; scenario: readonly ScenarioOp[]; encoder: EncoderId; step: number; onStep: (step: number) => void }

/** The Cost tab on live replays, under the price book of this person. */
export function CostPane({ line, replay, request, scenario, encoder, step, onStep }: Props) {
  const { view, preferences } = useApp();
  const prices = usePreference((state) => state.prices);
  const chosen = useView((state) => state.compared);
  const { policy, params, budget } = request;
  const wanted = useMemo(() => POLICIES.map(({ id }) => id).filter((id) => chosen === null || chosen.includes(id) || id === policy || id === 'recorded')
    .map((id) => ({ slot: id, request: requestOf(id, budget, policy, params, null, scenario, encoder) })), [chosen, budget, policy, params, scenario, encoder]);
  const comparison = useReplays(line, 'Comparing policies', wanted, true);
  const times = useMemo(() => stepTimes(line), [line]);
  const cost = useMemo(() => costOf(replay, prices, times), [replay, prices, times]);
  const rows = useMemo(() => costRows(POLICIES, comparison.outcomes, prices, times, policy), [comparison.outcomes, prices, times, policy]);
  const measured = useMemo(() => measuredCache(line), [line]);
  const reproduced = useMemo(() => (measured !== null && replay.policy === 'recorded' ? reproduceCache(replay, line.facts, prices, times) : null), [measured, replay, line, prices, times]);
  return (
    <CostTab replay={replay} cost={cost} rows={rows} comparison={comparison} measured={measured} reproduced={reproduced} step={step} prices={prices}
      onPrices={(next) => preferences.setState({ prices: next })}
      onPolicy={(id) => view.setState((state) => (state.policy === id ? state : { policy: id, params: {} }))} onStep={onStep} />
  );
}

function measuredCache({ facts }: OpenLine): { cached: number; input: number; steps: number } | null {
  const out = { cached: 0, input: 0, steps: 0 };
  for (let i = 0; i < facts.steps; i++) {
    const cached = facts.measuredCached[i] ?? NaN;
    const input = facts.measuredInput[i] ?? NaN;
    if (Number.isNaN(cached) || Number.isNaN(input)) continue;
    out.cached += cached;
    out.input += input;
    out.steps += 1;
  }
  return out.steps > 0 ? out : null;
}
