/** VISTA's skeleton harness: trigger |C| > trigger·B, choice the oldest results, replacement their first characters, no way back. */
import { share } from './parts/parameters';
import { OldResults } from './parts/old-results';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { numberOf, type PolicyDefinition } from './policy';

export const skeleton: PolicyDefinition = {
  ...LOSSY,
  id: 'skeleton',
  name: 'Skeleton',
  explanation: 'Above B the oldest observations keep their first 240 characters and a note of how much was omitted, until the context fits; when that is not enough, the oldest rounds go.',
  source: 'skeleton mode of VISTA\'s harness (systems.md §2.6)',
  parameters: [share('trigger', 'Trigger', 'Shorten when the context is above this share of B.', 1)],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const results = new OldResults(ws);
    const most = numberOf(parameters, 'trigger') * ws.budget;
    const { table, base } = ws.columns;
    const textOf = (item: number): string => {
      const head = table.head[base.get(item)] ?? '';
      return `${head}\n[${Math.max(0, (table.chars[base.get(item)] ?? 0) - [...head].length)} characters omitted]`;
    };
    return {
      admitted: (items) => results.add(items),
      act: () => {
        if (ws.size <= most) return;
        const by = { actor: 'policy', reason: 'context above B: oldest observations keep their first 240 characters' } as const;
        results.bornUpTo(ws.step - 1).take((item) => void shorten(ws, item, textOf(item), by), () => ws.size > most);
      },
    };
  },
};
