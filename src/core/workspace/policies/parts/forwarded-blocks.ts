/**
 * Replacement of forwarding policies (gem.md §8): an interaction block goes whole, a call with all its results, with
 * nothing in its place; the harness still has it, so a later request may carry it again, where it stood.
 */
import { KIND } from '../../kinds';
import { remove, showAgain, type By } from '../../operations';
import type { LineSelection } from '../../../selection/line-selection';
import type { Workspace } from '../../workspace';

export class ForwardedBlocks {
  /** Interaction block → base block of its assistant message; −1 = the table has none. */
  private readonly callOf: Int32Array;
  private readonly leftOut = new Map<number, readonly number[]>();

  constructor(private readonly ws: Workspace, selection: LineSelection) {
    const { table } = ws.columns;
    const baseOf = new Map<number, number>();
    for (let base = 0; base < table.n; base++) if (table.kind[base] === KIND.assistant) baseOf.set(table.messageIndex[base] ?? 0, base);
    this.callOf = Int32Array.from(selection.assistant, (position) => baseOf.get(position) ?? -1);
  }

  /** Replay index of the block's call; −1 = not in the stream yet. */
  item(index: number): number {
    return this.ws.columns.itemOfBase[this.callOf[index] ?? -1] ?? -1;
  }

  /** What of the block is shown now, in order. */
  shown(index: number): number[] {
    const call = this.item(index);
    return call < 0 ? [] : this.ws.marks.exchange(call);
  }

  leaveOut(index: number, by: By): void {
    const items = this.shown(index);
    if (items.length > 0 && remove(this.ws, 'clear', items, by)) this.leftOut.set(index, items);
  }

  bringBack(index: number, by: By): void {
    const items = this.leftOut.get(index);
    if (!items) return;
    this.leftOut.delete(index);
    showAgain(this.ws, items, by);
  }
}
