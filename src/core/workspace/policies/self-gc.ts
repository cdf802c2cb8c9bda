/**
 * Self-GC: trigger its gain test at a safe turn, choice stale objects, replacement fold (sidecar and pointer), mask (head
 * kept) or prune (nothing), way back for folded objects alone.
 */
import { KIND } from '../kinds';
import { offload, remove, type By } from '../operations';
import type { Workspace } from '../workspace';
import { isErrorBlock, wordsOf } from './parts/block-words';
import { LOSSY_RULE } from './parts/capabilities';
import { amount, share, turns } from './parts/parameters';
import { roundOf } from './parts/oldest-rounds';
import { LOSSLESS } from './parts/shape';
import { shorten } from './parts/shorten';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

/** What a pointer takes; a planner's answer per object. */
const POINTER_TOKENS = 40;
const PLAN_TOKENS = 30;

class SelfGc implements PolicyRun {
  private readonly results: number[] = [];
  private next = 0;
  private pending: number[] = [];
  private readonly ws: Workspace;

  constructor(private readonly setup: PolicySetup) {
    this.ws = setup.ws;
  }

  admitted(items: readonly number[]): void {
    for (const item of items) if (this.ws.columns.kind.get(item) === KIND.tool_result) this.results.push(item);
  }

  act(): void {
    const { ws } = this;
    const { parameters, management } = this.setup;
    for (; this.next < this.results.length && ws.columns.bornStep.get(this.results[this.next] ?? 0) <= ws.step - numberOf(parameters, 'age'); this.next++) this.pending.push(this.results[this.next] ?? 0);
    // The planner looks when the stale objects may be worth it; the oldest one bounds what a commit breaks.
    if (ws.size <= numberOf(parameters, 'least') * ws.budget) return;
    const stale = this.pending.filter((item) => ws.isFree(item));
    this.pending = stale;
    if (!this.pays(stale)) return;
    const input = ws.size;
    for (const item of stale) this.collect(item);
    this.pending = [];
    management.charge(ws.step, input, stale.length * PLAN_TOKENS);
  }

  /** Δ = N_future (C − C′) − L_cache break − L_GC > 0, all in tokens of uncached input. */
  private pays(stale: readonly number[]): boolean {
    const { ws } = this;
    const { parameters } = this.setup;
    const first = stale[0];
    if (first === undefined) return false;
    const cached = numberOf(parameters, 'cachedPrice');
    let freed = 0;
    for (const item of stale) freed += Math.max(0, ws.columns.tokens.get(item) - POINTER_TOKENS);
    // As many steps are still to come as there were so far, at most the horizon.
    const future = Math.min(ws.step, numberOf(parameters, 'horizon'));
    const behind = ws.stream.costAfter(ws.columns.slot.get(first));
    const breaks = (1 - cached) * Math.max(0, behind - freed);
    const plan = cached * ws.size + stale.length * PLAN_TOKENS;
    return future * freed * cached - breaks - plan > 0;
  }

  private collect(item: number): void {
    const { ws } = this;
    const by = (what: string): By => ({ actor: 'policy', reason: `gain test passed: ${what}` });
    const tokens = ws.columns.tokens.get(item);
    const round = roundOf(ws, item);
    if (isErrorBlock(ws, item) && round.every((member) => ws.isFree(member) && (ws.columns.kind.get(member) !== KIND.tool_result || isErrorBlock(ws, member)))) {
      remove(ws, 'trim', round, by('failed call pruned'));
    } else if (!ws.isFree(item)) return;
    else if (tokens >= numberOf(this.setup.parameters, 'fold')) offload(ws, item, by('object folded to its sidecar'));
    else shorten(ws, item, `[masked] ${wordsOf(ws, item)}`, by('object masked, head and tail stay'));
  }
}

export const selfGc: PolicyDefinition = {
  ...LOSSLESS,
  capabilities: LOSSY_RULE,
  id: 'self-gc',
  name: 'Self-GC',
  explanation: 'A planner beside the agent proposes what to collect, and the plan is committed when it pays: N_future (C − C′) − cache break − planning > 0. Large stale results are folded to a sidecar with a pointer and can come back; small ones are masked; failed calls are pruned.',
  source: 'Self-GC arXiv 2607.00692, formula in systems.md §5; which object gets which form, and as many future steps as past ones, are ours',
  parameters: [
    turns('age', 'Stale after', 'Turns after which a result is a candidate.', 3),
    share('least', 'Least share', 'Below this share of B nothing is planned.', 0.3),
    amount('fold', 'Fold from', 'Results of at least this size are folded, smaller ones masked.', 256, 'tokens'),
    amount('horizon', 'Horizon', 'Most future steps that are counted on.', 50, 'steps', 1),
    { key: 'cachedPrice', label: 'Cached price', explanation: 'Price of a cached input token, in uncached ones.', type: 'number', default: 0.1, min: 0, max: 1, step: 0.01 },
  ],
  replayClass: 'stand-in',
  start: (setup) => new SelfGc(setup),
};
