/** One checkpoint made ready for measuring: rows, protection, targets. What the sweeps and the corpus tables start from. */
import type { Matrix } from '../numerics/matrix';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { complete, type Completion } from './completion';
import { CAPACITY, COVERAGE_TARGET } from './constants';
import type { BlockDetection } from './detect-block';
import type { Targets } from './metrics';
import { protect, type Protection, type ProtectionInput } from './protection';
import type { SelectionInput } from './selection-input';
import { lazyGram } from './selectors';

export interface CheckpointView {
  /** Unit rows of the n blocks. */
  rows: Matrix;
  gram: () => Float64Array;
  evidence: ProtectionInput;
  protection: Protection;
  targets: Targets;
  /** Of every block's selection text. */
  sizes: readonly { tokens: number; chars: number }[];
  seed: number;
}

/** What a view is made of; all vectors of unit length or zero. */
export interface CheckpointParts {
  rows: Matrix;
  /** Leading n × n entries of a larger Gram matrix, where one is at hand. */
  gram?: () => Float64Array;
  detections: readonly BlockDetection[];
  sizes: readonly { tokens: number; chars: number }[];
  goal: Float64Array | null;
  stateQuery: Float64Array | null;
  stateQueryText: string;
  action: Float64Array | null;
  final: Float64Array | null;
  seed: number;
}

export function checkpointView(parts: CheckpointParts): CheckpointView {
  const { rows, detections, goal, stateQuery, stateQueryText, action, final, sizes, seed } = parts;
  const evidence: ProtectionInput = { rows, detections, goal, stateQuery, stateQueryText };
  return { rows, gram: parts.gram ?? lazyGram(rows), evidence, protection: protect(evidence), targets: { action, final, goal }, sizes, seed };
}

/** The same from the input of a select report. */
export function viewOfInput(input: SelectionInput, seed: number): CheckpointView {
  const n = input.blocks.length;
  const unit = (vector: Float32Array | null): Float64Array | null => vector && unitVector(vector);
  return checkpointView({
    rows: unitRows(input.vectors, n, input.encoder.dim),
    detections: input.blocks.map((block) => block.detection),
    sizes: input.blocks.map(({ tokens, chars }) => ({ tokens, chars })),
    goal: unit(input.goal), stateQuery: unit(input.stateQuery), stateQueryText: input.stateQueryText,
    action: unit(input.action), final: unit(input.final), seed,
  });
}

/** The evidence core at its natural size: gem with capacity K and target τ (gem.md §8). */
export function naturalCore({ rows, protection }: CheckpointView, capacity = CAPACITY, tau = COVERAGE_TARGET): Completion {
  return complete(rows, protection.all, { capacity, tau });
}

/** The Gram matrix of the first n of `total` blocks, cut out of the whole when asked for. */
export function leadingGram(gram: () => Float64Array, total: number, n: number): () => Float64Array {
  return () => {
    const whole = gram();
    if (n === total) return whole;
    const out = new Float64Array(n * n);
    for (let i = 0; i < n; i++) out.set(whole.subarray(i * total, i * total + n), i * n);
    return out;
  };
}
