import type { TokenCounter } from './types';

/** Entries kept: a hash and a number each, about 10 MB. */
const MAX_ENTRIES = 65_536;

/** Counts by SHA-256 of the text, for texts whose hash is known anyway: a run that repeats a result pays for it once. */
export class TokenCache {
  private readonly counts = new Map<string, number>();

  constructor(private readonly counter: TokenCounter, private readonly maxEntries = MAX_ENTRIES) {}

  get size(): number {
    return this.counts.size;
  }

  /** `hash` must be the text's own; the least recently asked entry leaves first. */
  count(hash: string, text: string): number {
    const known = this.counts.get(hash);
    const count = known ?? this.counter.count(text);
    if (known !== undefined) this.counts.delete(hash);
    else if (this.counts.size >= this.maxEntries) this.counts.delete(this.counts.keys().next().value!);
    this.counts.set(hash, count);
    return count;
  }
}

/** A counter that also counts by hash (trace's `BlockCounter`), each distinct text once. */
export function withTokenCache(counter: TokenCounter, cache = new TokenCache(counter)): TokenCounter & { countHashed(hash: string, text: string): number } {
  return { encoding: counter.encoding, count: (text) => counter.count(text), countHashed: (hash, text) => cache.count(hash, text) };
}
