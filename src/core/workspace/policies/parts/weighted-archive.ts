/**
 * Trigger |C| > trigger·B, choice by a weight, replacement a placeholder (small blocks together behind a handle,
 * placeholders bundled when they take too much room), way back recovery on demand. No turn of the agent is spent.
 */
import { archive, offload, type By } from '../../operations';
import { isStandIn, MIN_OFFLOAD_TOKENS } from '../../preflight';
import type { Parameter } from '../../types';
import type { Workspace } from '../../workspace';
import { numberOf, type PolicyRun, type PolicySetup } from '../policy';
import { StandIns } from './bundles';
import { LargestFirst } from './largest-first';
import { share } from './parameters';

export const ARCHIVE_PARAMETERS: readonly Parameter[] = [
  share('trigger', 'Trigger', 'Archive when the context is above this share of B.', 0.98),
  share('target', 'Target', 'Archive until the context is at most this share of B.', 0.98),
  share('placeholderShare', 'Placeholder share', 'When placeholders take more than this share of B, the older half of them go behind one handle.', 0.25),
];

export class WeightedArchive implements PolicyRun {
  private small: number[] = [];
  private readonly standIns: StandIns;
  private readonly ws: Workspace;
  private readonly heaviest: LargestFirst;
  private readonly trigger: number;
  private readonly target: number;
  private readonly placeholders: number;

  /** `weightOf` ≥ 0: the heaviest goes first. `what` is said in the log. */
  constructor({ ws, parameters }: PolicySetup, weightOf: (item: number) => number, private readonly what: string) {
    this.ws = ws;
    this.standIns = new StandIns(ws);
    this.heaviest = new LargestFirst(ws, weightOf);
    this.trigger = numberOf(parameters, 'trigger') * ws.budget;
    this.target = Math.min(numberOf(parameters, 'target'), numberOf(parameters, 'trigger')) * ws.budget;
    this.placeholders = numberOf(parameters, 'placeholderShare') * ws.budget;
  }

  admitted(items: readonly number[]): void {
    for (const item of items) this.heaviest.add(item);
  }

  /** The weight of a block has changed: it is looked at again. */
  again(item: number): void {
    this.heaviest.reconsider(item);
  }

  act(): void {
    const { ws, target } = this;
    if (ws.size <= this.trigger) return;
    const by: By = { actor: 'policy', reason: `context above ${Math.round(this.trigger)} tokens: ${this.what} go behind placeholders` };
    while (ws.size > target) {
      const item = this.heaviest.take(1, 0);
      if (item < 0) break;
      if (isStandIn(ws, item)) continue;
      if (ws.columns.tokens.get(item) < MIN_OFFLOAD_TOKENS) this.small.push(item);
      else this.standIns.add(offload(ws, item, by));
    }
    if (ws.size > target) this.bundleSmall();
    while (ws.size > target || this.standIns.size > this.placeholders) {
      if (!this.standIns.bundleOlderHalf({ actor: 'policy', reason: 'placeholders take too much room: the older half behind one handle' })) break;
    }
  }

  /** Blocks shorter than a placeholder go behind one handle together. */
  private bundleSmall(): void {
    const { ws } = this;
    const small = this.small.filter((item) => ws.isFree(item));
    let tokens = 0;
    for (const item of small) tokens += ws.costOf(item);
    this.small = small;
    if (tokens < 2 * MIN_OFFLOAD_TOKENS) return;
    this.small = [];
    this.standIns.add(archive(ws, small, { actor: 'policy', reason: 'blocks too small for a placeholder each, behind one handle' }));
  }
}
