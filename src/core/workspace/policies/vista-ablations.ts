/** VISTA with one mechanism off or changed at a time (its Fig. 8): the same agent, protocol and dashboard otherwise. */
import { checksumOf } from '../checksum';
import { archive, destroy, levelOver, NONE, summarise } from '../operations';
import { bareHandleText, handleText, previewOf } from '../wording';
import type { PolicyDefinition } from './policy';
import { oldestArchive } from './auto-archive';
import { LedgerAgent, type PutAway } from './parts/ledger-agent';
import { ablatedProtocol } from './parts/protocol-text';
import { ARCHIVE_PARAMETERS } from './parts/weighted-archive';
import { AGENT_PARAMETERS, vista } from './vista';

const FIG_8 = 'VISTA ablations, Fig. 8 (systems.md §2.4, §2.5)';

/** The handle's words without the bytes behind it. */
const forget: PutAway = (ws, items, by, summary) =>
  summarise(ws, 'summarise', items, handleText(ws.columns, items, levelOver(ws, items), checksumOf(ws.columns, items), summary ?? previewOf(ws.columns, items[0] ?? 0)).replace(', exact text by recover.', ', cannot be read again.'), by);

export const vistaNoRecovery: PolicyDefinition = {
  ...vista,
  id: 'vista-no-recovery',
  name: 'VISTA without recovery',
  explanation: 'The same agent and ledger, but what it archives can\'t be read back: the handle says what was there, the bytes are out of reach, so evidence is lost.',
  source: FIG_8,
  capabilities: { ...vista.capabilities, exactRecovery: false },
  archive: false,
  recovers: false,
  protocol: (_, budget) => ablatedProtocol(budget, 'recover'),
  start: (setup) => new LedgerAgent(setup, { putAway: forget }),
};

export const vistaNoArchive: PolicyDefinition = {
  ...vista,
  id: 'vista-no-archive',
  name: 'VISTA without archive',
  explanation: 'The same ledger, but no archive: only when the context does not fit the agent deletes the largest finished blocks until the target; what is deleted is gone. (Acting in overflow alone is how the harness renders it; the choice is ours.)',
  source: FIG_8,
  capabilities: { ...vista.capabilities, exactRecovery: false },
  archive: false,
  recovers: false,
  protocol: (_, budget) => ablatedProtocol(budget, 'archive'),
  start: (setup) => new LedgerAgent(setup, {
    onlyInOverflow: true,
    putAway: (ws, items, by) => {
      destroy(ws, items.filter((item) => ws.isFree(item)), by);
      return NONE;
    },
  }),
};

export const vistaFixedArchive: PolicyDefinition = {
  ...vista,
  id: 'vista-fixed-archive',
  name: 'VISTA with a fixed archive',
  explanation: 'The dashboard and recovery stay, but the harness decides: near the budget the oldest blocks of any type are offloaded, as auto-archive does.',
  source: FIG_8,
  parameters: [...ARCHIVE_PARAMETERS, ...vista.parameters.filter(({ key }) => !AGENT_PARAMETERS.some((parameter) => parameter.key === key))],
  capabilities: { ...vista.capabilities, agentControlled: false },
  replayClass: 'exact',
  protocol: (_, budget) => ablatedProtocol(budget, 'agent-archive'),
  start: oldestArchive,
};

export const vistaStatusBoard: PolicyDefinition = {
  ...vista,
  id: 'vista-status-board',
  name: 'VISTA with a status board',
  explanation: 'The same agent and state, shown as a board grouped by status instead of a table: only the rendering changes, so what it costs in tokens is all that can differ here.',
  source: FIG_8,
  parameters: vista.parameters.map((parameter) => (parameter.key === 'dashboard' ? { ...parameter, default: 'status-board' } : parameter)),
};

export const vistaWording: PolicyDefinition = {
  ...vista,
  id: 'vista-wording',
  name: 'VISTA with bare placeholders',
  explanation: 'The same agent, but a handle is an id and nothing else: no type, size, checksum or first line. The dashboard still says them.',
  source: FIG_8,
  start: (setup) => new LedgerAgent(setup, { putAway: (ws, items, by, summary) => archive(ws, items, by, summary, bareHandleText) }),
};
