/** Choice: the oldest rounds (a call with its results, or a single message), never the system prompt, the task or the last round. */
import { remove, type By } from '../../operations';
import type { Workspace } from '../../workspace';

export class OldestRounds {
  private slot = 0;

  constructor(private readonly ws: Workspace) {}

  /** Trims round by round while `goOn()`; stops at the last round, or at blocks born after `lastBorn`. */
  trimWhile(goOn: () => boolean, by: By, lastBorn = Infinity): void {
    const { ws } = this;
    // Two passes: a slot passed over earlier may hold something that came back or was unpinned since.
    for (let pass = 0; pass < 2 && goOn(); pass++) {
      if (pass === 1) this.slot = 0;
      for (; this.slot < ws.columns.n && goOn(); this.slot++) {
        // Slots are in order of birth, so the last round is the rest of the stream.
        const born = ws.columns.bornStep.get(this.slot);
        if (born >= ws.step || born > lastBorn) return;
        const item = ws.stream.at(this.slot);
        if (item < 0 || !ws.isFree(item)) continue;
        const round = roundOf(ws, item);
        // A result may arrive rounds after its call.
        if (round.every((member) => ws.isFree(member) && !ws.isFresh(member))) remove(ws, 'trim', round, by);
      }
    }
  }
}

/** A call with all its results, or the block alone: what goes together so that no tool message is orphaned. */
export function roundOf(ws: Workspace, item: number): number[] {
  const call = ws.marks.callOf(ws.columns.slot.get(item));
  return call < 0 ? [item] : ws.marks.exchange(call);
}
