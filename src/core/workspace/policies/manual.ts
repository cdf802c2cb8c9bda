/** You as a policy: the operations of a scenario at their steps; the engine's guard and its recoveries go on as for every policy. */
import { DASHBOARD_KINDS, type DashboardKind } from '../dashboard-rows';
import { applyScenarioOp } from '../scenario/apply';
import { NameBook } from '../scenario/names';
import type { ScenarioOp, ScenarioOutcome } from '../scenario/types';
import { choice, flag } from './parts/parameters';
import { flagOf, textOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class Manual implements PolicyRun {
  private readonly byStep = new Map<number, ScenarioOp[]>();
  private readonly done = new Map<string, ScenarioOutcome>();
  private readonly names: NameBook;

  constructor(private readonly setup: PolicySetup) {
    this.names = new NameBook(setup.ws);
    for (const op of setup.scenario) {
      const list = this.byStep.get(op.step);
      if (list) list.push(op);
      else this.byStep.set(op.step, [op]);
    }
  }

  act(): void {
    const { ws, parameters, scenario } = this.setup;
    if (scenario.length === 0) return;
    for (const op of this.byStep.get(ws.step) ?? []) this.done.set(op.id, applyScenarioOp(ws, this.names, op, { bound: flagOf(parameters, 'guard') }));
  }

  /** One an operation, in the order of the scenario; what its step never came to is refused. */
  outcomes(): ScenarioOutcome[] {
    const { ws } = this.setup;
    return this.setup.scenario.map((op) => this.done.get(op.id) ?? {
      id: op.id, applied: false, refused: `Step ${op.step} is after the last call of this run.`, notes: [], ids: [], bases: [], cascade: [], made: [], tokensBefore: ws.size, tokensAfter: ws.size,
    });
  }
}

export const manual: PolicyDefinition = {
  id: 'manual',
  name: 'Manual scenario (you)',
  explanation: 'You archive, bundle, pin, delete and recover at any step; your operations are replayed exactly, and everything else recomputes. You may know what comes later, so it is no causal rule, '
    + 'and what you do is charged no call (reads on demand are, as everywhere). With the guard each step ends within B: the engine offloads the largest raw results first, as for every policy with an archive.',
  source: 'policies.md, row manual; interface.md §2, row actions',
  parameters: [
    flag('guard', 'Hard budget guard', 'The engine keeps each step within B: it offloads the largest raw results, then bundles the oldest blocks. Off = only your operations change the context.', true),
    flag('recoverOnDemand', 'Recover on demand', 'The engine brings back what the recorded action uses from the archive. Off = it is measured as recoverable and stays away.', true),
    choice('dashboard', 'Dashboard', 'Ledger written at the end of the prompt, as an agent would see it.', ['none', ...DASHBOARD_KINDS.filter((kind) => kind !== 'none')]),
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: true, contextDashboard: true },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: true,
  recovers: true,
  ending: (parameters) => ({ bound: flagOf(parameters, 'guard'), recovers: flagOf(parameters, 'recoverOnDemand') }),
  dashboard: (parameters) => ({ kind: textOf(parameters, 'dashboard') as DashboardKind, foldArchived: true }),
  start: (setup) => new Manual(setup),
};
