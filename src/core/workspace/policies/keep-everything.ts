import type { PolicyDefinition } from './policy';

export const keepEverything: PolicyDefinition = {
  id: 'keep-everything',
  name: 'Keep everything',
  explanation: 'Reference line: nothing is ever taken out, whatever the budget. A step above B is marked "over".',
  source: 'policies.md, reference lines',
  parameters: [],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  reference: true,
  bound: false,
  archive: false,
  recovers: false,
  start: () => ({}),
};
