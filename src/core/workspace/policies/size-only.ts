/**
 * Methods whose words need a model that is not here: a result becomes a stand-in of the documented size. Only the curve of
 * tokens means something; what the real method would have kept is not known, so evidence counts as lost.
 */
import { KIND } from '../kinds';
import { replaceBy, type By } from '../operations';
import { wordsOf } from './parts/block-words';
import { LOSSY_RULE } from './parts/capabilities';
import { OldResults } from './parts/old-results';
import { amount, names, share } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { listOf, numberOf, type PolicyDefinition } from './policy';
import type { Parameter } from '../types';
import type { Workspace } from '../workspace';

const ratio = (value: number, explanation: string): Parameter =>
  ({ key: 'ratio', label: 'Kept share', explanation, type: 'number', default: value, unit: 'share of tokens', min: 0.01, max: 1, step: 0.01 });

function shrink(ws: Workspace, item: number, kept: number, what: string, by: By): void {
  const size = ws.columns.tokens.get(item);
  const tokens = Math.max(1, Math.round(size * kept));
  if (tokens < size) replaceBy(ws, 'mask', item, `[${what}: ~${tokens} of ~${size} tokens] ${wordsOf(ws, item)}`, by, tokens);
}

export const swePruner: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_RULE, trainingFree: false },
  id: 'swe-pruner',
  name: 'SWE-Pruner (size only)',
  explanation: 'A small model keeps the lines of each read that serve the agent\'s goal. The lines are not known here: each result of a reading tool shrinks, as it arrives, to the share that the paper reports (23–54 % fewer tokens). Only the token curve is meaningful.',
  source: 'SWE-Pruner arXiv 2601.16746 (systems.md §5)',
  parameters: [
    ratio(0.62, 'Share of a read that stays; the middle of the reported range.'),
    amount('least', 'Least size', 'Smaller results stay whole.', 200, 'tokens'),
    names('tools', 'Reading tools', 'Whose results are pruned; empty = all.', ''),
  ],
  replayClass: 'size-only',
  prunesNew: true,
  start: ({ ws, parameters }) => {
    const tools = listOf(parameters, 'tools');
    let arrived: number[] = [];
    return {
      admitted: (items) => void arrived.push(...items),
      act: () => {
        const by = { actor: 'policy', reason: 'lines that do not serve the goal are skipped' } as const;
        for (const item of arrived) {
          const tool = ws.columns.table.strings[ws.columns.table.toolName[ws.columns.base.get(item)] ?? 0] ?? '';
          if (ws.columns.kind.get(item) !== KIND.tool_result || (tools.size > 0 && !tools.has(tool))) continue;
          if (ws.columns.tokens.get(item) >= numberOf(parameters, 'least')) shrink(ws, item, numberOf(parameters, 'ratio'), 'pruned', by);
        }
        arrived = [];
      },
    };
  },
};

export const llmlingua2: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_RULE, trainingFree: false },
  id: 'llmlingua2',
  name: 'LLMLingua-2 (size only)',
  explanation: 'A token classifier drops tokens at a ratio. Which ones is not known here: above the trigger the oldest results shrink to the ratio, until the context fits. Only the token curve is meaningful.',
  source: 'LLMLingua-2 (systems.md §5); the ratio and the trigger are ours',
  parameters: [ratio(0.5, 'Share of the tokens that stays.'), share('trigger', 'Trigger', 'Compress above this share of B.', 1)],
  replayClass: 'size-only',
  start: ({ ws, parameters }) => {
    const results = new OldResults(ws);
    const most = numberOf(parameters, 'trigger') * ws.budget;
    const by = { actor: 'policy', reason: 'context above B: oldest results at the token ratio' } as const;
    return {
      admitted: (items) => results.add(items),
      act: () => {
        if (ws.size > most) results.bornUpTo(ws.step - 1).take((item) => shrink(ws, item, numberOf(parameters, 'ratio'), 'compressed', by), () => ws.size > most);
      },
    };
  },
};
