/** Status intervals of every block, gathered while a replay runs and packed by block at the end. */
import { growU16, growU32 } from '../base/growable';
import type { StatusHistory } from './types';

export class HistoryBuilder {
  private readonly item = growU32();
  private readonly step = growU32();
  private readonly status = growU16();
  private readonly pinned = growU16();
  /** Latest event of each block, plus one. */
  private latest = new Uint32Array(256);

  /** Several changes within one step leave the last one. */
  note(item: number, step: number, status: number, pinned: number): void {
    if (item >= this.latest.length) {
      const larger = new Uint32Array(Math.max(item + 1, this.latest.length * 2));
      larger.set(this.latest);
      this.latest = larger;
    }
    const last = (this.latest[item] ?? 0) - 1;
    if (last >= 0 && this.step.get(last) === step) {
      this.status.set(last, status);
      this.pinned.set(last, pinned);
      return;
    }
    this.latest[item] = this.item.push(item) + 1;
    this.step.push(step);
    this.status.push(status);
    this.pinned.push(pinned);
  }

  /** Counting sort by block; events of a block stay in step order. */
  finish(blocks: number): StatusHistory {
    const total = this.item.length;
    const start = new Uint32Array(blocks + 1);
    for (let e = 0; e < total; e++) start[this.item.get(e) + 1]! += 1;
    for (let i = 0; i < blocks; i++) start[i + 1]! += start[i]!;
    const at = start.slice(0, blocks);
    const history: StatusHistory = { start, step: new Uint32Array(total), status: new Uint8Array(total), pinned: new Uint8Array(total) };
    for (let e = 0; e < total; e++) {
      const to = at[this.item.get(e)]!++;
      history.step[to] = this.step.get(e);
      history.status[to] = this.status.get(e);
      history.pinned[to] = this.pinned.get(e);
    }
    return history;
  }
}
