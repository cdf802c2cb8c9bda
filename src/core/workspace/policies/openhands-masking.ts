/** OpenHands' observation masking: trigger each step, choice observations beyond the last events, replacement a mask, no way back. */
import { OldResults } from './parts/old-results';
import { amount } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { numberOf, type PolicyDefinition } from './policy';

export const openhandsMasking: PolicyDefinition = {
  ...LOSSY,
  id: 'openhands-masking',
  name: 'OpenHands: observation masking',
  explanation: 'Observations outside the attention window, the last events of any kind, become <MASKED>.',
  source: 'OpenHands ObservationMaskingCondenser, attention_window 5 (systems.md §5)',
  parameters: [amount('window', 'Attention window', 'The last events whose observations stay.', 5, 'events', 1)],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const results = new OldResults(ws);
    const window = numberOf(parameters, 'window');
    /** Events admitted so far: block → its number. */
    let events = 0;
    const numberAt: number[] = [];
    let oldest = 0;
    let old = 0;
    return {
      admitted: (items) => {
        for (const item of items) if (ws.columns.base.get(item) >= 0) numberAt[events++] = item;
        results.add(items);
      },
      act: () => {
        for (; oldest < events - window; oldest++) old = numberAt[oldest] ?? old;
        if (oldest === 0) return;
        results.upTo(old).take((item) => void shorten(ws, item, '<MASKED>', { actor: 'policy', reason: `outside the last ${window} events` }, 'mask', true));
      },
    };
  },
};
