import { useMemo, useState } from 'react';
import type { BlockTable } from '../../core/trace/blocks-types';
import type { LossOfOp } from '../../core/workspace/loss';
import type { PolicyInfo, RenderedPrompt, Replay } from '../../core/workspace/types';
import type { Replays } from '../../state/react/use-replays';
import { TABLE_LAYOUTS, type PolicyPane, type TableLayout } from '../../state/view';
import { CopyButton } from '../shared/CopyButton';
import { Notice } from '../shared/Notice';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { toCsv, toTsv, type TableRows } from '../shared/table-text';
import { CapabilityMatrix } from './CapabilityMatrix';
import type { ComparisonActions } from './cells';
import { COMPARISON_TITLES } from './comparison-columns';
import { comparisonTable } from './comparison-export';
import { comparisonRows, orderComparison, type ComparisonKey, type ComparisonOrder } from './comparison-model';
import { ComparisonTable } from './ComparisonTable';
import { LAYOUT_KEYS, LAYOUT_WORDS, vistaTable } from './comparison-layouts';
import type { Invariants } from '../../state/react/use-invariants';
import { DifferenceView, type Loaded } from './DifferenceView';
import { InvariantsView } from './InvariantsView';
import { LossView } from './LossView';
import { MenuButton } from './MenuButton';
import { StripsView } from './StripsView';
import { SweepView } from './SweepView';
import './policies.css';

const PANES: readonly [PolicyPane, string][] = [['table', 'Table'], ['strips', 'Strips'], ['sweep', 'Pressure sweep'], ['capabilities', 'Capabilities'], ['difference', 'Difference'], ['loss', 'Removals'], ['invariants', 'Invariants']];

const NOTE = 'Counterfactual replay: the recorded actions stay as they were, so this measures what the model would have had in its context, not what it would have done. Evidence is verbatim reuse: a lower bound of what an action depended on.';

export interface PoliciesTabProps {
  /** Every policy there is, in the order of the registry. */
  policies: readonly PolicyInfo[];
  /** Ids of those compared. */
  compared: readonly string[];
  pinned: readonly string[];
  replay: Replay;
  blocks: BlockTable;
  step: number;
  budget: number;
  totalBudget: number | null;
  theme: string;
  pane: PolicyPane;
  layout: TableLayout;
  /** The two policies whose difference is shown. */
  from: string;
  against: string;
  comparison: Replays;
  sweep: Replays;
  windows: readonly number[];
  first: Loaded<Replay>;
  other: Loaded<Replay>;
  promptA: Loaded<RenderedPrompt>;
  promptB: Loaded<RenderedPrompt>;
  loss: Loaded<LossOfOp[]>;
  invariants: Invariants;
  everyStep: boolean;
  actions: ComparisonActions;
  onPane: (pane: PolicyPane) => void;
  onLayout: (layout: TableLayout) => void;
  onCompared: (policies: string[] | null) => void;
  onFrom: (policy: string) => void;
  onAgainst: (policy: string) => void;
  onWindows: (windows: number[]) => void;
  onEveryStep: (every: boolean) => void;
  onBudget: (budget: number) => void;
  onTotalBudget: (tokens: number | null) => void;
  onStep: (step: number) => void;
  /** Goes to a step under a policy. */
  onOpen: (policy: string, step: number) => void;
  onBase: (base: number) => void;
  onSelect: (block: number) => void;
}

