/** ReSum: trigger near the window, choice the whole history, replacement a summary beside the question, no way back. */
import { Compactor } from './parts/compactor';
import { share, summaryTokens } from './parts/parameters';
import { LOSSY_RULE } from './parts/capabilities';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const resum: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_RULE, trainingFree: false },
  id: 'resum',
  name: 'ReSum',
  explanation: 'Near the window the whole history becomes a summary, and the work starts again from the question and that summary. Only what arrived since the last call stays.',
  source: 'ReSum arXiv 2509.13313 (systems.md §5); the trigger share is ours',
  parameters: [share('trigger', 'Trigger', 'Restart above this share of B.', 0.9), summaryTokens(2000, 32_768)],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Summary of the previous conversation]', limit: numberOf(parameters, 'summaryTokens') });
    const most = numberOf(parameters, 'trigger') * ws.budget;
    return {
      act: () => {
        if (ws.size > most) compactor.compact(compactor.olderThan(ws.step - 1), { actor: 'policy', reason: 'near the window: restart from question and summary' });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
