/** ReAct: trigger |C| > B, choice the oldest rounds, no replacement, no way back. */
import { OldestRounds } from './parts/oldest-rounds';
import type { PolicyDefinition } from './policy';

export const appendTruncate: PolicyDefinition = {
  id: 'append-truncate',
  name: 'Append and truncate',
  explanation: 'Everything is appended; when the context is above B, the oldest rounds (a call with its results, or one message) are dropped until it fits. '
    + 'The system prompt, the task and the last round stay. What is gone is gone.',
  source: 'ReAct in VISTA\'s comparison; truncate mode of its harness (systems.md §2.6)',
  parameters: [],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: false,
  recovers: false,
  start: ({ ws }) => {
    const oldest = new OldestRounds(ws);
    return { act: () => oldest.trimWhile(() => ws.size > ws.budget, { actor: 'policy', reason: 'context above B: oldest round dropped' }) };
  },
};
