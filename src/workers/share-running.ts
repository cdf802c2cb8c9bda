/** Callers that ask the same while it is being answered get the same promise. Nothing is kept after it settles. */
export class ShareRunning {
  private readonly running = new Map<string, Promise<unknown>>();

  run<T>(key: string, start: () => Promise<T>): Promise<T> {
    const known = this.running.get(key);
    if (known) return known as Promise<T>;
    const promise = start();
    this.running.set(key, promise);
    const forget = (): void => {
      if (this.running.get(key) === promise) this.running.delete(key);
    };
    promise.then(forget, forget);
    return promise;
  }
}
