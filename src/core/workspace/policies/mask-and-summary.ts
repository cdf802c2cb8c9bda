/** The hybrid of the Complexity Trap: masking of older observations each turn, and a summary every n turns; no way back. */
import { Compactor } from './parts/compactor';
import { OldResults } from './parts/old-results';
import { amount, summaryTokens, turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { numberOf, type PolicyDefinition } from './policy';

const MASKED = '[Old observation omitted]';

export const maskAndSummary: PolicyDefinition = {
  ...LOSSY,
  id: 'mask-and-summary',
  name: 'Masking and summary',
  explanation: 'Observations beyond the newest n are masked each turn, and every N turns all but the last M turns become a summary: the cheap rule first, the dear one rarely.',
  source: 'The Complexity Trap arXiv 2508.21433: masking n = 10, summary N = 21, M = 10 (systems.md §5)',
  parameters: [
    amount('observations', 'Observations kept', 'The newest observations stay.', 10, 'results'),
    turns('every', 'Summary every', 'Turns between two summaries.', 21),
    turns('keep', 'Turns kept', 'The last turns are not summarised.', 10),
    summaryTokens(2000, 65_536),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const results = new OldResults(ws);
    const compactor = new Compactor(setup, { heading: '[Summary of earlier turns]', limit: numberOf(parameters, 'summaryTokens') });
    const keep = numberOf(parameters, 'keep');
    const every = numberOf(parameters, 'every');
    let last = 0;
    return {
      admitted: (items) => results.add(items),
      act: () => {
        const by = { actor: 'policy', reason: 'observation beyond the newest ones' } as const;
        results.beyondCount(numberOf(parameters, 'observations')).take((item) => void shorten(ws, item, MASKED, by, 'mask', true));
        // N turns beyond those that are kept, as the history processor counts them.
        if (ws.step - 1 - keep - last < every) return;
        last = ws.step - 1 - keep;
        compactor.compact(compactor.olderThan(ws.step - keep), { actor: 'policy', reason: `every ${every} turns: all but the last ${keep}` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
