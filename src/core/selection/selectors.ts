/**
 * The selectors of gem.md §10, one table. Each gets the rows so far, the protected set, a number of blocks and the
 * goal; none sees the next action or the final state.
 */
import { bestIndex, bestIndices } from '../numerics/best-index';
import { gramMatrix } from '../numerics/gram-matrix';
import { rowOf, type Matrix } from '../numerics/matrix';
import { purposeStream } from '../numerics/random-stream';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { completeFromGram } from './cholesky-completion';
import { complete } from './completion';
import { completeByGain } from './gain-completion';
import { liveRows } from './live-rows';
import { PROTECTION_GROUPS, type Pick, type ProtectionGroup } from './types';

export interface SelectorContext {
  rows: Matrix;
  /** n × n Gram matrix of the rows; computed when first asked for. */
  gram: () => Float64Array;
  /** Protected set, in index order. */
  start: readonly number[];
  /** Number of blocks wanted. */
  k: number;
  goal: Float64Array | null;
  seed: number;
}

/** `kept` in order of choice; `picks` without protected blocks, null where the rule has no order of choice. */
export interface Selected { kept: number[]; picks: Pick[] | null; exhausted: boolean }

export interface Selector {
  id: string;
  title: string;
  /** What a reader should know before comparing it. */
  description: string;
  /** gem and its ablations return short or ambiguous histories unchanged, as deployed. */
  deployed: boolean;
  /** Groups that protect its start set; empty = starts from nothing. */
  groups: readonly ProtectionGroup[];
  select(context: SelectorContext): Selected;
}

const NO_STOP = 2;
/** Largest run for which two n × n matrices (2 × 18 MB) are held. */
export const MAX_GRAM_ROWS = 1_500;

function completed(rows: Matrix, start: readonly number[], k: number): Selected {
  const { kept, picks, stop } = complete(rows, start, { capacity: k, tau: NO_STOP });
  return { kept, picks, exhausted: stop === 'exhausted' };
}

const unordered = (kept: number[], k: number): Selected => ({ kept, picks: null, exhausted: kept.length < k });
const indices = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function kCenter({ rows, start, k }: SelectorContext): Selected {
  const kept = start.length > 0 ? [...start] : rows.rows > 0 ? [rows.rows - 1] : [];
  const distance = new Float64Array(rows.rows).fill(Infinity);
  const products = new Float64Array(rows.rows);
  const approach = (j: number): void => {
    rowsTimesVector(rows, rowOf(rows, j), products);
    for (let i = 0; i < distance.length; i++) distance[i] = Math.min(distance[i]!, 1 - products[i]!);
  };
  kept.forEach(approach);
  const open = new Set(liveRows(rows));
  for (const j of kept) open.delete(j);
  while (kept.length < k && open.size > 0) {
    const j = bestIndex(distance, [...open]);
    kept.push(j);
    open.delete(j);
    approach(j);
  }
  return unordered(kept, k);
}

function randomCompletion({ rows, start, k, seed }: SelectorContext): Selected {
  const set = new Set(start);
  const others = indices(rows.rows).filter((i) => !set.has(i));
  const drawn = purposeStream(seed, 'random-completion', rows.rows).sample(others, k - start.length);
  return unordered([...start, ...drawn], k);
}

function maxGain({ rows, gram, start, k }: SelectorContext): Selected {
  const { kept, picks, stop } = rows.rows > MAX_GRAM_ROWS
    ? completeByGain(rows, start, k)
    : completeFromGram(gram(), rows.rows, start, { capacity: k, tau: NO_STOP }, 'gain');
  return { kept, picks, exhausted: stop === 'exhausted' };
}

function relevance({ rows, goal, k }: SelectorContext): Selected {
  const scores = new Float64Array(rows.rows);
  if (goal) rowsTimesVector(rows, goal, scores);
  return unordered(bestIndices(scores, liveRows(rows), k), k);
}

function uniform({ rows, k }: SelectorContext): Selected {
  const count = Math.min(k, rows.rows);
  return unordered(Array.from({ length: count }, (_, i) => Math.floor(((2 * i + 1) * rows.rows) / (2 * count))), k);
}

const all = PROTECTION_GROUPS;
const gem = ({ rows, start, k }: SelectorContext): Selected => completed(rows, start, k);

const MAIN: Selector[] = [
  { id: 'gem', title: 'GEM', description: 'Protected evidence, then the largest residual. Greedy, not optimal.', deployed: true, groups: all, select: gem },
  { id: 'geometry', title: 'Geometry only', description: 'Largest residual from nothing; no protection.', deployed: false, groups: [], select: gem },
  { id: 'random', title: 'Random completion', description: 'Protected evidence, then a seeded sample.', deployed: false, groups: all, select: randomCompletion },
  { id: 'recency', title: 'Newest', description: 'The newest k blocks.', deployed: false, groups: [], select: ({ rows, k }) => unordered(indices(rows.rows).slice(Math.max(0, rows.rows - k)), k) },
  { id: 'uniform', title: 'Evenly spaced', description: 'k blocks spread evenly over the run.', deployed: false, groups: [], select: uniform },
  { id: 'max-gain', title: 'Largest gain', description: 'Protected evidence, then the block that raises coverage most.', deployed: false, groups: all, select: maxGain },
  { id: 'k-center', title: 'Farthest first', description: 'Protected evidence, then the block farthest from all kept.', deployed: false, groups: all, select: kCenter },
  { id: 'relevance', title: 'Nearest to goal', description: 'The k blocks nearest to the goal; no protection.', deployed: false, groups: [], select: relevance },
  { id: 'random-all', title: 'Random', description: 'k blocks at random; no protection.', deployed: false, groups: [], select: ({ rows, k, seed }) => unordered(purposeStream(seed, 'random-all', rows.rows).sample(indices(rows.rows), k), k) },
];

const ABLATIONS: Selector[] = PROTECTION_GROUPS.map((group) => ({
  id: `gem-${group}`, title: `GEM without ${group}`, description: `GEM with the ${group} group of the protection left out.`,
  deployed: true, groups: all.filter((other) => other !== group), select: gem,
}));

/** Every selector, in the order they are shown. */
export const SELECTORS: readonly Selector[] = [...MAIN, ...ABLATIONS];

/** The nine of the comparison, without the ablations: what `all` means. */
export const COMPARED_SELECTORS: readonly string[] = MAIN.map((selector) => selector.id);

export function selectorById(id: string): Selector | undefined {
  return SELECTORS.find((selector) => selector.id === id);
}

/** A Gram matrix that is computed once, when first needed. */
export function lazyGram(rows: Matrix): () => Float64Array {
  let gram: Float64Array | null = null;
  return () => (gram ??= gramMatrix(rows));
}
