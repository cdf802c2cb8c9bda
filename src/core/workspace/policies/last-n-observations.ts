/** SWE-agent's history processor: trigger each step, choice observations beyond the newest n, replacement a note, no way back. */
import { OldResults } from './parts/old-results';
import { amount, flag } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { flagOf, numberOf, type PolicyDefinition } from './policy';

export const lastNObservations: PolicyDefinition = {
  ...LOSSY,
  id: 'last-n-observations',
  name: 'Last n observations',
  explanation: 'Only the newest n observations stay; older ones become a note of what was omitted, except the first. With polling the changes are made in groups, so that the cached prefix breaks less often.',
  source: 'SWE-agent LastNObservations, n = 5 (systems.md §5)',
  parameters: [
    amount('observations', 'Observations kept', 'The newest observations stay.', 5, 'results', 1),
    amount('polling', 'Polling', 'Old observations are removed in groups of this many.', 1, 'results', 1),
    flag('keepFirst', 'Keep the first', 'The first observation stays.', true),
  ],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    let first = -1;
    const keepFirst = flagOf(parameters, 'keepFirst');
    const results = new OldResults(ws, (_, item) => {
      if (first < 0) first = item;
      return !keepFirst || item !== first;
    });
    const keep = numberOf(parameters, 'observations');
    const by = { actor: 'policy', reason: `observation beyond the newest ${keep}` } as const;
    return {
      admitted: (items) => results.add(items),
      act: () => {
        results.beyondCount(keep);
        if (results.pendingCount < numberOf(parameters, 'polling')) return;
        results.take((item) => void shorten(ws, item, `[Old environment output: ~${ws.columns.tokens.get(item)} tokens omitted]`, by));
      },
    };
  },
};
