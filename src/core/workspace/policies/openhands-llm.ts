/** OpenHands' summarising condenser: trigger a number of events, choice the middle, replacement a summary, no way back. */
import { Compactor } from './parts/compactor';
import { amount, summaryTokens } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const openhandsLlm: PolicyDefinition = {
  ...LOSSY,
  id: 'openhands-llm',
  name: 'OpenHands: summarising condenser',
  explanation: 'When there are more than a number of events, or the context is above B, the middle is forgotten down to half of it and a summary stands in its place; the first events and the tail stay. The recorded condensation\'s words are used where the run has one for these events.',
  source: 'OpenHands SDK LLMSummarizingCondenser, max_size 240, keep_first 2, minimum progress 0.1 (systems.md §5)',
  parameters: [
    amount('maxSize', 'Most events', 'Condense when there are more.', 240, 'events', 4),
    amount('keepFirst', 'First kept', 'Events at the beginning that stay, system prompt and task included.', 2, 'events'),
    summaryTokens(2000, 128_000),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const most = numberOf(parameters, 'maxSize');
    const first = numberOf(parameters, 'keepFirst');
    const compactor = new Compactor(setup, { heading: '[Summary of forgotten events]', limit: numberOf(parameters, 'summaryTokens') });
    let events = 0;
    const view = (): number[] => {
      const items: number[] = [];
      for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) items.push(ws.stream.at(slot));
      return items;
    };
    return {
      admitted: (items) => { events += items.length; },
      act: () => {
        const hard = ws.size > ws.budget;
        if (events <= most && !hard) return;
        const all = view();
        events = all.length;
        if (events <= most && !hard) return;
        // At most half is left, the summary included; in tokens, half of what there is.
        const target = Math.floor(Math.min(most, hard ? events : most) / 2);
        const middle = all.slice(first, Math.max(first, events - Math.max(0, target - first - 1)));
        // Less than a tenth is no progress.
        if (middle.length < events / 10) return;
        compactor.compact(middle, { actor: 'policy', reason: hard ? 'context above B: the middle is condensed' : `more than ${most} events: the middle is condensed` });
        events = view().length;
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
