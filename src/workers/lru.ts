/**
 * The last few results of an expensive async function, by key. Callers of one key while it is being made share the
 * promise; a rejected one is forgotten at once, so that the next call tries again.
 */
export class Lru<T> {
  private readonly entries = new Map<string, Promise<T>>();

  constructor(private readonly size: number) {}

  get(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.entries.get(key);
    this.entries.delete(key);
    const entry = known ?? make();
    this.entries.set(key, entry);
    if (!known) {
      entry.catch(() => {
        if (this.entries.get(key) === entry) this.entries.delete(key);
      });
      while (this.entries.size > this.size) this.entries.delete(this.entries.keys().next().value!);
    }
    return entry;
  }

  /** What is known, without making it and without counting as use. */
  peek(key: string): Promise<T> | undefined {
    return this.entries.get(key);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }

  deleteWhere(matches: (key: string) => boolean): void {
    for (const key of [...this.entries.keys()]) if (matches(key)) this.entries.delete(key);
  }
}
