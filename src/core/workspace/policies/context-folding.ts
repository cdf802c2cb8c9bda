/** Context-Folding: trigger a branch returns (else a sub-task ends), choice its turns, replacement its return message, no way back. */
import { KIND } from '../kinds';
import { Compactor } from './parts/compactor';
import { toolOf } from './parts/block-words';
import { names, summaryTokens, turns } from './parts/parameters';
import { FOLD_PROTOCOL } from './parts/protocol-text';
import { LOSSY_AGENT } from './parts/capabilities';
import { LOSSY_BY_AGENT } from './parts/shape';
import { SubTasks } from './parts/sub-tasks';
import { listOf, numberOf, type PolicyDefinition } from './policy';

export const contextFolding: PolicyDefinition = {
  ...LOSSY_BY_AGENT,
  capabilities: { ...LOSSY_AGENT, trainingFree: false, modelAgnostic: false },
  id: 'context-folding',
  name: 'Context-Folding',
  explanation: 'A finished branch is folded into its return message; the main line stays. Branches are the recorded branch / return calls where the run has them, else its sub-tasks (see Active Context Compression). A branch cannot branch.',
  source: 'arXiv 2510.11967 (systems.md §5); sub-task boundaries for runs without branches are ours',
  parameters: [
    names('branchTools', 'Branch tools', 'Calls that open a branch.', 'branch'),
    names('returnTools', 'Return tools', 'Calls that end it.', 'return, return_to_main'),
    turns('minTurns', 'Shortest branch', 'Without such calls: a shift ends a sub-task of at least so many turns.', 4),
    turns('maxTurns', 'Longest branch', 'Without such calls: a sub-task ends after so many turns.', 20),
    summaryTokens(500, 32_768, 'Most tokens of a return message.'),
  ],
  replayClass: 'stand-in',
  protocol: () => FOLD_PROTOCOL,
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Branch returned]', limit: numberOf(parameters, 'summaryTokens'), op: 'fold', writer: 'agent' });
    const subTasks = new SubTasks(ws, numberOf(parameters, 'minTurns'), numberOf(parameters, 'maxTurns'));
    const opens = listOf(parameters, 'branchTools');
    const closes = listOf(parameters, 'returnTools');
    let openedAt = 0;
    let closedAt = 0;
    let named = false;
    return {
      admitted: (items) => {
        subTasks.admitted(items);
        for (const item of items) {
          const tool = toolOf(ws, item);
          if (opens.has(tool)) openedAt = ws.step;
          if (closes.has(tool)) closedAt = ws.step;
          named ||= opens.has(tool);
        }
      },
      act: () => {
        const ended = subTasks.take();
        const span = named ? (closedAt === ws.step && openedAt > 0 ? { from: openedAt, to: ws.step - 1 } : null) : ended;
        if (!span) return;
        openedAt = 0;
        const inside = compactor.olderThan(span.to).filter((item) => ws.columns.bornStep.get(item) >= span.from && ws.columns.kind.get(item) !== KIND.user);
        compactor.compact(inside, { actor: 'agent', reason: `branch of steps ${span.from}–${span.to} returned` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
