/** What managing costs (policies.md): each management turn is one more call; its input is the context then. */
import type { ReplaySteps } from './types';

export class Management {
  calls = 0;
  tokens = 0;
  /** New content by step: generated in management turns and read back by them. */
  private readonly fresh = new Map<number, number>();

  /** `steps`: where the input and output of the calls are kept by step. */
  constructor(private readonly steps: Pick<ReplaySteps, 'managementInput' | 'managementOutput'>) {}

  charge(step: number, inputTokens: number, outputTokens: number, readTokens = 0): void {
    this.calls += 1;
    this.tokens += inputTokens + outputTokens;
    this.steps.managementInput[step - 1]! += inputTokens;
    this.steps.managementOutput[step - 1]! += outputTokens;
    this.fresh.set(step, this.newTokensAt(step) + outputTokens + readTokens);
  }

  /** Counts towards a total budget. */
  newTokensAt(step: number): number {
    return this.fresh.get(step) ?? 0;
  }
}
