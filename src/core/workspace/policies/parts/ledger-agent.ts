/**
 * VISTA's agent, simulated: trigger pressure p = |C̃| / B > ρ, choice ledger-greedy (the blocks that free most tokens,
 * neighbours bundled), replacement a handle, way back recovery on demand. Each turn of managing is charged as a call.
 */
import { MIN_OFFLOAD_TOKENS, isStandIn } from '../../preflight';
import { archive, isSpareCopy, offload, type By } from '../../operations';
import { numberOf, type PolicyRun, type PolicySetup } from '../policy';
import { StandIns } from './bundles';
import { LargestFirst } from './largest-first';
import type { Workspace } from '../../workspace';

/** What a handle with its dashboard row takes: a block must free more than this to be worth one. */
const HANDLE_TOKENS = 80;
const MIN_GAIN_TOKENS = 2 * HANDLE_TOKENS;

/** How blocks leave: returns the stand-in, or -1 when there is none. `summary` is for bundles of stand-ins. */
export type PutAway = (ws: Workspace, items: readonly number[], by: By, summary?: string) => number;

export interface AgentVariant {
  /** Block sizes as the agent sees them; the ledger's unless it has none. */
  sizeOf?: (item: number) => number;
  putAway?: PutAway;
  /** Does it manage only when the context does not fit? */
  onlyInOverflow?: boolean;
}

export class LedgerAgent implements PolicyRun {
  private readonly largest: LargestFirst;
  private readonly handles: StandIns;
  private readonly putAway: PutAway;

  constructor(private readonly setup: PolicySetup, private readonly variant: AgentVariant = {}) {
    this.putAway = variant.putAway ?? archive;
    this.largest = new LargestFirst(setup.ws, variant.sizeOf);
    this.handles = new StandIns(setup.ws, this.putAway);
  }

  admitted(items: readonly number[]): void {
    for (const item of items) this.largest.add(item);
  }

  act(): void {
    const { ws, parameters } = this.setup;
    const rho = numberOf(parameters, 'rho');
    const pressure = ws.size / ws.budget;
    if (pressure <= rho || this.variant.onlyInOverflow) return;
    this.manage(numberOf(parameters, 'minAge'), MIN_GAIN_TOKENS, `pressure ${pressure.toFixed(2)} above ${rho}`);
  }

  overflow(): void {
    this.manage(1, MIN_OFFLOAD_TOKENS, 'overflow: only context tools until it fits');
  }

  private manage(minAge: number, minTokens: number, why: string): void {
    const { ws, parameters, management } = this.setup;
    const target = numberOf(parameters, 'target') * ws.budget;
    const input = Math.min(ws.size, ws.budget);
    const opsBefore = ws.ops.length;
    const by = (what: string): By => ({ actor: 'agent', reason: `${why}: ${what}` });

    let expected = ws.size;
    const chosen: number[] = [];
    while (expected > target) {
      const item = this.largest.take(minAge, minTokens);
      if (item < 0) break;
      chosen.push(item);
      expected -= ws.costOf(item) - HANDLE_TOKENS;
    }
    for (const group of this.neighbours(chosen)) {
      if (group.length === 1 && isSpareCopy(ws, group[0] ?? 0)) offload(ws, group[0] ?? 0, by('copy put back, its original stays archived'));
      else this.handles.add(this.putAway(ws, group, by(group.length === 1 ? 'largest finished block' : `${group.length} neighbouring blocks`)));
    }
    if (ws.size > target) this.bundleRuns(minAge, target, by('run of small finished blocks'));
    const share = numberOf(parameters, 'handleShare') * ws.budget;
    while (this.handles.size > share) {
      if (!this.handles.bundleOlderHalf(by('handles take too much room, the older half behind one'))) break;
    }
    this.charge(management, input, opsBefore);
  }

  /** Chosen blocks in stream order, those side by side together. Copies stay alone: they go back to their originals. */
  private neighbours(chosen: readonly number[]): number[][] {
    const { ws } = this.setup;
    const ordered = [...chosen].sort((a, b) => ws.columns.slot.get(a) - ws.columns.slot.get(b));
    const groups: number[][] = [];
    let last = -1;
    for (const item of ordered) {
      const open = groups.at(-1);
      const copy = isSpareCopy(ws, item);
      if (open && !copy && last >= 0 && ws.stream.after(ws.columns.slot.get(last)) === ws.columns.slot.get(item)) open.push(item);
      else groups.push([item]);
      last = copy ? -1 : item;
    }
    return groups;
  }

  /** Blocks too small to free anything alone: whole runs of them, oldest first, each behind one handle. */
  private bundleRuns(minAge: number, target: number, by: By): void {
    const { ws } = this.setup;
    let run: number[] = [];
    let tokens = 0;
    const close = (): void => {
      if (tokens >= MIN_GAIN_TOKENS && run.length > 1) this.handles.add(this.putAway(ws, run, by));
      run = [];
      tokens = 0;
    };
    for (let slot = ws.stream.head; slot >= 0; ) {
      const next = ws.stream.after(slot);
      const item = ws.stream.at(slot);
      const old = ws.columns.bornStep.get(item) <= ws.step - minAge;
      if (ws.isFree(item) && old && !isStandIn(ws, item)) {
        run.push(item);
        tokens += ws.costOf(item);
        if (ws.size - tokens + HANDLE_TOKENS <= target) close();
      } else close();
      if (ws.size <= target) return;
      slot = next;
    }
    close();
  }

  /** One call: its input is the context then, its output the arguments and summaries. */
  private charge(management: PolicySetup['management'], input: number, opsBefore: number): void {
    const { ws } = this.setup;
    let output = 0;
    for (let k = opsBefore; k < ws.ops.length; k++) {
      const result = ws.ops[k]?.result;
      if (result) output += ws.columns.tokens.get(Number(result.slice(1)) - 1);
    }
    if (ws.ops.length > opsBefore) management.charge(ws.step, input, output);
  }
}
