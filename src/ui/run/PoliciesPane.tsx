import { useMemo, useState } from 'react';
import type { EncoderId } from '../../core/embedding/types';
import { listPolicies } from '../../core/workspace/policies';
import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { Replay, ReplayRequest } from '../../core/workspace/types';
import { useApp, useView } from '../../state/react/app-context';
import { useReplays, type WantedReplay } from '../../state/react/use-replays';
import { useInvariants } from '../../state/react/use-invariants';
import { useLoss, useRender, useReplay } from '../../state/react/use-run-data';
import type { OpenLine } from '../../workers/api';
import { useTheme } from '../app/use-theme';
import { PoliciesTab } from '../policies/PoliciesTab';
import { SWEEP_WINDOWS, sweepWanted } from '../policies/sweep-model';
import { requestOf } from './policy-request';

const POLICIES = listPolicies();
const NONE: WantedReplay[] = [];

interface Props { line: OpenLine; replay: Replay; request: ReplayRequest; scenario: readonly ScenarioOp[]; encoder: EncoderId; step: number; onSelect: (block: number | null) => void; onStep: (step: number) => void }

/** The Policies tab on live replays: it follows the policy, its settings, the budget and the playhead. */
export function PoliciesPane({ line, replay, request, scenario, encoder, step, onSelect, onStep }: Props) {
  const { view } = useApp();
  const theme = useTheme();
  const chosen = useView((state) => state.compared);
  const pinned = useView((state) => state.pinnedPolicies);
  const chosenFirst = useView((state) => state.difference);
  const against = useView((state) => state.against);
  const pane = useView((state) => state.policyPane);
  const [windows, setWindows] = useState<readonly number[]>(SWEEP_WINDOWS);
  const totalBudget = useView((state) => state.totalBudget);
  const layout = useView((state) => state.tableLayout);
  const { policy, params, budget } = request;
  const compared = useMemo(() => POLICIES.map(({ id }) => id).filter((id) => chosen === null || chosen.includes(id)), [chosen]);

  const wanted = useMemo<WantedReplay[]>(() => {
    // The replayed policy and the pinned ones are looked at first.
    const first = (id: string): number => (id === policy || pinned.includes(id) ? 0 : 1);
    return [...compared].sort((a, b) => first(a) - first(b)).map((id) => ({ slot: id, request: requestOf(id, budget, policy, params, totalBudget, scenario, encoder) }));
  }, [compared, pinned, policy, params, budget, totalBudget, scenario, encoder]);
  const comparison = useReplays(line, 'Comparing policies', pane === 'table' || pane === 'strips' ? wanted : NONE, true);
  const sweepRequests = useMemo(() => sweepWanted(compared, [policy, ...pinned], windows, (id, window) => requestOf(id, window, policy, params, null, scenario, encoder)), [compared, pinned, policy, params, windows, scenario, encoder]);
  const sweep = useReplays(line, 'Pressure sweep', pane === 'sweep' ? sweepRequests : NONE, false);

  const differs = pane === 'difference';
  const from = chosenFirst ?? policy;
  const firstRequest = useMemo(() => requestOf(from, budget, policy, params, null, scenario, encoder), [from, budget, policy, params, scenario, encoder]);
  const otherRequest = useMemo(() => requestOf(against, budget, policy, params, null, scenario, encoder), [against, budget, policy, params, scenario, encoder]);
  const first = useReplay(differs ? line : undefined, firstRequest, 'compared first');
  const other = useReplay(differs ? line : undefined, otherRequest, 'compared');
  const promptA = useRender(differs ? line : undefined, firstRequest, step, 'openai');
  const promptB = useRender(differs ? line : undefined, otherRequest, step, 'openai');
  const loss = useLoss(pane === 'loss' ? line : undefined, request, step);

  const [everyStep, setEveryStep] = useState(false);
  const checked = useMemo(() => compared.map((id) => requestOf(id, budget, policy, params, null, scenario, encoder)), [compared, budget, policy, params, scenario, encoder]);
  const invariants = useInvariants(line, checked, everyStep, pane === 'invariants');

  const actions = useMemo(() => ({
    onPolicy: (id: string) => view.setState((state) => (state.policy === id ? state : { policy: id, params: {} })),
    onPin: (id: string, pin: boolean) => view.setState(({ pinnedPolicies }) => ({ pinnedPolicies: pin ? [...pinnedPolicies, id] : pinnedPolicies.filter((one) => one !== id) })),
    onLoss: (id: string, at: number) => view.setState((state) => ({ ...(state.policy === id ? {} : { policy: id, params: {} }), step: at, tab: 'evidence' as const, evidencePane: 'step' as const })),
  }), [view]);
  return (
    <PoliciesTab
      policies={POLICIES} compared={compared} pinned={pinned} replay={replay} blocks={line.blocks} step={step} budget={budget} totalBudget={totalBudget} theme={theme} pane={pane} layout={layout} from={from} against={against}
      comparison={comparison} sweep={sweep} windows={windows} first={first} other={other} promptA={promptA} promptB={promptB} loss={loss} invariants={invariants} everyStep={everyStep} actions={actions}
      onEveryStep={setEveryStep}
      onOpen={(id, at) => view.setState((state) => ({ ...(state.policy === id ? {} : { policy: id, params: {} }), step: at }))}
      onPane={(next) => view.setState({ policyPane: next })}
      onCompared={(ids) => view.setState({ compared: ids })}
      onFrom={(id) => view.setState({ difference: id === policy ? null : id })}
      onAgainst={(id) => view.setState({ against: id })}
      onWindows={setWindows}
      onBudget={(next) => view.setState({ budget: next })}
      onTotalBudget={(tokens) => view.setState({ totalBudget: tokens })}
      onLayout={(next) => view.setState({ tableLayout: next })}
      onStep={onStep}
      onBase={(base) => view.setState({ block: { base } })}
      onSelect={onSelect}
    />
  );
}
