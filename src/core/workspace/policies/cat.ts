/** CAT: trigger a milestone, else the budget; choice all but the recent turns, replacement a structured memory, no way back. */
import { Compactor } from './parts/compactor';
import { share, summaryTokens, turns } from './parts/parameters';
import { CAT_PROTOCOL } from './parts/protocol-text';
import { LOSSY_AGENT } from './parts/capabilities';
import { LOSSY_BY_AGENT } from './parts/shape';
import { SubTasks } from './parts/sub-tasks';
import { numberOf, type PolicyDefinition } from './policy';

export const cat: PolicyDefinition = {
  ...LOSSY_BY_AGENT,
  capabilities: { ...LOSSY_AGENT, trainingFree: false, modelAgnostic: false },
  id: 'cat',
  name: 'CAT, structured compression',
  explanation: 'At milestones, or when the prompt is above the trigger, older turns become a long-term memory in sections: goal, plan, files touched, results, errors, open questions. The task and the recent turns stay verbatim.',
  source: 'CAT arXiv 2512.22087, window 65 536 (systems.md §5); the turns kept and the trigger are ours',
  parameters: [
    share('trigger', 'Trigger', 'Compress above this share of B, milestone or not.', 0.8),
    share('milestoneShare', 'Least at a milestone', 'A milestone compresses only above this share of B.', 0.3),
    turns('keep', 'Recent turns', 'The last turns stay verbatim.', 3),
    turns('minTurns', 'Shortest stretch', 'A shift is a milestone after at least so many turns.', 6),
    turns('maxTurns', 'Longest stretch', 'A stretch ends after so many turns.', 50),
    summaryTokens(4000, 65_536, 'Most tokens of the memory.'),
  ],
  replayClass: 'stand-in',
  protocol: () => CAT_PROTOCOL,
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Long-term memory]', limit: numberOf(parameters, 'summaryTokens'), form: 'sections', writer: 'agent' });
    const milestones = new SubTasks(ws, numberOf(parameters, 'minTurns'), numberOf(parameters, 'maxTurns'));
    const keep = numberOf(parameters, 'keep');
    return {
      admitted: (items) => milestones.admitted(items),
      act: () => {
        const milestone = milestones.take() !== null && ws.size > numberOf(parameters, 'milestoneShare') * ws.budget;
        if (!milestone && ws.size <= numberOf(parameters, 'trigger') * ws.budget) return;
        compactor.compact(compactor.olderThan(ws.step - keep), { actor: 'agent', reason: `${milestone ? 'milestone' : 'prompt above the trigger'}: all but the last ${keep} turns into memory` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
