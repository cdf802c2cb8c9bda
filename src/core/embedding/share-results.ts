import { isCancelled, throwIfCancelled } from '../base/errors';
import type { Encoder } from './types';

/**
 * Lets jobs that run at the same time use each other's vectors, so that two views of one run never embed a text twice:
 * a second request for a text waits for the first. Results are held while a job is open; after that the cache has them.
 */
export class SharedResults {
  private readonly known = new Map<string, ReturnType<Encoder['embed']>>();
  private openJobs = 0;

  /** An encoder over `encoder`, and `close`, to be called once when the job ends. */
  open(encoder: Encoder): { encoder: Encoder; close: () => void } {
    this.openJobs++;
    let closed = false;
    return {
      encoder: { spec: encoder.spec, embed: (text, signal) => this.embed(encoder, text, signal), dispose: () => encoder.dispose() },
      close: () => {
        if (closed) return;
        closed = true;
        this.openJobs--;
        if (this.openJobs === 0) this.known.clear();
      },
    };
  }

  private async embed(encoder: Encoder, text: string, signal?: AbortSignal): ReturnType<Encoder['embed']> {
    for (;;) {
      throwIfCancelled(signal);
      const running = this.known.get(text);
      if (running === undefined) return this.start(encoder, text, signal);
      try {
        return await running;
      } catch (error) {
        // The other job was cancelled in the middle of this text: take it over. Its entry is gone already.
        if (!isCancelled(error)) throw error;
      }
    }
  }

  private start(encoder: Encoder, text: string, signal?: AbortSignal): ReturnType<Encoder['embed']> {
    const running = encoder.embed(text, signal).catch((error: unknown) => {
      // Never keep a rejected promise: the next request tries again.
      this.known.delete(text);
      throw error;
    });
    this.known.set(text, running);
    return running;
  }
}
