/** opencode's prune: trigger after a turn, choice results beyond the newest so many tokens if enough can go, replacement a line, no way back. */
import { OldResults } from './parts/old-results';
import { names, tokens } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { listOf, numberOf, type PolicyDefinition } from './policy';

export const opencodePrune: PolicyDefinition = {
  ...LOSSY,
  id: 'opencode-prune',
  name: 'opencode prune',
  explanation: 'After a turn, tool outputs beyond the newest 40 000 tokens of them are cleared, if at least 20 000 tokens can go. Outputs of protected tools stay.',
  source: 'opencode, built in (systems.md §5); window 200 000',
  parameters: [
    tokens('protect', 'Newest kept', 'Tokens of newest outputs that stay.', 40_000, 200_000, 0),
    tokens('minimum', 'Clear at least', 'Clear only if so many tokens can go.', 20_000, 200_000),
    names('tools', 'Protected tools', 'Their outputs stay.', 'skill'),
  ],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const kept = listOf(parameters, 'tools');
    const results = new OldResults(ws, (tool) => !kept.has(tool));
    const minimum = numberOf(parameters, 'minimum');
    const by = { actor: 'policy', reason: `output beyond the newest ${numberOf(parameters, 'protect')} tokens` } as const;
    return {
      admitted: (items) => results.add(items),
      act: () => {
        if (results.beyondTokens(numberOf(parameters, 'protect')).pendingTokens >= minimum) {
          results.take((item) => void shorten(ws, item, '[Old tool result content cleared]', by, 'clear', true));
        }
      },
    };
  },
};
