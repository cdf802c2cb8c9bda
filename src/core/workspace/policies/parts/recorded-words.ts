/** Summaries that the record holds: used for the blocks that the recorded manager summarised, from its step on. */
import type { RecordedOp } from '../../types';
import type { Workspace } from '../../workspace';

/** Words of a record of their own, or a block of the stream that holds them. */
export type Found = { text: string } | { block: number };

export class RecordedWords {
  private readonly ops: readonly RecordedOp[];
  private next = 0;
  /** Base block → index of the recorded summary that took it out; -1 = none so far. */
  private readonly coveredBy: Int32Array;

  constructor(private readonly ws: Workspace, recorded: readonly RecordedOp[]) {
    this.ops = recorded.filter((op) => op.op === 'summarise' && (op.summaryBlock !== undefined || op.text !== undefined)).sort((a, b) => a.step - b.step);
    this.coveredBy = new Int32Array(this.ops.length > 0 ? ws.columns.table.n : 0).fill(-1);
  }

  /** Recorded words for blocks that all were summarised: the latest summary over them, which tells of the earlier ones too; null = there are none (yet). */
  find(items: readonly number[]): Found | null {
    if (this.ops.length === 0) return null;
    const { ws } = this;
    for (let op = this.ops[this.next]; op && op.step <= ws.step; op = this.ops[++this.next]) for (const block of op.blocks) this.coveredBy[block] = this.next;
    let by = -1;
    for (const item of items) {
      const base = ws.columns.base.get(item);
      if (base < 0) continue;
      const covered = this.coveredBy[base] ?? -1;
      if (covered < 0) return null;
      by = Math.max(by, covered);
    }
    const op = this.ops[by];
    if (!op) return null;
    if (op.text !== undefined) return { text: op.text };
    const block = ws.columns.itemOfBase[op.summaryBlock ?? -1] ?? -1;
    return block >= 0 && ws.isVisible(block) && !items.includes(block) ? { block } : null;
  }
}
