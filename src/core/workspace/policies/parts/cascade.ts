/** ACM's closure: a call goes with its results and they with it; a pin on one of them keeps them all. */
import type { Workspace } from '../../workspace';
import { roundOf } from './oldest-rounds';

export interface Closed {
  /** What really goes, in stream order. */
  effective: number[];
  /** What stays though it was asked for, or though its partner was: it or a partner is pinned, protected or of the last round. */
  refused: number[];
}

export class Cascade {
  constructor(private readonly ws: Workspace) {}

  /** Closes blocks of the visible stream; the rest is ignored. What the cascade adds is in `effective` too. */
  close(items: readonly number[]): Closed {
    const { ws } = this;
    const effective = new Set<number>();
    const refused = new Set<number>();
    for (const item of items) {
      if (!ws.isVisible(item) || effective.has(item) || refused.has(item)) continue;
      const round = roundOf(ws, item);
      const target = round.every((member) => ws.isFree(member) && !ws.isFresh(member)) ? effective : refused;
      for (const member of round) target.add(member);
    }
    const inOrder = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => ws.columns.slot.get(a) - ws.columns.slot.get(b));
    return { effective: inOrder(effective), refused: inOrder(refused) };
  }
}
