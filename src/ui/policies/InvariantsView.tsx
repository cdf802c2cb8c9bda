import { useMemo, useState } from 'react';
import { INVARIANT_NAMES, INVARIANTS, type InvariantResult } from '../../core/workspace/invariants/types';
import type { PolicyInfo } from '../../core/workspace/types';
import type { Invariants } from '../../state/react/use-invariants';
import { Notice } from '../shared/Notice';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { invariantsTable, summaryWords } from './invariants-model';

const GLYPH: Record<InvariantResult['verdict'], string> = { holds: '✓', violated: '✕', exempt: '–' };

interface Props {
  policies: readonly PolicyInfo[];
  invariants: Invariants;
  budget: number;
  steps: number;
  everyStep: boolean;
  onEveryStep: (every: boolean) => void;
  /** Opens a step under a policy. */
  onOpen: (policy: string, step: number) => void;
  onPolicy: (policy: string) => void;
}

/** The seven invariants of each policy over this run at this budget. */
export function InvariantsView({ policies, invariants, budget, steps, everyStep, onEveryStep, onOpen, onPolicy }: Props) {
  const [chosen, setChosen] = useState<{ policy: string; invariant: number } | null>(null);
  const { outcomes, state } = invariants;
  const arrived = policies.filter(({ id }) => outcomes.has(id)).length;
  const report = chosen === null ? undefined : outcomes.get(chosen.policy);
  const detail = report && 'report' in report ? report.report.results.find(({ invariant }) => invariant === chosen?.invariant) : undefined;
  const words = useMemo(() => summaryWords([...outcomes.values()]), [outcomes]);
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted" role="status" aria-label="Invariants state">{count(arrived)} of {plural(policies.length, 'policy', 'policies')} checked at B = {count(budget)}{state === 'running' ? ' · checking…' : state === 'cancelled' ? ' · cancelled' : ''}{arrived > 0 ? ` · ${words}` : ''}</span>
        {state === 'cancelled' && <button type="button" onClick={invariants.resume}>Go on</button>}
        <span className="spacer" />
        <label className="inline" title="Else prompts and folds are checked at 16 steps spread over the run; numbers and logs always at every step."><input type="checkbox" checked={everyStep} onChange={(event) => onEveryStep(event.target.checked)} />Prompts at every step ({count(steps)})</label>
        <TableMenu name={() => fileName('invariants', 'budget', budget)} rows={() => invariantsTable(policies, outcomes)} caption={`Invariants of model.md §3 at a budget of ${budget} tokens`} />
      </div>
      {state === 'failed' && <Notice tone="failed" title="The check stopped" action={{ label: 'Try again', run: invariants.resume }}>{invariants.error?.message}</Notice>}
      <div className="invariants-scroll" tabIndex={0} role="region" aria-label="Invariants">
        <table className="invariants" aria-label="Invariants by policy">
          <thead>
            <tr><th scope="col">Policy</th>{INVARIANTS.map((text, i) => <th key={text} scope="col" className="invariant-cell" title={text}>{i + 1} {INVARIANT_NAMES[i]}</th>)}<th scope="col">Steps that cannot be within B</th></tr>
          </thead>
          <tbody>
            {policies.map(({ id, name }) => {
              const outcome = outcomes.get(id);
              const found = outcome && 'report' in outcome ? outcome.report : null;
              return (
                <tr key={id} data-policy={id} className={outcome === undefined ? 'comparison-old' : ''}>
                  <th scope="row"><button type="button" className="link mono" title={name} onClick={() => onPolicy(id)}>{id}</button></th>
                  {INVARIANTS.map((text, i) => {
                    const result = found?.results[i];
                    if (result === undefined) return <td key={text} className="invariant-cell muted">{outcome && 'error' in outcome ? '' : '·'}</td>;
                    return (
                      <td key={text} className="invariant-cell">
                        <button type="button" className={`quiet invariant-${result.verdict}`} aria-pressed={chosen?.policy === id && chosen.invariant === i + 1} aria-label={`${id}, invariant ${i + 1}: ${verdictWords(result)}`} title={`${text}: ${verdictWords(result)}${result.detail ? `; ${result.detail}` : ''}`} onClick={() => setChosen({ policy: id, invariant: i + 1 })}>
                          {GLYPH[result.verdict]}{result.at === null ? '' : ` ${count(result.at)}`}
                        </button>
                      </td>
                    );
                  })}
                  <td>
                    {outcome && 'error' in outcome ? <span className="danger" title={outcome.error}>{outcome.error}</span>
                      : found?.infeasible ? <span><button type="button" className="link" onClick={() => onOpen(id, found.infeasible?.first ?? 1)}>{plural(found.infeasible.steps, 'step')}, first {count(found.infeasible.first)}</button> <span className="muted">· B ≥ {count(found.infeasible.smallestFeasibleBudget)} would do</span></span>
                        : found === null ? '' : <span className="muted">none</span>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className="policies-note small invariants-note" role="status" aria-label="Invariant chosen">
        {detail === undefined || chosen === null
          ? <span className="muted">✓ holds · ✕ violated, with the first step · – the policy says that it is not bound by it. Choose a cell to see what was checked.</span>
          : <><strong className="mono">{chosen.policy}</strong> {detail.invariant}. {INVARIANTS[detail.invariant - 1]}: <strong>{verdictWords(detail)}</strong>{detail.detail && ` – ${detail.detail}`} <span className="muted">{detail.checked && `· checked: ${detail.checked}`}</span>{detail.at !== null && <> <button type="button" className="link" onClick={() => onOpen(chosen.policy, detail.at ?? 1)}>open step {count(detail.at)}</button></>}</>}
      </p>
    </div>
  );
}

function verdictWords({ verdict, at }: InvariantResult): string {
  return verdict === 'violated' ? `violated at step ${count(at)}` : verdict === 'holds' ? 'holds' : 'not bound by it';
}
