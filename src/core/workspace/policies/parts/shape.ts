/** How a definition ends its steps, by what stands behind it: spread into a policy. */
import { LOSSLESS_AGENT, LOSSLESS_RULE, LOSSY_AGENT, LOSSY_RULE } from './capabilities';

const CAUSAL = { causal: true, bound: true } as const;

/** No archive: above B the oldest rounds are trimmed. */
export const LOSSY = { ...CAUSAL, capabilities: LOSSY_RULE, archive: false, recovers: false } as const;
export const LOSSY_BY_AGENT = { ...LOSSY, capabilities: LOSSY_AGENT } as const;
/** An archive, and the engine reads back what a call needs. */
export const LOSSLESS = { ...CAUSAL, capabilities: LOSSLESS_RULE, archive: true, recovers: true } as const;
export const LOSSLESS_BY_AGENT = { ...LOSSLESS, capabilities: LOSSLESS_AGENT } as const;
