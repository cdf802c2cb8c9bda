import { modifierName } from '../shared/modifier';
import { OPERATION_WORDS } from './asked';
import type { ManualControls } from './use-manual';
import type { ScenarioOp } from '../../core/workspace/scenario/types';

/** Undo and redo of the scenario in use, saying what would be taken back. */
export function UndoButtons({ controls: { scenarios, undo, redo } }: { controls: ManualControls }) {
  const edit = scenarios.active?.edit;
  const back = edit?.past.at(-1);
  const on = edit?.future.at(-1);
  return (
    <span className="undo-buttons" role="group" aria-label="Manual scenario: undo and redo">
      <button type="button" className="quiet square" disabled={back === undefined} aria-label="Undo" title={back === undefined ? 'Nothing to undo' : `Undo: ${differenceWords(back, edit?.ops ?? [])}  ${modifierName()} Z`} onClick={undo}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M4.500 1.500 1.500 4.500l3 3M2 4.500h5a3 3 0 0 1 0 6H4" fill="none" stroke="currentColor" strokeWidth="1.300" /></svg>
      </button>
      <button type="button" className="quiet square" disabled={on === undefined} aria-label="Redo" title={on === undefined ? 'Nothing to redo' : `Redo: ${differenceWords(edit?.ops ?? [], on)}  ${modifierName()} Shift Z`} onClick={redo}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="m7.500 1.500 3 3-3 3M10 4.500H5a3 3 0 0 0 0 6h3" fill="none" stroke="currentColor" strokeWidth="1.300" /></svg>
      </button>
    </span>
  );
}

/** "archive at step 12", "2 operations", in words of the change from one list to the next. */
function differenceWords(from: readonly ScenarioOp[], to: readonly ScenarioOp[]): string {
  const added = to.filter((op) => !from.includes(op));
  const removed = from.filter((op) => !to.includes(op));
  const [one] = added.length > 0 ? added : removed;
  if (one === undefined) return 'no change';
  const n = Math.max(added.length, removed.length);
  const what = n === 1 ? `${OPERATION_WORDS[one.op].toLowerCase()} at step ${one.step}` : `${n} operations`;
  return added.length > 0 ? what : `removing ${what}`;
}
