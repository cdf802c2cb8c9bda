/**
 * How a step ends within B (model.md §3, §4). With an archive: the guard offloads visible raw tool results, largest
 * first; a new result that still does not fit is rejected; then overflow mode, in which an agent may only manage; then
 * the oldest blocks go behind placeholders and these into bundles. Without an archive: the oldest rounds are trimmed.
 * The system prompt, the task, pinned blocks and the last round always stay.
 */
import { KIND } from './kinds';
import { archive, NONE, offload, reject, type By } from './operations';
import { LargestFirst } from './policies/parts/largest-first';
import { OldestRounds } from './policies/parts/oldest-rounds';
import type { PolicyDefinition, PolicyRun } from './policies/policy';
import type { Workspace } from './workspace';

const GUARD: By = { actor: 'engine', reason: 'hard budget guard: largest raw tool result' };
const REJECT: By = { actor: 'engine', reason: 'new result does not fit the budget' };
const LAST_RESORT: By = { actor: 'engine', reason: 'preflight: oldest blocks, until the context fits' };
const TRIM: By = { actor: 'engine', reason: 'preflight: oldest round, until the context fits' };

export class Preflight {
  private readonly guard: LargestFirst;
  private readonly oldest: OldestRounds;

  constructor(private readonly ws: Workspace, private readonly policy: PolicyDefinition, private readonly run: PolicyRun) {
    this.guard = new LargestFirst(ws);
    this.oldest = new OldestRounds(ws);
  }

  admitted(items: readonly number[]): void {
    if (!this.policy.bound || !this.policy.archive) return;
    for (const item of items) if (isRawResult(this.ws, item)) this.guard.add(item);
  }

  /**
   * Returns true when the context was over B in a way that needed overflow mode. After a recovery nothing new is rejected
   * at first: there is room for what was read once the older blocks have gone, else it would not have been read.
   */
  settle(afterRecovery = false): boolean {
    const { ws, policy } = this;
    if (!policy.bound || ws.size <= ws.budget) return false;
    if (!policy.archive) {
      this.run.overflow?.();
      this.oldest.trimWhile(() => ws.size > ws.budget, TRIM);
      return this.run.overflow !== undefined;
    }
    this.offloadLargest();
    if (ws.size > ws.budget && !afterRecovery) this.rejectNew();
    if (ws.size <= ws.budget) return false;
    this.run.overflow?.();
    if (ws.size > ws.budget) this.bundleOldest();
    if (ws.size > ws.budget && afterRecovery) this.rejectNew();
    return true;
  }

  private offloadLargest(): void {
    const { ws } = this;
    while (ws.size > ws.budget) {
      const item = this.guard.take(1, MIN_OFFLOAD_TOKENS);
      if (item < 0) return;
      offload(ws, item, GUARD);
    }
  }

  private rejectNew(): void {
    const { ws } = this;
    const fresh = freshItems(ws).filter((item) => isRawResult(ws, item) && ws.isFree(item) && ws.columns.tokens.get(item) >= MIN_OFFLOAD_TOKENS);
    fresh.sort((a, b) => ws.columns.tokens.get(b) - ws.columns.tokens.get(a) || a - b);
    for (const item of fresh) {
      if (ws.size <= ws.budget) return;
      if (ws.columns.kind.get(item) === KIND.recovered) offload(ws, item, REJECT);
      else reject(ws, item, ws.budget - (ws.size - ws.costOf(item)), REJECT);
    }
  }

  /** One bundle of the oldest blocks and stand-ins, as many as it takes. */
  private bundleOldest(): void {
    const { ws } = this;
    for (let rounds = 0; rounds < 2 && ws.size > ws.budget; rounds++) {
      const excess = ws.size - ws.budget;
      const taken: number[] = [];
      let freed = 0;
      for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) {
        const item = ws.stream.at(slot);
        if (!ws.isFree(item) || ws.isFresh(item)) continue;
        taken.push(item);
        freed += ws.costOf(item);
        // The second round takes everything there is.
        if (rounds === 0 && freed >= excess + BUNDLE_MARGIN_TOKENS) break;
      }
      if (taken.length === 0 || (taken.length === 1 && isStandIn(ws, taken[0] ?? 0))) return;
      if (archive(ws, taken, LAST_RESORT) === NONE) return;
    }
  }
}

/** A block smaller than its placeholder would be is no help to put away. */
export const MIN_OFFLOAD_TOKENS = 64;
/** Room for the bundle's own handle and its row. */
const BUNDLE_MARGIN_TOKENS = 128;

function isRawResult(ws: Workspace, item: number): boolean {
  const kind = ws.columns.kind.get(item);
  return kind === KIND.tool_result || kind === KIND.recovered;
}

export function isStandIn(ws: Workspace, item: number): boolean {
  const kind = ws.columns.kind.get(item);
  return kind === KIND.handle || kind === KIND.placeholder || kind === KIND.notice;
}

/** Visible blocks of the last round, newest first. */
export function freshItems(ws: Workspace): number[] {
  const items: number[] = [];
  for (let slot = ws.stream.tail; slot >= 0; slot = ws.stream.before(slot)) {
    if (ws.columns.bornStep.get(slot) < ws.step) break;
    const item = ws.stream.at(slot);
    if (ws.isFresh(item)) items.push(item);
  }
  return items;
}
