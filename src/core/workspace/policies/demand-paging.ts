/** Pichay: trigger each step, choice results that went stale, replacement a handle, way back a page fault, which pins the page. */
import { KIND } from '../kinds';
import { offload, setPins } from '../operations';
import { MIN_OFFLOAD_TOKENS } from '../preflight';
import { OldResults } from './parts/old-results';
import { amount, share, turns } from './parts/parameters';
import { LOSSLESS } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const demandPaging: PolicyDefinition = {
  ...LOSSLESS,
  id: 'demand-paging',
  name: 'Demand paging',
  explanation: 'A proxy evicts results that went stale to a handle, whatever the budget. When one is read again, that is a page fault: the page comes back and is pinned, because what faulted once will be needed again. '
    + 'Pinned pages that take too much room are released, oldest fault first.',
  source: 'Pichay, arXiv 2603.09023 (systems.md §5); the age at which a result is stale and the share of pinned pages are ours',
  parameters: [
    turns('age', 'Stale after', 'Turns after which a result is evicted.', 4),
    amount('least', 'Least size', 'Smaller results stay.', MIN_OFFLOAD_TOKENS, 'tokens'),
    share('pinned', 'Pinned share', 'Pinned pages may take this share of B.', 0.25),
  ],
  replayClass: 'exact',
  start: ({ ws, parameters }) => {
    const results = new OldResults(ws, (_, item) => ws.columns.tokens.get(item) >= numberOf(parameters, 'least'));
    const pages: number[] = [];
    const most = numberOf(parameters, 'pinned') * ws.budget;
    let pinned = 0;
    const release = (reason: string): void => {
      const oldest = pages.shift() ?? 0;
      pinned -= ws.costOf(oldest);
      setPins(ws, 'unpin', [oldest], { actor: 'policy', reason });
      if (!ws.isFresh(oldest)) offload(ws, oldest, { actor: 'policy', reason: 'released page evicted' });
    };
    return {
      admitted: (items) => {
        results.add(items);
        for (const item of items) {
          if (ws.columns.kind.get(item) !== KIND.recovered || ws.costOf(item) > most) continue;
          while (pinned + ws.costOf(item) > most) release('pinned pages take too much room: oldest fault released');
          setPins(ws, 'pin', [item], { actor: 'policy', reason: 'page fault: the page is pinned' });
          pages.push(item);
          pinned += ws.costOf(item);
        }
      },
      overflow: () => {
        while (pages.length > 0 && ws.size > ws.budget) release('context above B: oldest fault released');
      },
      act: () => {
        results.bornUpTo(ws.step - numberOf(parameters, 'age')).take((item) => void offload(ws, item, { actor: 'policy', reason: 'stale result evicted' }));
      },
    };
  },
};
