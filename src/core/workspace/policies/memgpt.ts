/** MemGPT / Letta: trigger the window, choice the oldest messages up to a share, replacement a recursive summary, way back recall storage. */
import { note } from '../operations';
import { Compactor } from './parts/compactor';
import { amount, share, summaryTokens } from './parts/parameters';
import { MEMGPT_PROTOCOL } from './parts/protocol-text';
import { LOSSLESS_BY_AGENT } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const memgpt: PolicyDefinition = {
  ...LOSSLESS_BY_AGENT,
  id: 'memgpt',
  name: 'MemGPT / Letta',
  explanation: 'A warning at 0.75 of the window; at overflow the oldest messages, up to 0.75 of what is there, become a recursive summary and move to recall storage, where the agent can find them. The last messages stay.',
  source: 'memgpt/constants.py (systems.md §5)',
  parameters: [
    share('warning', 'Warning', 'Share of B at which the agent is warned.', 0.75),
    share('flush', 'Flush', 'Share of the messages\' tokens that is moved out.', 0.75),
    amount('keep', 'Messages kept', 'The last messages stay.', 3, 'messages', 1),
    summaryTokens(1000, 128_000),
  ],
  replayClass: 'stand-in',
  protocol: () => MEMGPT_PROTOCOL,
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Summary of messages in recall storage]', limit: numberOf(parameters, 'summaryTokens') });
    let warned = false;
    return {
      act: () => {
        if (ws.size > numberOf(parameters, 'warning') * ws.budget && !warned) {
          warned = true;
          note(ws, { actor: 'policy', reason: 'memory pressure warning' });
        }
        if (ws.size <= ws.budget) return;
        const old = compactor.olderThan(ws.step - 1);
        const movable = old.slice(0, Math.max(0, old.length - numberOf(parameters, 'keep')));
        const share = numberOf(parameters, 'flush') * (ws.size - ws.fixedTokens - ws.protectedSize);
        const moved: number[] = [];
        let sum = 0;
        for (const item of movable) {
          if (sum >= share) break;
          moved.push(item);
          sum += ws.costOf(item);
        }
        warned = !compactor.compact(moved, { actor: 'policy', reason: 'overflow: oldest messages to recall storage' });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
