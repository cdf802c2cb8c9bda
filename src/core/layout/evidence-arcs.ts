/**
 * Evidence as arcs on the lifelines (evidence.md §1): from the block that held a string, where it came in, to the call that
 * repeated it, at the row of what that call said. Each says whether the source was visible, recoverable or lost then.
 */
import type { EvidenceIndex } from '../evidence/types';
import type { BlockTable, LineFacts } from '../trace/blocks-types';
import { EvidenceStatus, type Availability } from '../workspace/evidence-status';
import type { Replay } from '../workspace/types';
import type { Lifelines } from './lifelines';
import { rowToY, type RowScale } from './row-scale';
import { stepToX, type TimeScale } from './time-scale';

/** Drawn in this order: what was lost lies on top. */
export const ARC_STATES: readonly Availability[] = ['visible', 'recoverable', 'lost'];

export interface Arc {
  fromRow: number;
  /** Step in which the source came in. */
  fromStep: number;
  toRow: number;
  toStep: number;
  /** Index into ARC_STATES: the source at that call. */
  state: number;
  /** Evidence weight of the strings it stands for. */
  weight: number;
}

/** Demands looked at in one go while all arcs are gathered: about a frame's time. */
const SLICE_DEMANDS = 20_000;

/** Arcs of one replay, made when they are asked for; nothing is computed before that. */
export class EvidenceArcs {
  private status: EvidenceStatus | null = null;
  private actors: Int32Array | null = null;
  private ofBlockKnown: { block: number; arcs: Arc[] } | null = null;
  private gathered: Arc[] = [];
  private nextStep = 1;

  constructor(private readonly replay: Replay, private readonly table: BlockTable, private readonly facts: LineFacts, private readonly evidence: EvidenceIndex, private readonly lines: Lifelines) {}

  /** What the call of a step took, one arc a source; sources that merely repeated it only where there are no others. */
  ofStep(step: number): Arc[] {
    if (step < 1 || step > this.evidence.steps) return [];
    const bySource = new Map<number, number>();
    for (let d = this.evidence.demandStart[step - 1] ?? 0; d < (this.evidence.demandStart[step] ?? 0); d++) {
      if (this.evidence.demandInPrompt[d] === 1) continue;
      for (const source of this.sourcesOf(d)) bySource.set(source, (bySource.get(source) ?? 0) + (this.evidence.demandWeight[d] ?? 0));
    }
    return [...bySource].flatMap(([base, weight]) => this.arc(base, step, weight));
  }

  /** Who used a block (replay index), one arc a call. Linear in all sources; the last block asked for is remembered. */
  ofBlock(block: number): Arc[] {
    if (this.ofBlockKnown?.block === block) return this.ofBlockKnown.arcs;
    const base = this.replay.blocks.base[block] ?? -1;
    const arcs = base < 0 ? [] : this.usersOf(base);
    this.ofBlockKnown = { block, arcs };
    return arcs;
  }

  /**
   * One arc a demand of the whole run, from its newest source, as far as gathered. False = call again: a long run is gone
   * through in slices, so that no frame waits.
   */
  gather(): boolean {
    const { evidence } = this;
    const stop = (evidence.demandStart[this.nextStep - 1] ?? 0) + SLICE_DEMANDS;
    // One step at least, however many demands it has: else nothing would ever get on.
    while (this.nextStep <= evidence.steps) {
      const step = this.nextStep++;
      const bySource = new Map<number, number>();
      for (let d = evidence.demandStart[step - 1] ?? 0; d < (evidence.demandStart[step] ?? 0); d++) {
        const newest = evidence.demandInPrompt[d] === 1 ? undefined : this.sourcesOf(d).at(-1);
        if (newest !== undefined) bySource.set(newest, (bySource.get(newest) ?? 0) + (evidence.demandWeight[d] ?? 0));
      }
      for (const [base, weight] of bySource) this.gathered.push(...this.arc(base, step, weight));
      if ((evidence.demandStart[step] ?? 0) >= stop) break;
    }
    return this.nextStep > evidence.steps;
  }

  get all(): readonly Arc[] {
    return this.gathered;
  }

