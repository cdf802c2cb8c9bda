/** VISTA without its ledger: sizes come through the noisy channel of Proposition 2, W = ln s + ε, ε ~ N(0, σ²). */
import { exp } from '../../base/elementary';
import { purposeStream } from '../../numerics/random-stream';
import { LedgerAgent } from './parts/ledger-agent';
import { vistaProtocol } from './parts/protocol-text';
import { NO_DASHBOARD, numberOf, type PolicyDefinition } from './policy';
import { AGENT_PARAMETERS } from './vista';

export const vistaNoDashboard: PolicyDefinition = {
  id: 'vista-no-dashboard',
  name: 'VISTA without dashboard',
  explanation: 'The same agent and tools, but no ledger: it guesses sizes with a log-normal error of σ, so it picks the wrong blocks and archives more as σ grows, and more must come back, as Theorem 1 says: on recorded runs at windows '
    + 'a little below their peak; far below it nearly everything goes and reads stay level. A replay reads on demand: the fall of retrievals in the paper (the model does not ask) can\'t be seen here.',
  source: 'VISTA Proposition 2 and its ablation (systems.md §2.4)',
  parameters: [
    ...AGENT_PARAMETERS,
    { key: 'sigma', label: 'Noise σ', explanation: 'Standard deviation of the error of ln(size).', type: 'number', default: 1, unit: 'nats', min: 0, max: 10, step: 0.1 },
    { key: 'seed', label: 'Seed', explanation: 'Seed of the noise.', type: 'integer', default: 0, min: 0, max: 4_294_967_295, step: 1 },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: true, exactRecovery: true, contextDashboard: false },
  replayClass: 'stand-in',
  causal: true,
  bound: true,
  archive: true,
  recovers: true,
  dashboard: () => NO_DASHBOARD,
  protocol: (_, budget) => vistaProtocol(budget, false),
  start: (setup) => {
    const sigma = numberOf(setup.parameters, 'sigma');
    const noise = purposeStream(numberOf(setup.parameters, 'seed'), 'size-noise', 0);
    const guesses = new Map<number, number>();
    // A block is guessed once, when it is first looked at: the order of looks depends on the past alone.
    const sizeOf = (item: number): number => {
      let guess = guesses.get(item);
      if (guess === undefined) guesses.set(item, (guess = setup.ws.columns.tokens.get(item) * exp(sigma * noise.normal())));
      return guess;
    };
    return new LedgerAgent(setup, { sizeOf });
  },
};
