/** What changes over the whole run when a scenario changes: the columns of the comparison table that a person decides by. */
import type { ReplaySummary } from '../../core/workspace/summary';
import type { ScenarioOutcome } from '../../core/workspace/scenario/types';
import { count } from '../shared/format';

export interface Consequence { what: string; title: string; now: string; then: string; /** Is the change for the worse? */ worse: boolean }

const weight = (value: number): string => (Number.isInteger(value) ? count(value) : value.toFixed(1));

export function consequences({ totals: a }: ReplaySummary, { totals: b }: ReplaySummary): Consequence[] {
  const number = (what: string, title: string, now: number, then: number, text: (value: number) => string = count): Consequence => ({ what, title, now: text(now), then: text(then), worse: then > now });
  const loss = (step: number | undefined): string => (step === undefined ? 'none' : `step ${count(step)}`);
  return [
    number('Peak context, tokens', 'Largest context of any call', a.peakContext, b.peakContext),
    number('Trajectory tokens', 'Sum of the prompt tokens over all calls', a.trajectoryTokens, b.trajectoryTokens),
    number('Evidence lost, weight', 'Weight of the strings that later actions use and that are neither visible nor recoverable (evidence.md §1)', a.evidenceLost, b.evidenceLost, weight),
    { what: 'First loss', title: 'First step whose action uses what is lost', now: loss(a.firstLoss?.step), then: loss(b.firstLoss?.step), worse: (b.firstLoss?.step ?? Infinity) < (a.firstLoss?.step ?? Infinity) },
    number('Blocks to bring back', 'Recovery obligations: blocks that later actions use and only the archive holds', a.obligations, b.obligations),
    number('Steps that cannot be within B', 'Infeasible steps', a.infeasibleSteps + a.overSteps, b.infeasibleSteps + b.overSteps),
  ];
}

/** Operations that apply before and not after. */
export function stopsApplying(before: ReplaySummary, after: ReplaySummary): ScenarioOutcome[] {
  const applied = new Set((before.outcomes ?? []).filter((outcome) => outcome.applied).map(({ id }) => id));
  return (after.outcomes ?? []).filter((outcome) => !outcome.applied && applied.has(outcome.id));
}
