/** Sculptor: trigger pressure, choice the largest older fragments, replacement a hidden fragment with its gist, way back restore. */
import { summarise } from '../operations';
import { wordsOf, cutWords } from './parts/block-words';
import { LargestFirst } from './parts/largest-first';
import { amount, share, turns } from './parts/parameters';
import { SCULPTOR_PROTOCOL } from './parts/protocol-text';
import { LOSSLESS_BY_AGENT } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

/** A fragment must free more than its line takes. */
const LEAST_TOKENS = 128;
const SHOWN_CHARACTERS = 160;

export const sculptor: PolicyDefinition = {
  ...LOSSLESS_BY_AGENT,
  id: 'sculptor',
  name: 'Sculptor',
  explanation: 'The agent hides or summarises fragments of its own context that distract it, and restores them exactly when needed; nothing is destroyed. Simulated: above a pressure the largest older fragments are folded to a line until the target.',
  source: 'Sculptor arXiv 2508.04664 (systems.md §5); trigger, target and choice are ours, the paper leaves them to the agent',
  parameters: [
    share('trigger', 'Pressure', 'The agent acts above this share of B.', 0.8),
    share('target', 'Target', 'It hides until the context is at most this share of B.', 0.5),
    turns('minAge', 'Youngest age', 'Younger fragments stay.', 2),
    amount('least', 'Least size', 'Smaller fragments stay.', LEAST_TOKENS, 'tokens'),
  ],
  replayClass: 'stand-in',
  protocol: () => SCULPTOR_PROTOCOL,
  start: ({ ws, parameters, management }) => {
    const largest = new LargestFirst(ws);
    const fold = (minAge: number, reason: string): void => {
      const input = Math.min(ws.size, ws.budget);
      let output = 0;
      while (ws.size > numberOf(parameters, 'target') * ws.budget) {
        const item = largest.take(minAge, numberOf(parameters, 'least'));
        if (item < 0) break;
        const made = summarise(ws, 'fold', [item], `[Fragment hidden: ${cutWords(wordsOf(ws, item), SHOWN_CHARACTERS)}]`, { actor: 'agent', reason });
        output += ws.columns.tokens.get(made);
      }
      if (output > 0) management.charge(ws.step, input, output);
    };
    return {
      admitted: (items) => { for (const item of items) largest.add(item); },
      act: () => { if (ws.size > numberOf(parameters, 'trigger') * ws.budget) fold(numberOf(parameters, 'minAge'), 'pressure: largest older fragment hidden'); },
      overflow: () => fold(1, 'overflow: largest fragment hidden'),
    };
  },
};
