/**
 * Which call a result answers: per id a queue of open calls, the result takes the oldest (formats.md §0). Calls and results
 * without an id share one queue, so they pair in order. A result before or without its call answers nothing.
 */
export class CallQueue<T> {
  private readonly open = new Map<string, T[]>();
  private readonly everUsed = new Set<string>();
  /** Some id was given to two calls. */
  clash = false;

  call(id: string, value: T): void {
    if (id !== '') {
      if (this.everUsed.has(id)) this.clash = true;
      this.everUsed.add(id);
    }
    const queue = this.open.get(id);
    if (queue) queue.push(value);
    else this.open.set(id, [value]);
  }

  answer(id: string): T | undefined {
    const queue = this.open.get(id);
    const value = queue?.shift();
    if (queue?.length === 0) this.open.delete(id);
    return value;
  }
}
