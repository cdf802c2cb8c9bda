/** Every selector of gem.md §10 as a forwarding policy: trigger each call, choice K interaction blocks, no replacement. */
import { PLAN_DEFAULTS } from '../../selection/forwarding-plan';
import { SELECTORS, type Selector } from '../../selection/selectors';
import { LOSSY_RULE } from './parts/capabilities';
import { ForwardingAgent } from './parts/forwarding-agent';
import { amount, seed } from './parts/parameters';
import { FIT } from './gem';
import { flagOf, numberOf, type PolicyDefinition } from './policy';

const SEEDED = new Set(['random', 'random-all']);

const asPolicy = (selector: Selector): PolicyDefinition => ({
  id: `selector:${selector.id}`,
  name: `${selector.title} (selector at fixed K)`,
  explanation: `${selector.description} As a forwarding policy: at each call with more than K complete interaction blocks, those K are carried, more where more are protected; every other message stays. `
    + 'Vectors come from the encoder that the results name. "random", "recency" and "max-gain" belong beside "gem" wherever these numbers are read (gem.md §14).',
  source: `gem.md §10, selector "${selector.id}", at a fixed K with τ off`,
  parameters: [
    amount('k', 'Blocks K', 'Interaction blocks carried, protected ones included.', PLAN_DEFAULTS.capacity, 'blocks', 1),
    FIT,
    ...(SEEDED.has(selector.id) ? [seed] : []),
  ],
  capabilities: LOSSY_RULE,
  replayClass: 'exact',
  causal: true,
  bound: false,
  ending: (parameters) => ({ bound: flagOf(parameters, 'fit'), recovers: false }),
  archive: false,
  recovers: false,
  needsVectors: true,
  start: (setup) => new ForwardingAgent(setup, {
    ...PLAN_DEFAULTS,
    selector: selector.id,
    mode: 'core',
    k: numberOf(setup.parameters, 'k'),
    minBlocks: selector.deployed ? PLAN_DEFAULTS.minBlocks : 0,
    seed: SEEDED.has(selector.id) ? numberOf(setup.parameters, 'seed') : 0,
  }),
});

export const selectorPolicies: readonly PolicyDefinition[] = SELECTORS.map(asPolicy);
