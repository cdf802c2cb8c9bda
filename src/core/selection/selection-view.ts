/** A line's selection columns made ready for arithmetic; what any rule asks at a step is computed once and kept. */
import { firstRows, type Matrix } from '../numerics/matrix';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { leadingGram } from './checkpoint-view';
import type { ForwardRequest } from './forwarding';
import type { LineSelection } from './line-selection';
import { isZero } from './live-rows';
import { protect, type ProtectionInput } from './protection';
import { lazyGram } from './selectors';
import type { ProtectionGroup } from './types';

const views = new WeakMap<LineSelection, SelectionView>();

/** One view a selection, for as long as that is held. */
export function viewOf(selection: LineSelection): SelectionView {
  let view = views.get(selection);
  if (!view) views.set(selection, (view = new SelectionView(selection)));
  return view;
}

export class SelectionView {
  /** Unit rows of all blocks; a rule at step t takes the first `complete[t - 1]`. */
  readonly rows: Matrix;
  private readonly gram: () => Float64Array;
  private readonly units = new Map<number, Float64Array | null>();
  private readonly groups = new Map<number, Record<ProtectionGroup, number[]>>();
  /** Kept for other rules and budgets over the same line (forwarding-plan.ts). */
  readonly plans = new Map<string, unknown>();

  constructor(readonly selection: LineSelection) {
    const { vectors, n, encoder } = selection;
    this.rows = unitRows(vectors, n, encoder.dim);
    this.gram = lazyGram(this.rows);
  }

  rowsAt(step: number): Matrix {
    return firstRows(this.rows, this.selection.complete[step - 1] ?? 0);
  }

  gramAt(step: number): () => Float64Array {
    return leadingGram(this.gram, this.rows.rows, this.selection.complete[step - 1] ?? 0);
  }

  /** Unit vector of a text by its index; null = the text is empty or has none. */
  textVector(index: number): Float64Array | null {
    let unit = this.units.get(index);
    if (unit === undefined) {
      const { encoder, textVectors } = this.selection;
      const made = unitVector(textVectors.subarray(index * encoder.dim, (index + 1) * encoder.dim));
      this.units.set(index, (unit = isZero(made) ? null : made));
    }
    return unit;
  }

  /** What stands before call `step`, from 1. */
  request(step: number): ForwardRequest {
    const { selection } = this;
    const row = step - 1;
    const goal = selection.goal[row] ?? 0;
    const stateQuery = selection.stateQuery[row] ?? 0;
    return {
      position: selection.position[row] ?? 0, n: selection.complete[row] ?? 0, prefixChars: selection.prefixChars[row] ?? 0,
      goalText: selection.texts[goal] ?? '', goal: this.textVector(goal),
      stateQueryText: selection.texts[stateQuery] ?? '', stateQuery: this.textVector(stateQuery),
    };
  }

  /** The protected blocks of a step in these groups, in index order. */
  protectedAt(step: number, groups: readonly ProtectionGroup[]): number[] {
    let found = this.groups.get(step);
    if (!found) {
      const input: ProtectionInput = { ...this.request(step), rows: this.rowsAt(step), detections: this.selection.detections };
      this.groups.set(step, (found = protect(input).groups));
    }
    const all = new Set<number>();
    for (const group of groups) for (const index of found[group]) all.add(index);
    return [...all].sort((a, b) => a - b);
  }
}
