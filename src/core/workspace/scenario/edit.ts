/** Editing a scenario: every change makes a new list, so that undo is the list before. */
import type { ScenarioOp } from './types';

export interface EditState {
  readonly ops: readonly ScenarioOp[];
  /** Lists before each change, oldest first. */
  readonly past: readonly (readonly ScenarioOp[])[];
  /** Lists that undo left, the next one to redo last. */
  readonly future: readonly (readonly ScenarioOp[])[];
}

/** Changes that can be undone; older ones are final. */
const KEPT_CHANGES = 500;

export const startEditing = (ops: readonly ScenarioOp[]): EditState => ({ ops, past: [], future: [] });

export function change(state: EditState, ops: readonly ScenarioOp[]): EditState {
  return { ops, past: [...state.past, state.ops].slice(-KEPT_CHANGES), future: [] };
}

/** The same state where there is nothing to undo. */
export function undo(state: EditState): EditState {
  const before = state.past.at(-1);
  return before === undefined ? state : { ops: before, past: state.past.slice(0, -1), future: [...state.future, state.ops] };
}

export function redo(state: EditState): EditState {
  const next = state.future.at(-1);
  return next === undefined ? state : { ops: next, past: [...state.past, state.ops], future: state.future.slice(0, -1) };
}

/** After those of its step and of earlier ones. */
export function withOp(ops: readonly ScenarioOp[], op: ScenarioOp): ScenarioOp[] {
  const at = ops.findIndex(({ step }) => step > op.step);
  return at < 0 ? [...ops, op] : [...ops.slice(0, at), op, ...ops.slice(at)];
}

export const withoutOp = (ops: readonly ScenarioOp[], id: string): ScenarioOp[] => ops.filter((op) => op.id !== id);

/** The next free id of the form `a1`, `a2` …: short, for names of blocks hold it. */
export function freshId(ops: readonly ScenarioOp[]): string {
  let most = 0;
  for (const { id } of ops) most = Math.max(most, Number(/^a(\d{1,9})$/.exec(id)?.[1] ?? 0));
  return `a${most + 1}`;
}
