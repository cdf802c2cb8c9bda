/** ACON: trigger tokens of the history, or of one observation; choice the older turns, or the observation; replacement a summary, no way back. */
import { Compactor } from './parts/compactor';
import { wordsOf } from './parts/block-words';
import { OldResults } from './parts/old-results';
import { choice, summaryTokens, tokens, turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { numberOf, textOf, type PolicyDefinition } from './policy';

export const acon: PolicyDefinition = {
  ...LOSSY,
  id: 'acon',
  name: 'ACON',
  explanation: 'History: when the older turns and the summary before take more than the threshold, they become a new summary and the last turn stays. Observation: a result above its threshold is rewritten shorter once a call has seen it '
    + '(ACON does it before; the stand-in has no model to ask what matters).',
  source: 'ACON arXiv 2510.00615, history 4 096, observation 1 024, last 1 turn kept (systems.md §5); window 32 768 is ours',
  parameters: [
    choice('what', 'What', 'What is compressed.', ['history', 'observation', 'both']),
    tokens('history', 'History threshold', 'Tokens of older turns with the previous summary.', 4096, 32_768),
    tokens('observation', 'Observation threshold', 'Tokens of one result.', 1024, 32_768),
    choice('rule', 'Rule', 'Does a new summary replace the one before, or follow it?', ['accumulate', 'reset']),
    turns('keep', 'Turns kept', 'The last turns stay verbatim.', 1),
    summaryTokens(2000, 32_768),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters, management } = setup;
    const compactor = new Compactor(setup, { heading: '[History summary]', limit: numberOf(parameters, 'summaryTokens'), accumulate: textOf(parameters, 'rule') === 'accumulate' });
    const what = textOf(parameters, 'what');
    const least = numberOf(parameters, 'observation');
    const large = new OldResults(ws, (_, item) => ws.columns.tokens.get(item) > least);
    const keep = numberOf(parameters, 'keep');
    return {
      admitted: (items) => large.add(items),
      act: () => {
        if (what !== 'history') {
          large.bornUpTo(ws.step - 1).take((item) => {
            const text = `[Observation, compressed] ${wordsOf(ws, item)}`;
            if (shorten(ws, item, text, { actor: 'policy', reason: `observation above ${least} tokens` })) management.charge(ws.step, ws.columns.tokens.get(item), ws.setup.count(text));
          });
        }
        // What is fixed or of the last turn is no history: an upper bound first, so that most steps cost nothing.
        if (what === 'observation' || ws.size - ws.fixedTokens - ws.protectedSize <= numberOf(parameters, 'history')) return;
        const old = compactor.olderThan(ws.step - keep);
        let sum = 0;
        for (const item of old) sum += ws.columns.tokens.get(item);
        if (sum > numberOf(parameters, 'history')) compactor.compact(old, { actor: 'policy', reason: `history of ${sum} tokens above its threshold` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