  private usersOf(base: number): Arc[] {
    const { evidence } = this;
    const byStep = new Map<number, number>();
    let step = 1;
    let d = 0;
    // A demand's sources lie together, so one walk over them knows its demand and its step.
    for (let s = 0; s < evidence.sources.length; s++) {
      if (evidence.sources[s] !== base) continue;
      while ((evidence.sourceStart[d + 1] ?? 0) <= s) d++;
      while ((evidence.demandStart[step] ?? 0) <= d) step++;
      if (evidence.demandInPrompt[d] === 1 && evidence.isPrompt[base] !== 1) continue;
      if (evidence.sourceIsEcho[s] === 0) byStep.set(step, (byStep.get(step) ?? 0) + (evidence.demandWeight[d] ?? 0));
    }
    return [...byStep].flatMap(([at, weight]) => this.arc(base, at, weight));
  }

  private sourcesOf(demand: number): number[] {
    const { evidence } = this;
    const own: number[] = [];
    const echoes: number[] = [];
    for (let s = evidence.sourceStart[demand] ?? 0; s < (evidence.sourceStart[demand + 1] ?? 0); s++) (evidence.sourceIsEcho[s] === 1 ? echoes : own).push(evidence.sources[s] ?? 0);
    return own.length > 0 ? own : echoes;
  }

  private arc(base: number, step: number, weight: number): Arc[] {
    this.status ??= new EvidenceStatus(this.replay, this.table.n);
    const item = this.status.itemOfBase[base] ?? -1;
    const fromRow = item < 0 ? -1 : (this.lines.rowOfBlock[item] ?? -1);
    if (fromRow < 0) return [];
    const actor = this.actorOf(step);
    const actorRow = actor < 0 ? -1 : (this.lines.rowOfBlock[this.status.itemOfBase[actor] ?? -1] ?? -1);
    return [{ fromRow, fromStep: Math.max(1, this.table.bornStep[base] ?? 1), toRow: actorRow < 0 ? fromRow : actorRow, toStep: step, state: ARC_STATES.indexOf(this.status.ofItem(item, step)), weight }];
  }

  /** Base block of what a call said; −1 = the record has none. */
  private actorOf(step: number): number {
    if (!this.actors) {
      const ofMessage = new Map<number, number>();
      for (let b = this.table.n - 1; b >= 0; b--) ofMessage.set(this.table.messageIndex[b] ?? -1, b);
      this.actors = Int32Array.from({ length: this.facts.steps }, (_, i) => ofMessage.get(this.facts.stepMessage[i] ?? -1) ?? -1);
    }
    return this.actors[step - 1] ?? -1;
  }
}

/** CSS pixels: from the source's lifeline along it, then down to the call. */
export interface PlacedArc { x1: number; y1: number; x2: number; y2: number; state: number; weight: number }

/** Arcs that touch the view; those with the same ends on the pixel grid become one, and only the heaviest `most` are kept. Sorted by state. */
export function placeArcs(arcs: readonly Arc[], time: TimeScale, rows: RowScale, most: number): { placed: PlacedArc[]; dropped: number } {
  const bottom = rows.top + rows.height;
  const right = time.left + time.width;
  const byEnds = new Map<string, PlacedArc>();
  for (const { fromRow, fromStep, toRow, toStep, state, weight } of arcs) {
    const x1 = stepToX(time, fromStep);
    const x2 = stepToX(time, toStep);
    if (x2 < time.left || x1 > right) continue;
    const y1 = rowToY(rows, fromRow + 0.5);
    const y2 = rowToY(rows, toRow + 0.5);
    if (Math.max(y1, y2) < rows.top || Math.min(y1, y2) > bottom) continue;
    const key = `${Math.round(x1)} ${Math.round(y1)} ${Math.round(x2)} ${Math.round(y2)} ${state}`;
    const there = byEnds.get(key);
    if (there) there.weight += weight;
    else byEnds.set(key, { x1, y1, x2, y2, state, weight });
  }
  const all = [...byEnds.values()];
  if (all.length > most) all.sort((a, b) => b.weight - a.weight).splice(most);
  return { placed: all.sort((a, b) => a.state - b.state), dropped: byEnds.size - all.length };
}
