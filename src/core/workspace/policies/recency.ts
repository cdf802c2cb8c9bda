/** Reference line: trigger each step, choice the oldest interaction blocks, no replacement, no way back. */
import { KIND } from '../kinds';
import { remove, type By } from '../operations';
import { amount, share } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class Recency implements PolicyRun {
  /** Calls with results, in order of birth, that have not been dropped. */
  private readonly calls: number[] = [];
  private next = 0;

  constructor(private readonly setup: PolicySetup) {}

  admitted(items: readonly number[]): void {
    const { ws } = this.setup;
    for (const item of items) {
      const call = ws.columns.kind.get(item) === KIND.tool_result ? ws.marks.callOf(item) : -1;
      if (call >= 0 && call !== this.calls.at(-1)) this.calls.push(call);
    }
  }

  act(): void {
    const { ws, parameters } = this.setup;
    const keep = numberOf(parameters, 'keep');
    const most = numberOf(parameters, 'share') * ws.budget;
    const by: By = { actor: 'policy', reason: keep > 0 ? `older than the newest ${keep} interaction blocks` : 'the newest interaction blocks fill the budget' };
    while (this.next < this.calls.length && (keep > 0 ? this.calls.length - this.next > keep : ws.size > most)) {
      const exchange = ws.marks.exchange(this.calls[this.next] ?? 0);
      if (exchange.some((item) => ws.isFresh(item))) return;
      this.next++;
      remove(ws, 'trim', exchange, by);
    }
  }
}

export const recency: PolicyDefinition = {
  ...LOSSY,
  id: 'recency',
  name: 'Recency',
  explanation: 'Reference line: of GEM\'s removable units (a call with all its results) only the newest stay, as many as fit or a fixed number; every other message stays.',
  source: 'policies.md, reference lines; recency selector of GEM',
  parameters: [
    amount('keep', 'Blocks kept', 'Interaction blocks that stay; 0 = as many as fit.', 0, 'blocks'),
    share('share', 'Filled share', 'With 0 blocks: the context is kept at or below this share of B.', 1),
  ],
  replayClass: 'exact',
  reference: true,
  start: (setup) => new Recency(setup),
};
