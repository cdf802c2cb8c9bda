/** Periodic summary: trigger every n turns, choice all older turns, replacement one summary, no way back. */
import { Compactor } from './parts/compactor';
import { summaryTokens, turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const periodicSummary: PolicyDefinition = {
  ...LOSSY,
  id: 'periodic-summary',
  name: 'Periodic summary',
  explanation: 'Every n turns everything but the last turns becomes one summary, whatever the budget; the summary before is summarised with it.',
  source: 'periodic summary, n = 5, in GEM Table 4 (systems.md §5)',
  parameters: [
    turns('every', 'Every', 'Turns between two summaries.', 5),
    turns('keep', 'Turns kept', 'The last turns stay verbatim.', 1),
    summaryTokens(2000, 128_000),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Summary of earlier turns]', limit: numberOf(parameters, 'summaryTokens') });
    const every = numberOf(parameters, 'every');
    const keep = numberOf(parameters, 'keep');
    return {
      act: () => {
        if (ws.step > 1 && (ws.step - 1) % every === 0) compactor.compact(compactor.olderThan(ws.step - keep), { actor: 'policy', reason: `every ${every} turns: all but the last ${keep}` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