/** Every policy over the same recorded run at the same budget. */
export function PoliciesTab(props: PoliciesTabProps) {
  const { policies, compared, pinned, replay, blocks, step, budget, totalBudget, theme, pane, layout, comparison, actions, onPane, onCompared, onStep } = props;
  const [order, setOrder] = useState<ComparisonOrder>({ sort: null, descending: false });
  const [hidden, setHidden] = useState<ComparisonKey[]>([]);
  const shown = useMemo(() => policies.filter(({ id }) => compared.includes(id)), [policies, compared]);
  const rows = useMemo(() => orderComparison(comparisonRows(shown, comparison.outcomes, replay.policy, pinned), order), [shown, comparison.outcomes, replay.policy, pinned, order]);
  const strong = useMemo(() => new Set([replay.policy, ...pinned]), [replay.policy, pinned]);
  const columns = useMemo(() => LAYOUT_KEYS[layout].filter((key) => !hidden.includes(key) && (key !== 'totalBudget' || totalBudget !== null)), [layout, hidden, totalBudget]);
  const table = (): TableRows => (layout === 'all' ? comparisonTable(rows) : vistaTable(layout, rows));
  const arrived = rows.filter(({ current }) => current).length;
  const lists = pane === 'table' || pane === 'strips';
  return (
    <div className="pane policies">
      <div className="pane-bar policies-bar">
        <span className="segments" role="group" aria-label="Views of the comparison">
          {PANES.map(([id, name]) => <button key={id} type="button" aria-pressed={pane === id} onClick={() => onPane(id)}>{name}</button>)}
        </span>
        {lists && <span className="muted policies-count" role="status" aria-label="Comparison state" title={NOTE}>{stateWords(comparison, arrived, rows.length)} at B = {count(budget)}</span>}
        {lists && comparison.state === 'cancelled' && <button type="button" onClick={comparison.resume}>Go on</button>}
        <span className="spacer" />
        {(lists || pane === 'sweep' || pane === 'invariants') && (
          <MenuButton label={`Policies ${compared.length} / ${policies.length}`} legend="Policies compared">
            {lists && <TotalBudget value={totalBudget} onChange={props.onTotalBudget} />}
            <span className="menu-actions"><button type="button" onClick={() => onCompared(null)}>All</button><button type="button" onClick={() => onCompared([replay.policy])}>Only the replayed one</button></span>
            {policies.map(({ id, name }) => <label key={id} className="inline" title={name}><input type="checkbox" checked={compared.includes(id)} onChange={() => onCompared(policies.map((one) => one.id).filter((one) => (one === id ? !compared.includes(id) : compared.includes(one))))} /><span className="mono">{id}</span></label>)}
          </MenuButton>
        )}
        {pane === 'table' && <>
          <select aria-label="Columns of the table" value={layout} title={LAYOUT_WORDS[layout].title} onChange={(event) => props.onLayout(TABLE_LAYOUTS.find((one) => one === event.target.value) ?? 'all')}>
            {TABLE_LAYOUTS.map((one) => <option key={one} value={one} title={LAYOUT_WORDS[one].title}>{LAYOUT_WORDS[one].name}</option>)}
          </select>
          <MenuButton label="Columns" legend="Columns shown">
            {LAYOUT_KEYS[layout].filter((key) => key !== 'policy' && key !== 'class' && key !== 'totalBudget').map((key) => <label key={key} className="inline"><input type="checkbox" checked={!hidden.includes(key)} onChange={() => setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key])} />{COMPARISON_TITLES[key]}</label>)}
          </MenuButton>
          <TableMenu name={() => fileName('policies', ...(layout === 'all' ? [] : [layout]), 'budget', budget)} rows={table} caption={`${LAYOUT_WORDS[layout].title}; replay at a budget of ${budget} tokens`} more={[{ label: 'Copy as CSV', run: () => navigator.clipboard.writeText(toCsv(table())) }]} />
          <CopyButton label="Copy as TSV" text={() => toTsv(table())} />
        </>}
      </div>
      {lists && comparison.state === 'failed' && <Notice tone="failed" title="The comparison stopped" action={{ label: 'Try again', run: comparison.resume }}>{comparison.error?.message}</Notice>}
      <div className="policies-body">
        {pane === 'table' && <ComparisonTable rows={rows} order={order} onOrder={setOrder} shown={columns} actions={actions} />}
        {pane === 'strips' && <StripsView rows={rows} steps={replay.steps.n} step={step} budget={budget} theme={theme} actions={actions} onStep={onStep} />}
        {pane === 'sweep' && <SweepView all={policies} shown={compared} strong={strong} windows={props.windows} onWindows={props.onWindows} budget={budget} onBudget={props.onBudget} sweep={props.sweep} />}
        {pane === 'capabilities' && <CapabilityMatrix policies={policies} />}
        {pane === 'difference' && <DifferenceView policies={policies} blocks={blocks} a={props.first} b={props.other} promptA={props.promptA} promptB={props.promptB} step={step} from={props.from} against={props.against} replayed={replay.policy} onFrom={props.onFrom} onAgainst={props.onAgainst} onBase={props.onBase} />}
        {pane === 'invariants' && <InvariantsView policies={shown} invariants={props.invariants} budget={budget} steps={replay.steps.n} everyStep={props.everyStep} onEveryStep={props.onEveryStep} onOpen={props.onOpen} onPolicy={actions.onPolicy} />}
        {pane === 'loss' && <LossView replay={replay} blocks={blocks} step={step} loss={props.loss} onStep={onStep} onSelect={props.onSelect} />}
      </div>
      <p className="policies-note muted small cut" title={`${pane === 'table' ? LAYOUT_WORDS[layout].note : ''} ${NOTE}`.trim()}>{pane === 'table' && layout !== 'all' ? <>{LAYOUT_WORDS[layout].note} </> : null}Counterfactual replay: the recorded actions stay as they were, so this measures what the model would <strong>have had</strong>, not what it would have done. Evidence is verbatim reuse: a lower bound.</p>
    </div>
  );
}

function stateWords({ state }: Replays, arrived: number, total: number): string {
  if (arrived === total && total > 0) return plural(total, 'policy', 'policies');
  return `${count(arrived)} of ${plural(total, 'policy', 'policies')}${state === 'running' ? ' · replaying…' : state === 'cancelled' ? ' · cancelled' : ''}`;
}

/** Second budget (VISTA App. G): new content summed over the run. Empty = none. */
function TotalBudget({ value, onChange }: { value: number | null; onChange: (tokens: number | null) => void }) {
  return (
    <label className="field" title="Total budget over the run: new content, generated and admitted (VISTA App. G). The step where each policy runs out is a column.">
      <span className="muted">Total budget</span>
      <input type="number" min={1000} step={1000} placeholder="none" aria-label="Total budget, tokens" defaultValue={value ?? ''} onChange={(event) => { const tokens = Math.round(Number(event.target.value)); onChange(event.target.value !== '' && tokens > 0 ? tokens : null); }} />
    </label>
  );
}
