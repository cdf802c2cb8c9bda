/** Claude Code's microcompact, API form: trigger prompt > trigger, choice results of some tools beyond a token target, replacement a placeholder, no way back. */
import { OldResults } from './parts/old-results';
import { names, tokens } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { listOf, numberOf, type PolicyDefinition } from './policy';

export const claudeMicrocompact: PolicyDefinition = {
  ...LOSSY,
  id: 'claude-microcompact',
  name: 'Claude Code microcompact',
  explanation: 'Above 180 K tokens the results of the reading and searching tools are cleared down to a keep target of 40 K, so at least 140 K go at once. Other tools\' results stay.',
  source: 'Claude Code microcompact, API form, secondary source (systems.md §5); window 200 000',
  parameters: [
    tokens('trigger', 'Trigger', 'Clear above this many prompt tokens.', 180_000, 200_000),
    tokens('keep', 'Keep target', 'Clear until the prompt is at most this.', 40_000, 200_000),
    names('tools', 'Tools', 'Whose results may be cleared; empty = all.', 'Bash, Glob, Grep, Read, WebFetch, WebSearch'),
  ],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const tools = listOf(parameters, 'tools');
    const results = new OldResults(ws, (tool) => tools.size === 0 || tools.has(tool));
    const target = numberOf(parameters, 'keep');
    const by = { actor: 'policy', reason: `prompt above ${numberOf(parameters, 'trigger')} tokens: cleared down to ${target}` } as const;
    return {
      admitted: (items) => results.add(items),
      act: () => {
        if (ws.size <= numberOf(parameters, 'trigger')) return;
        results.bornUpTo(ws.step - 1).take((item) => void shorten(ws, item, '[Old tool result content cleared]', by, 'clear', true), () => ws.size > target);
      },
    };
  },
};
