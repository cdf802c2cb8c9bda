/** What managing costs (policies.md): each management turn is one more call; its input is the context then. */
export class Management {
  calls = 0;
  tokens = 0;
  /** New content by step: generated in management turns and read back by them. */
  private readonly fresh = new Map<number, number>();

  charge(step: number, inputTokens: number, outputTokens: number, readTokens = 0): void {
    this.calls += 1;
    this.tokens += inputTokens + outputTokens;
    this.fresh.set(step, this.newTokensAt(step) + outputTokens + readTokens);
  }

  /** Counts towards a total budget. */
  newTokensAt(step: number): number {
    return this.fresh.get(step) ?? 0;
  }
}
