/** Replacement of stand-ins by fewer ones: handles and placeholders are archived again, one level up. */
import { archive, levelOver, NONE, type By } from '../../operations';
import type { Workspace } from '../../workspace';

/** What a row of the dashboard takes, about. */
const ROW_TOKENS = 20;

export class StandIns {
  /** Handles and placeholders in order of making; some may be gone. */
  private items: number[] = [];
  private tokens = 0;

  /** `putAway`: how they are replaced; into the archive unless said otherwise. */
  constructor(private readonly ws: Workspace, private readonly putAway: typeof archive = archive) {}

  add(item: number): void {
    if (item === NONE) return;
    this.items.push(item);
    this.tokens += this.shareOf(item);
  }

  /** Tokens, rows of the dashboard included, of those made so far that are still shown (exact after `bundleOlderHalf`, else an upper bound). */
  get size(): number {
    return this.tokens;
  }

  /** Puts the older half (at least two) behind one handle. False when fewer than two are left. */
  bundleOlderHalf(by: By): boolean {
    const { ws } = this;
    const shown = this.items.filter((item) => ws.isFree(item));
    const taken = shown.slice(0, Math.max(2, Math.ceil(shown.length / 2)));
    this.items = shown;
    this.recount();
    if (taken.length < 2) return false;
    const handle = this.putAway(ws, taken, by, `bundle of level ${levelOver(ws, taken)}`);
    this.items = handle === NONE ? shown : [handle, ...shown.slice(taken.length)];
    this.recount();
    return handle !== NONE;
  }

  private recount(): void {
    this.tokens = 0;
    for (const item of this.items) this.tokens += this.shareOf(item);
  }

  private shareOf(item: number): number {
    return this.ws.costOf(item) + (this.ws.listsBlocks ? ROW_TOKENS : 0);
  }
}
