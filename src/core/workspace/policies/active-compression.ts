/**
 * Active Context Compression (Focus): trigger the budget or the end of a focus, choice the raw history of the focus,
 * replacement an entry in a cumulative knowledge block, no way back.
 */
import { Compactor } from './parts/compactor';
import { choice, share, summaryTokens, turns } from './parts/parameters';
import { FOCUS_PROTOCOL } from './parts/protocol-text';
import { LOSSY_BY_AGENT } from './parts/shape';
import { SubTasks } from './parts/sub-tasks';
import { numberOf, textOf, type PolicyDefinition } from './policy';

export const activeCompression: PolicyDefinition = {
  ...LOSSY_BY_AGENT,
  id: 'active-compression',
  name: 'Active Context Compression',
  explanation: 'The agent explores, writes what it learned into a knowledge block that grows, and the raw history of that focus is pruned; task, knowledge and the newest round stay. '
    + 'When: at the budget, as in VISTA\'s comparison, or at the end of each focus (a shift from changing back to looking, a new user message, or 15 turns).',
  source: 'arXiv 2601.07190; active_compress mode of VISTA\'s harness (systems.md §2.6, §5)',
  parameters: [
    choice('when', 'When', 'At the budget or at the end of a focus.', ['budget', 'focus']),
    share('trigger', 'Trigger', 'Of "budget": compress above this share of B.', 1),
    turns('maxTurns', 'Longest focus', 'Of "focus": a focus ends after so many turns.', 15),
    turns('minTurns', 'Shortest focus', 'Of "focus": a shift ends a focus of at least so many turns.', 4),
    summaryTokens(4000, 128_000, 'Most tokens of the knowledge block.'),
  ],
  replayClass: 'stand-in',
  protocol: () => FOCUS_PROTOCOL,
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Knowledge]', limit: numberOf(parameters, 'summaryTokens'), accumulate: true, writer: 'agent' });
    const focus = new SubTasks(ws, numberOf(parameters, 'minTurns'), numberOf(parameters, 'maxTurns'));
    const atBudget = textOf(parameters, 'when') === 'budget';
    const most = numberOf(parameters, 'trigger') * ws.budget;
    return {
      admitted: (items) => focus.admitted(items),
      act: () => {
        const ended = focus.take();
        if (atBudget ? ws.size > most : ended) {
          compactor.compact(compactor.olderThan(ws.step - 1), { actor: 'agent', reason: atBudget ? 'at the budget: history into knowledge' : 'focus completed: its history into knowledge' });
        }
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
