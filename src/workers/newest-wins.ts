import { ContextscopeError } from '../core/base/errors';

interface Job {
  start(signal: AbortSignal): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
  controller: AbortController;
}

/**
 * Lanes of interactive work: in each, at most one job runs and one waits. A newer job rejects the older ones with
 * `cancelled` at once and starts when the running one has really ended, so that a worker never works through a queue
 * of answers nobody wants. The newest job reports its own error as usual.
 */
export class NewestWins {
  private readonly lanes = new Map<string, { running: Job; waiting?: Job }>();

  run<T>(lane: string, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job: Job = { start, resolve: resolve as (value: unknown) => void, reject, controller: new AbortController() };
      const busy = this.lanes.get(lane);
      if (!busy) return this.begin(lane, job);
      if (busy.waiting) busy.waiting.reject(superseded());
      else {
        busy.running.reject(superseded());
        busy.running.controller.abort();
      }
      busy.waiting = job;
    });
  }

  private begin(lane: string, job: Job): void {
    const entry: { running: Job; waiting?: Job } = { running: job };
    this.lanes.set(lane, entry);
    // A job that was superseded has been rejected already: settling it again does nothing.
    job
      .start(job.controller.signal)
      .then(job.resolve, job.reject)
      .finally(() => {
        this.lanes.delete(lane);
        if (entry.waiting) this.begin(lane, entry.waiting);
      });
  }
}

function superseded(): ContextscopeError {
  return new ContextscopeError('cancelled', 'Superseded by a newer request.');
}
