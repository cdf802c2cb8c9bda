/**
 * Use against age (evidence.md §1): how much of the evidence that calls used came from old blocks, in all and by block
 * kind. The essay (seed 002) holds that "the importance of context is highly non-uniform and not correlated with recency".
 */
import { BLOCK_KINDS, type BlockKind, type BlockTable } from '../trace/blocks-types';
import type { EvidenceIndex } from './types';

/**
 * Which of the blocks that hold a demanded string is its source. `newest`: the one a window must reach back to, at least
 * (an echo serves as well). `origin`: the first that held it and did not merely repeat it.
 */
export type SourceChoice = 'newest' | 'origin';
/** Kinds told apart: an error result is a kind of its own. */
export type AgeKind = BlockKind | 'error';

export interface AgeRow {
  /** Ages in steps, both included; age = step of the call − step the block was born in. */
  from: number;
  to: number;
  /** Weight of the demands whose source has such an age. */
  weight: number;
  demands: number;
  /** Blocks of such an age that calls could have used, summed over the calls. */
  blockSteps: number;
  /** weight ÷ blockSteps × 1 000: what a block of this age is worth to a call; null where there was none. */
  rate: number | null;
}

export interface UseByAge {
  source: SourceChoice;
  /** Weight in all, of demands that the system prompt or task does not satisfy; and of those it does. */
  weight: number;
  promptWeight: number;
  /** Weighted median age, steps; null without demands. */
  medianAge: number | null;
  /** Share of the weight whose source is in the older half of the blocks there were (½ if use did not depend on age); null without demands. */
  olderHalf: number | null;
  rows: AgeRow[];
  byKind: { kind: AgeKind; weight: number; medianAge: number | null; olderHalf: number | null; rows: AgeRow[] }[];
}

/** Linear in sources and blocks. Ages are gathered in powers of two: 0, 1, 2–3, 4–7, … */
export function evidenceByAge(evidence: EvidenceIndex, table: Pick<BlockTable, 'n' | 'kind' | 'bornStep' | 'isError'>, source: SourceChoice = 'newest'): UseByAge {
  const all = new Tally();
  const kinds = new Map<AgeKind, Tally>();
  const tallyOf = (kind: AgeKind): Tally => {
    let tally = kinds.get(kind);
    if (!tally) kinds.set(kind, (tally = new Tally()));
    return tally;
  };
  const candidates: number[] = [];
  for (let b = 0; b < table.n; b++) if (evidence.isPrompt[b] !== 1) candidates.push(b);
  for (const b of candidates) {
    const oldest = evidence.steps - (table.bornStep[b] ?? 1);
    all.expose(oldest);
    tallyOf(kindOf(table, b)).expose(oldest);
  }
  let promptWeight = 0;
  let born = 0;
  for (let step = 1; step <= evidence.steps; step++) {
    while (born < candidates.length && (table.bornStep[candidates[born] ?? 0] ?? 1) <= step) born++;
    // Blocks there are, by halves: the middle one of an odd number belongs to neither.
    const younger = candidates[Math.ceil(born / 2)] ?? Infinity;
    const older = candidates[Math.floor(born / 2)] ?? -1;
    for (let d = evidence.demandStart[step - 1] ?? 0; d < (evidence.demandStart[step] ?? 0); d++) {
      const weight = evidence.demandWeight[d] ?? 0;
      if (evidence.demandInPrompt[d] === 1) {
        promptWeight += weight;
        continue;
      }
      const b = sourceOf(evidence, d, source);
      if (b < 0) continue;
      const half = b < older ? 1 : b >= younger ? 0 : 0.5;
      const age = Math.max(0, step - (table.bornStep[b] ?? step));
      all.use(age, weight, half);
      tallyOf(kindOf(table, b)).use(age, weight, half);
    }
  }
  const bins = binsUpTo(evidence.steps);
  const byKind = [...kinds].map(([kind, tally]) => ({ kind, ...tally.finish(bins) })).filter(({ rows }) => rows.some(({ blockSteps }) => blockSteps > 0));
  byKind.sort((a, b) => b.weight - a.weight || a.kind.localeCompare(b.kind));
  return { source, promptWeight, ...all.finish(bins), byKind };
}

function sourceOf(evidence: EvidenceIndex, demand: number, choice: SourceChoice): number {
  const from = evidence.sourceStart[demand] ?? 0;
  const to = evidence.sourceStart[demand + 1] ?? 0;
  if (to <= from) return -1;
  if (choice === 'newest') return evidence.sources[to - 1] ?? -1;
  for (let s = from; s < to; s++) if (evidence.sourceIsEcho[s] === 0) return evidence.sources[s] ?? -1;
  return evidence.sources[from] ?? -1;
}

function kindOf(table: Pick<BlockTable, 'kind' | 'isError'>, block: number): AgeKind {
  const kind = BLOCK_KINDS[table.kind[block] ?? 0] ?? 'notice';
  return kind === 'tool_result' && table.isError[block] === 1 ? 'error' : kind;
}

interface Bin { from: number; to: number }

function binsUpTo(steps: number): Bin[] {
  const bins: Bin[] = [{ from: 0, to: 0 }];
  for (let from = 1; from < steps; from *= 2) bins.push({ from, to: from * 2 - 1 });
  return bins;
}

class Tally {
  private readonly weights: number[] = [];
  private readonly counts: number[] = [];
  /** Blocks that lived to an age, at that age: those of older ages are added up at the end. */
  private readonly lived: number[] = [];
  private total = 0;
  private older = 0;

  /** A block could be used at every age from 0 on. */
  expose(oldestAge: number): void {
    if (oldestAge >= 0) this.lived[oldestAge] = (this.lived[oldestAge] ?? 0) + 1;
  }

  use(age: number, weight: number, olderShare: number): void {
    this.weights[age] = (this.weights[age] ?? 0) + weight;
    this.counts[age] = (this.counts[age] ?? 0) + 1;
    this.total += weight;
    this.older += weight * olderShare;
  }

  finish(bins: readonly Bin[]): Pick<UseByAge, 'weight' | 'medianAge' | 'olderHalf' | 'rows'> {
    const ages = Math.max(this.lived.length, this.weights.length);
    // At age a there are all blocks that lived to a or longer.
    const there = new Float64Array(ages + 1);
    for (let age = ages - 1; age >= 0; age--) there[age] = (there[age + 1] ?? 0) + (this.lived[age] ?? 0);
    const sum = (column: ArrayLike<number | undefined>, { from, to }: Bin): number => {
      let out = 0;
      for (let age = from; age <= Math.min(to, ages - 1); age++) out += column[age] ?? 0;
      return out;
    };
    const rows = bins.map((bin): AgeRow => {
      const weight = sum(this.weights, bin);
      const blockSteps = sum(there, bin);
      return { ...bin, weight, demands: sum(this.counts, bin), blockSteps, rate: blockSteps > 0 ? (weight / blockSteps) * 1000 : null };
    });
    return { weight: this.total, medianAge: this.median(), olderHalf: this.total > 0 ? this.older / this.total : null, rows };
  }

  private median(): number | null {
    if (this.total <= 0) return null;
    let sum = 0;
    for (let age = 0; age < this.weights.length; age++) {
      sum += this.weights[age] ?? 0;
      if (sum >= this.total / 2) return age;
    }
    return this.weights.length - 1;
  }
}
