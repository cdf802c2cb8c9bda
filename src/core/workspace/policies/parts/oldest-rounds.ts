/** Choice: the oldest rounds (a call with its results, or a single message), never the system prompt, the task or the last round. */
import { KIND } from '../../kinds';
import { remove, type By } from '../../operations';
import type { Workspace } from '../../workspace';

export class OldestRounds {
  constructor(private readonly ws: Workspace) {}

  /**
   * Trims round by round while `goOn()`; stops at the last round, or at blocks born after `lastBorn`. Summaries hold what
   * went before, so they go last. Costs what is taken out and the few old blocks that may not be.
   */
  trimWhile(goOn: () => boolean, by: By, lastBorn = Infinity): void {
    for (const summariesToo of [false, true]) if (goOn()) this.pass(goOn, by, lastBorn, summariesToo);
  }

  private pass(goOn: () => boolean, by: By, lastBorn: number, summariesToo: boolean): void {
    const { ws } = this;
    let slot = ws.stream.head;
    while (slot >= 0 && goOn()) {
      // Slots are in order of birth, so the last round is the rest of the stream.
      const born = ws.columns.bornStep.get(slot);
      if (born >= ws.step || born > lastBorn) return;
      const item = ws.stream.at(slot);
      const before = ws.stream.before(slot);
      if (ws.isFree(item) && (summariesToo || ws.columns.kind.get(item) !== KIND.summary)) {
        const round = roundOf(ws, item);
        // A result may arrive rounds after its call.
        if (round.every((member) => ws.isFree(member) && !ws.isFresh(member))) remove(ws, 'trim', round, by);
      }
      // Parts of the round may have stood anywhere to the right, hence on from the left neighbour.
      slot = ws.stream.at(slot) >= 0 ? ws.stream.after(slot) : before < 0 ? ws.stream.head : ws.stream.after(before);
    }
  }
}

/** A call with all its results, or the block alone: what goes together so that no tool message is orphaned. */
export function roundOf(ws: Workspace, item: number): number[] {
  const call = ws.marks.callOf(ws.columns.slot.get(item));
  return call < 0 ? [item] : ws.marks.exchange(call);
}
