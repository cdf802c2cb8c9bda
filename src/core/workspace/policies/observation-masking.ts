/** Stale-observation masking: trigger each step, choice results older than the last M turns, replacement one line, no way back. */
import { KIND } from '../kinds';
import { replaceBy, type By } from '../operations';
import { describeBlock } from '../wording';
import { flagOf, numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class ObservationMasking implements PolicyRun {
  /** Results not yet masked, in order of birth. */
  private readonly results: number[] = [];
  private next = 0;

  constructor(private readonly setup: PolicySetup) {}

  admitted(items: readonly number[]): void {
    const { columns } = this.setup.ws;
    for (const item of items) if (columns.kind.get(item) === KIND.tool_result) this.results.push(item);
  }

  act(): void {
    const { ws, parameters } = this.setup;
    const turns = numberOf(parameters, 'turns');
    const keepErrors = flagOf(parameters, 'keepErrors');
    const by: By = { actor: 'policy', reason: `observation older than the last ${turns} turns` };
    for (; this.next < this.results.length; this.next++) {
      const item = this.results[this.next] ?? 0;
      if (ws.columns.bornStep.get(item) > ws.step - turns) return;
      const base = ws.columns.base.get(item);
      if (!ws.isFree(item) || (keepErrors && ws.columns.table.isError[base] === 1)) continue;
      const text = `[Observation of an earlier turn masked: ${describeBlock(ws.columns, item)}]`;
      // Masking what is shorter than the notice would only cost.
      if (ws.pieces.word(text) < ws.columns.tokens.get(item)) replaceBy(ws, 'mask', item, text, by);
    }
  }
}

export const observationMasking: PolicyDefinition = {
  id: 'observation-masking',
  name: 'Stale-observation masking',
  explanation: 'Each step, tool results older than the last M turns become one line. Reasoning, calls and errors stay, so the skeleton of the run remains readable. What was masked is lost.',
  source: 'arXiv 2606.00408, window M = 4 (systems.md §5)',
  parameters: [
    { key: 'turns', label: 'Window M', explanation: 'Observations of the last M turns stay.', type: 'integer', default: 4, unit: 'turns', min: 1, max: 10_000, step: 1 },
    { key: 'keepErrors', label: 'Keep errors', explanation: 'Results that report an error stay.', type: 'boolean', default: true },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: false,
  recovers: false,
  start: (setup) => new ObservationMasking(setup),
};
