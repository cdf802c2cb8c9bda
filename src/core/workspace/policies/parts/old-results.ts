/** Choice: tool results in order of birth, beyond the newest so many (results, tokens or turns). */
import { KIND } from '../../kinds';
import type { Workspace } from '../../workspace';
import { toolOf } from './block-words';

export class OldResults {
  private readonly results: number[] = [];
  private next = 0;
  /** Tokens of the results from `next` on. */
  private newTokens = 0;
  private pending: number[] = [];
  private pendingSum = 0;

  constructor(private readonly ws: Workspace, private readonly accepts: (tool: string, item: number) => boolean = () => true) {}

  add(items: readonly number[]): void {
    const { ws } = this;
    for (const item of items) {
      if (ws.columns.kind.get(item) !== KIND.tool_result || !this.accepts(toolOf(ws, item), item)) continue;
      this.results.push(item);
      this.newTokens += ws.columns.tokens.get(item);
    }
  }

  /** Results beyond the newest `count` are old from now on. */
  beyondCount(count: number): this {
    while (this.results.length - this.next > count) this.ripen();
    return this;
  }

  /** Results before the newest ones of `tokens` together are old from now on. */
  beyondTokens(tokens: number): this {
    while (this.next < this.results.length && this.newTokens - this.tokensOf(this.next) >= tokens) this.ripen();
    return this;
  }

  /** Results born up to `lastBorn` are old from now on. */
  bornUpTo(lastBorn: number): this {
    while (this.next < this.results.length && this.ws.columns.bornStep.get(this.results[this.next] ?? 0) <= lastBorn) this.ripen();
    return this;
  }

  /** Results up to this block are old from now on. */
  upTo(item: number): this {
    while (this.next < this.results.length && (this.results[this.next] ?? 0) <= item) this.ripen();
    return this;
  }

  /** Tokens of the old ones that were not taken yet. */
  get pendingTokens(): number {
    return this.pendingSum;
  }

  get pendingCount(): number {
    return this.pending.length;
  }

  /** Takes the old ones, oldest first, while `goOn()`. Those of the last round wait; what has left the stream is forgotten. */
  take(visit: (item: number) => void, goOn: () => boolean = () => true): void {
    const { ws } = this;
    const later: number[] = [];
    for (const item of this.pending) {
      if (!ws.isVisible(item)) this.pendingSum -= ws.columns.tokens.get(item);
      else if (!goOn() || !ws.isFree(item) || ws.isFresh(item)) later.push(item);
      else {
        this.pendingSum -= ws.columns.tokens.get(item);
        visit(item);
      }
    }
    this.pending = later;
  }

  private ripen(): void {
    const item = this.results[this.next] ?? 0;
    this.newTokens -= this.tokensOf(this.next);
    this.next += 1;
    this.pending.push(item);
    this.pendingSum += this.ws.columns.tokens.get(item);
  }

  private tokensOf(at: number): number {
    return this.ws.columns.tokens.get(this.results[at] ?? 0);
  }
}
