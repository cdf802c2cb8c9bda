/** SLIM: trigger |C| > B or every n turns, choice everything older than the last k turns, replacement one summary, no way back. */
import { Compactor } from './parts/compactor';
import { choice, share, summaryTokens, turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, textOf, type PolicyDefinition } from './policy';

export const slimSummary: PolicyDefinition = {
  ...LOSSY,
  id: 'slim-summary',
  name: 'SLIM summary',
  explanation: 'When the budget is exceeded (or every n turns) everything older than the newest rounds is summarised into one note; the question stays.',
  source: 'SLIM arXiv 2510.18939; summary mode of VISTA\'s harness, newest 2 rounds kept (systems.md §2.6, §5)',
  parameters: [
    choice('when', 'When', 'At the budget, or every so many turns.', ['budget', 'turns']),
    share('trigger', 'Trigger', 'Of "budget": summarise above this share of B.', 1),
    turns('every', 'Every', 'Of "turns": turns between two summaries.', 50),
    turns('keep', 'Rounds kept', 'The newest rounds stay verbatim.', 2),
    summaryTokens(2000, 32_800),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Summary of the work so far]', limit: numberOf(parameters, 'summaryTokens') });
    const byTurns = textOf(parameters, 'when') === 'turns';
    const every = numberOf(parameters, 'every');
    const most = numberOf(parameters, 'trigger') * ws.budget;
    const keep = numberOf(parameters, 'keep');
    return {
      act: () => {
        const due = byTurns ? ws.step > 1 && (ws.step - 1) % every === 0 : ws.size > most;
        if (due) compactor.compact(compactor.olderThan(ws.step - keep), { actor: 'policy', reason: `${byTurns ? `every ${every} turns` : 'budget exceeded'}: all but the newest ${keep} rounds` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
