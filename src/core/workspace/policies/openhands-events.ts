/** OpenHands' condensers that drop events: trigger a number of events, choice by position, no replacement, no way back. */
import { remove, type By } from '../operations';
import type { Workspace } from '../workspace';
import { amount, share } from './parts/parameters';
import { roundOf } from './parts/oldest-rounds';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

/** Events in stream order: every visible block but the system prompt and the task, which always stay. */
function eventsOf(ws: Workspace): number[] {
  const events: number[] = [];
  for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) if (!ws.isProtected(ws.stream.at(slot))) events.push(ws.stream.at(slot));
  return events;
}

/** Drops what lies between the first `first` and the last `last` events; a call goes with its results, or stays with them. */
function dropMiddle(ws: Workspace, first: number, last: number, by: By): void {
  const events = eventsOf(ws);
  const middle = new Set(events.slice(first, Math.max(first, events.length - last)));
  for (const item of middle) {
    if (!ws.isVisible(item)) continue;
    const round = roundOf(ws, item);
    if (round.every((member) => middle.has(member) && !ws.isFresh(member))) remove(ws, 'trim', round, by);
  }
}

export const openhandsRecent: PolicyDefinition = {
  ...LOSSY,
  id: 'openhands-recent',
  name: 'OpenHands: recent events',
  explanation: 'At most a number of events stay: the first ones and the newest. The system prompt and the task stay besides.',
  source: 'OpenHands RecentEventsCondenser, max_events 10, keep_first 1 (systems.md §5)',
  parameters: [amount('maxEvents', 'Most events', 'Events that stay, together.', 10, 'events', 2), amount('keepFirst', 'First kept', 'Events at the beginning that stay.', 1, 'events')],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const most = numberOf(parameters, 'maxEvents');
    const first = Math.min(most, numberOf(parameters, 'keepFirst'));
    return { act: () => dropMiddle(ws, first, most - first, { actor: 'policy', reason: `beyond the first ${first} and the newest ${most - first} events` }) };
  },
};

export const openhandsAmortized: PolicyDefinition = {
  ...LOSSY,
  id: 'openhands-amortized',
  name: 'OpenHands: amortized forgetting',
  explanation: 'When there are more than a number of events, the middle goes until half of that number is left: the first ones and the newest. So the cached prefix breaks once in many steps.',
  source: 'OpenHands AmortizedForgettingCondenser, max_size 100, keep_first 0 (systems.md §5)',
  parameters: [amount('maxSize', 'Most events', 'Forget when there are more.', 100, 'events', 2), amount('keepFirst', 'First kept', 'Events at the beginning that stay.', 0, 'events')],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const most = numberOf(parameters, 'maxSize');
    const half = Math.floor(most / 2);
    const first = Math.min(half, numberOf(parameters, 'keepFirst'));
    let events = 0;
    return {
      // Counted as they arrive; the stream is looked at only when there may be too many.
      admitted: (items) => { events += items.length; },
      act: () => {
        if (events <= most) return;
        events = eventsOf(ws).length;
        if (events <= most) return;
        dropMiddle(ws, first, half - first, { actor: 'policy', reason: `more than ${most} events: the middle goes, half stays` });
        events = eventsOf(ws).length;
      },
    };
  },
};

export const openhandsWindow: PolicyDefinition = {
  ...LOSSY,
  id: 'openhands-window',
  name: 'OpenHands: conversation window',
  explanation: 'When the context is exceeded, the essentials (system prompt, task) and the newer half of the events stay; observations whose call went go with it.',
  source: 'OpenHands ConversationWindowCondenser, on request (systems.md §5)',
  parameters: [share('trigger', 'Trigger', 'Halve when the context is above this share of B.', 1)],
  replayClass: 'exact',
  start: ({ ws, parameters }) => ({
    act: () => {
      if (ws.size > numberOf(parameters, 'trigger') * ws.budget) dropMiddle(ws, 0, Math.ceil(eventsOf(ws).length / 2), { actor: 'policy', reason: 'context exceeded: the newer half stays' });
    },
  }),
};
