/**
 * A selection rule replayed over the recorded calls (gem.md §8, §10): what each call leaves out and what it brings back.
 * It depends on the line, its vectors and the rule's settings alone, so every budget shares one plan.
 */
import { CAPACITY, COVERAGE_TARGET, DELETION_GUARD, MIN_BLOCKS, RESELECT_AFTER } from './constants';
import { Forwarder, type ForwardEvent } from './forwarding';
import type { LineSelection } from './line-selection';
import { viewOf, type SelectionView } from './selection-view';
import { selectorById, type Selector } from './selectors';
import type { SelectMode, StopReason } from './types';
import { ContextscopeError } from '../base/errors';

export interface PlanSettings {
  /** Id of gem.md §10. */
  selector: string;
  /** Of gem and its ablations; the others select anew at every call. */
  mode: SelectMode;
  /** Blocks kept at every call, τ off; null = gem's own size by K and τ. */
  k: number | null;
  capacity: number;
  /** K is at least this share of the blocks so far. */
  capacityShare: number;
  tau: number;
  delta: number;
  minBlocks: number;
  reselectAfter: number;
  /** Also return a call unchanged when one before it has no result. */
  strict: boolean;
  seed: number;
}

export const PLAN_DEFAULTS: PlanSettings = {
  selector: 'gem', mode: 'guarded', k: null, capacity: CAPACITY, capacityShare: 0, tau: COVERAGE_TARGET, delta: DELETION_GUARD, minBlocks: MIN_BLOCKS,
  reselectAfter: RESELECT_AFTER, strict: false, seed: 0,
};

export interface PlanStep {
  /** Blocks complete before the call. */
  n: number;
  /** 'unchanged' = an id is used twice or, where strict, a call has no result. */
  event: ForwardEvent | 'unchanged';
  stop: StopReason | null;
  /** Blocks that were forwarded or are new, and are left out now; index order. */
  out: readonly number[];
  /** Blocks that were left out and are forwarded again. */
  back: readonly number[];
  /** Code points of the whole request and of what is forwarded. */
  fullChars: number;
  forwardedChars: number;
}

/** The plan of these settings over a line, made as far as it is asked for. */
export function forwardingPlan(selection: LineSelection, settings: PlanSettings): ForwardingPlan {
  const view = viewOf(selection);
  const key = JSON.stringify(settings);
  let plan = view.plans.get(key);
  if (!(plan instanceof ForwardingPlan)) view.plans.set(key, (plan = new ForwardingPlan(view, settings)));
  return plan as ForwardingPlan;
}

interface Choice { forwarded: readonly number[]; event: PlanStep['event']; stop: StopReason | null }

export class ForwardingPlan {
  private readonly made: PlanStep[] = [];
  /** 1 = left out at the newest call planned. */
  private readonly isOut: Uint8Array;
  private readonly choose: (step: number) => Choice;

  constructor(private readonly view: SelectionView, private readonly settings: PlanSettings) {
    this.isOut = new Uint8Array(view.selection.n);
    const selector = selectorById(settings.selector);
    if (!selector) throw new ContextscopeError('bad-argument', `No selector is called "${settings.selector}".`);
    this.choose = settings.k === null ? this.byForwarder(selector) : this.bySelector(selector, settings.k);
  }

  /** `step` from 1. */
  at(step: number): PlanStep {
    while (this.made.length < step) this.made.push(this.plan(this.made.length + 1));
    return this.made[step - 1]!;
  }

  private plan(step: number): PlanStep {
    const { selection } = this.view;
    const n = selection.complete[step - 1] ?? 0;
    const { forwarded, event, stop } = this.choose(step);
    const keeps = new Uint8Array(n);
    for (const i of forwarded) keeps[i] = 1;
    const out: number[] = [];
    const back: number[] = [];
    let fullChars = selection.prefixChars[step - 1] ?? 0;
    let forwardedChars = fullChars;
    for (let i = 0; i < n; i++) {
      const size = selection.sizes[i] ?? 0;
      fullChars += size;
      if (keeps[i] === 1) forwardedChars += size;
      if (keeps[i] === 1 && this.isOut[i] === 1) back.push(i);
      else if (keeps[i] === 0 && this.isOut[i] === 0) out.push(i);
      this.isOut[i] = keeps[i] === 1 ? 0 : 1;
    }
    return { n, event, stop, out, back, fullChars, forwardedChars };
  }

  private isUnchanged(step: number): boolean {
    const { clash, unanswered } = this.view.selection;
    return clash[step - 1] === 1 || (this.settings.strict && (unanswered[step - 1] ?? 0) > 0);
  }

  private byForwarder(selector: Selector): (step: number) => Choice {
    const { view, settings } = this;
    const { detections, sizes } = view.selection;
    const { mode, capacity, capacityShare, tau, delta, minBlocks, reselectAfter } = settings;
    const forwarder = new Forwarder({ rows: view.rows, detections, sizes }, { mode, capacity, capacityShare, tau, delta, minBlocks, reselectAfter, groups: selector.groups });
    return (step) => {
      const request = view.request(step);
      if (this.isUnchanged(step)) return { forwarded: indices(request.n), event: 'unchanged', stop: null };
      const { forwarded, event, completion } = forwarder.next(request);
      return { forwarded, event, stop: completion?.stop ?? null };
    };
  }

  private bySelector(selector: Selector, k: number): (step: number) => Choice {
    const { view, settings } = this;
    return (step) => {
      const request = view.request(step);
      const { n } = request;
      if (n <= k || n < settings.minBlocks) return { forwarded: indices(n), event: 'short', stop: null };
      if (selector.deployed && this.isUnchanged(step)) return { forwarded: indices(n), event: 'unchanged', stop: null };
      const rows = view.rowsAt(step);
      const start = view.protectedAt(step, selector.groups);
      const { kept, exhausted } = selector.select({ rows, gram: view.gramAt(step), start, k, goal: request.goal, seed: settings.seed });
      return { forwarded: kept, event: 'each', stop: exhausted && kept.length < k ? 'exhausted' : 'fixed' };
    };
  }
}

function indices(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}
