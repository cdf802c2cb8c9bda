/** Rows of VISTA's capability table (Table 6) that several policies share. */
import type { Capabilities } from '../../types';

const NOTHING: Capabilities = { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false };

/** A rule of the harness that destroys. */
export const LOSSY_RULE: Capabilities = NOTHING;
/** A rule of the harness with a store behind it. */
export const LOSSLESS_RULE: Capabilities = { ...NOTHING, exactRecovery: true };
/** The agent decides, and what it takes out is gone. */
export const LOSSY_AGENT: Capabilities = { ...NOTHING, agentControlled: true };
/** The agent decides, and the exact bytes come back. */
export const LOSSLESS_AGENT: Capabilities = { ...NOTHING, agentControlled: true, exactRecovery: true };
