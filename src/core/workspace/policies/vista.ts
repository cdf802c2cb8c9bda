import { DASHBOARD_KINDS, type DashboardKind } from '../dashboard-rows';
import type { Parameter } from '../types';
import { LedgerAgent } from './parts/ledger-agent';
import { vistaProtocol } from './parts/protocol-text';
import { flagOf, textOf, type PolicyDefinition } from './policy';

/** Parameters of the simulated agent, shared with its ablations. */
export const AGENT_PARAMETERS: readonly Parameter[] = [
  { key: 'rho', label: 'Pressure ρ', explanation: 'The agent manages when |C| / B is above ρ.', type: 'number', default: 0.8, unit: 'share of B', min: 0.05, max: 1, step: 0.01 },
  { key: 'target', label: 'Target', explanation: 'It archives until |C| / B is at most this.', type: 'number', default: 0.5, unit: 'share of B', min: 0.02, max: 1, step: 0.01 },
  { key: 'minAge', label: 'Youngest age', explanation: 'Blocks younger than this many turns are left alone (not in overflow).', type: 'integer', default: 2, unit: 'turns', min: 1, max: 1000, step: 1 },
  { key: 'handleShare', label: 'Handle share', explanation: 'When handles take more than this share of B, the older half of them are archived again, one level up.', type: 'number', default: 0.1, unit: 'share of B', min: 0.005, max: 1, step: 0.005 },
];

export const vista: PolicyDefinition = {
  id: 'vista',
  name: 'VISTA (simulated agent)',
  explanation: 'An agent that sees a ledger of its own context: when pressure is above ρ it archives the blocks that free most tokens, neighbours together, behind handles with checksums; '
    + 'handles are bundled again when there are many; what an action needs is read back exactly. Its protocol, tools, dashboard and management turns are counted. The choice is a fixed greedy rule, not a model.',
  source: 'VISTA §2, Algorithm 1 (systems.md §2)',
  parameters: [
    ...AGENT_PARAMETERS,
    { key: 'dashboard', label: 'Dashboard', explanation: 'How the ledger is written at the end of the prompt.', type: 'choice', default: 'full', choices: DASHBOARD_KINDS },
    { key: 'foldArchived', label: 'Fold archived rows', explanation: 'Archived blocks share their handle\'s row; off = one row a block, as in the paper.', type: 'boolean', default: true },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: true, exactRecovery: true, contextDashboard: true },
  replayClass: 'stand-in',
  causal: true,
  bound: true,
  archive: true,
  recovers: true,
  dashboard: (parameters) => ({ kind: textOf(parameters, 'dashboard') as DashboardKind, foldArchived: flagOf(parameters, 'foldArchived') }),
  protocol: (parameters, budget) => vistaProtocol(budget, textOf(parameters, 'dashboard') !== 'none'),
  start: (setup) => new LedgerAgent(setup),
};
