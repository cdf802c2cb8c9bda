/** Clearing of thinking: trigger each step, choice assistant messages before the last turns, replacement the same without reasoning, no way back. */
import { KIND } from '../kinds';
import { stripReasoning } from '../operations';
import { turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const clearThinking: PolicyDefinition = {
  ...LOSSY,
  id: 'clear-thinking',
  name: 'Clear thinking',
  explanation: 'Reasoning before the last turns is dropped; words and calls stay as they are. Runs whose reasoning does not count as context are not changed. Evidence in the words and calls is still there; what only the reasoning said is not counted as lost.',
  source: 'clear_thinking_20251015, last 1 turn kept (systems.md §5)',
  parameters: [turns('keep', 'Turns kept', 'The last turns keep their reasoning.', 1)],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const calls: number[] = [];
    let next = 0;
    const by = { actor: 'policy', reason: `reasoning before the last ${numberOf(parameters, 'keep')} turns` } as const;
    return {
      admitted: (items) => { for (const item of items) if (ws.columns.kind.get(item) === KIND.assistant) calls.push(item); },
      act: () => {
        for (; next < calls.length && ws.columns.bornStep.get(calls[next] ?? 0) <= ws.step - numberOf(parameters, 'keep'); next++) {
          const call = calls[next] ?? 0;
          if (ws.isFree(call) && !ws.isFresh(call)) stripReasoning(ws, call, by);
        }
      },
    };
  },
};
