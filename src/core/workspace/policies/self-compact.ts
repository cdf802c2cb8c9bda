/** SelfCompact: trigger its rubric (a sub-task is resolved, the agent is not stuck), choice all but the last round, replacement a summary, no way back. */
import { Compactor } from './parts/compactor';
import { share, summaryTokens, turns } from './parts/parameters';
import { SELF_COMPACT_PROTOCOL } from './parts/protocol-text';
import { LOSSY_BY_AGENT } from './parts/shape';
import { SubTasks } from './parts/sub-tasks';
import { numberOf, type PolicyDefinition } from './policy';

export const selfCompact: PolicyDefinition = {
  ...LOSSY_BY_AGENT,
  id: 'self-compact',
  name: 'SelfCompact',
  explanation: 'The agent compacts by a rubric: when a sub-task is resolved or it converges; not in the middle of a derivation, and not when it is stuck (here: the last result was an error).',
  source: 'SelfCompact arXiv 2606.23525 (systems.md §5); the sub-task boundaries and the least share are ours',
  parameters: [
    share('least', 'Least share', 'Below this share of B there is nothing to gain yet.', 0.25),
    turns('minTurns', 'Shortest sub-task', 'A shift ends a sub-task of at least so many turns.', 4),
    turns('maxTurns', 'Longest sub-task', 'A sub-task counts as converged after so many turns.', 30),
    summaryTokens(2000, 65_536),
  ],
  replayClass: 'stand-in',
  protocol: () => SELF_COMPACT_PROTOCOL,
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Compacted by the agent]', limit: numberOf(parameters, 'summaryTokens'), writer: 'agent' });
    const subTasks = new SubTasks(ws, numberOf(parameters, 'minTurns'), numberOf(parameters, 'maxTurns'));
    return {
      admitted: (items) => subTasks.admitted(items),
      act: () => {
        const ended = subTasks.take();
        if (!ended || ended.stuck || ws.size <= numberOf(parameters, 'least') * ws.budget) return;
        compactor.compact(compactor.olderThan(ended.to), { actor: 'agent', reason: `sub-task of steps ${ended.from}–${ended.to} resolved` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
