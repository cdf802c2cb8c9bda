/** CoMem: trigger every turn, k steps late; choice all but the newest turns, replacement a running summary, no way back. */
import { Compactor } from './parts/compactor';
import { summaryTokens, turns } from './parts/parameters';
import { LOSSY_RULE } from './parts/capabilities';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const comem: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_RULE, trainingFree: false },
  id: 'comem',
  name: 'CoMem',
  explanation: 'A small model summarises the older turns all along beside the agent, so its summary is k steps late: turns that it has not reached yet stay, and the newest always do.',
  source: 'CoMem arXiv 2605.30842, newest 2 turns, summary of at most 2 048 tokens (systems.md §5); the lag is ours, the window 32 768',
  parameters: [
    turns('lag', 'Lag k', 'Steps by which the summary is late.', 1, 0),
    turns('keep', 'Turns kept', 'The newest turns stay verbatim.', 2),
    summaryTokens(2048, 32_768),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Running summary]', limit: numberOf(parameters, 'summaryTokens') });
    const late = numberOf(parameters, 'keep') + numberOf(parameters, 'lag');
    return {
      act: () => void compactor.compact(compactor.olderThan(ws.step - late), { actor: 'policy', reason: `turns older than the last ${late}` }),
      replayClass: () => compactor.usedClass,
    };
  },
};
