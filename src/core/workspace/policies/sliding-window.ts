/** Window methods: trigger each step, choice every round older than the last k turns, no replacement, no way back. */
import { OldestRounds } from './parts/oldest-rounds';
import { numberOf, type PolicyDefinition } from './policy';

export const slidingWindow: PolicyDefinition = {
  id: 'sliding-window',
  name: 'Sliding window',
  explanation: 'Only the last k turns stay, with the system prompt and the task; older rounds are dropped whatever their size.',
  source: 'window methods in GEM Table 4 (systems.md §5)',
  parameters: [
    { key: 'turns', label: 'Turns kept', explanation: 'Rounds of the last k turns stay.', type: 'integer', default: 10, unit: 'turns', min: 1, max: 100_000, step: 1 },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: false,
  recovers: false,
  start: ({ ws, parameters }) => {
    const oldest = new OldestRounds(ws);
    const turns = numberOf(parameters, 'turns');
    const by = { actor: 'policy', reason: `older than the last ${turns} turns` } as const;
    return { act: () => oldest.trimWhile(() => true, by, ws.step - turns) };
  },
};
