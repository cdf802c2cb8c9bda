import type { Progress } from './api';
import type { CorpusItem, CorpusItemState } from './corpus-api';
import { paced } from './pace';

/** Sums the states of all items up to one progress line; items weigh what they are long. */
export class CorpusProgress {
  private readonly shares: Float64Array;
  private readonly weights: Float64Array;
  private readonly total: number;
  private finished = 0;
  private failed = 0;
  /** Work that was found done: it says nothing about the pace. */
  private found = 0;
  private readonly startedMs = performance.now();
  private readonly emit: ((progress: Progress) => void) | undefined;

  constructor(items: readonly CorpusItem[], onProgress?: (progress: Progress) => void) {
    this.shares = new Float64Array(items.length);
    this.weights = Float64Array.from(items, ({ size }) => Math.max(1, size));
    this.total = this.weights.reduce((sum, weight) => sum + weight, 0);
    this.emit = onProgress && paced(onProgress);
    this.say();
  }

  note(index: number, state: CorpusItemState): void {
    const weight = this.weights[index]!;
    if (state.state === 'running') this.shares[index] = state.share;
    else if (state.state !== 'waiting') {
      this.shares[index] = 1;
      this.finished++;
      if (state.state === 'failed') this.failed++;
      else if (state.reused) this.found += weight;
    }
    this.say();
  }

  reducing(): void {
    this.emit?.({ label: 'Tables of the corpus', done: this.shares.length, total: this.shares.length, unit: 'runs', detail: 'bootstrap and tests', secondsLeft: NaN });
  }

  private say(): void {
    let done = 0;
    for (let i = 0; i < this.shares.length; i++) done += this.shares[i]! * this.weights[i]!;
    const worked = done - this.found;
    const spent = (performance.now() - this.startedMs) / 1000;
    const secondsLeft = worked > 0 && spent > 1 ? (spent * (this.total - done)) / worked : NaN;
    const detail = this.failed > 0 ? `${this.failed} could not be read` : undefined;
    this.emit?.({ label: 'Corpus', done: this.finished, total: this.shares.length, unit: 'runs', secondsLeft, ...(detail === undefined ? {} : { detail }) });
  }
}
