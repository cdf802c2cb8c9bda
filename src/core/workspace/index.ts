/** What the rest of the product uses of the workspace. */
export { replay, tokensOfProtocol } from './replay';
export { stateAt, heldAt, type StepState } from './state-at';
export { listPolicies, ensurePolicy } from './policies';
export { costOf, type ReplayCost } from './cost';
export { PAPER_PRICES, PRICE_PRESETS, type PriceTable } from './prices';
export { defaultAt, parseParameter, resolveParameters } from './parameters';
export { blockId, blockIndex } from './kinds';
