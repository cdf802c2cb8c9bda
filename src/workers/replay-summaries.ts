import type { ReplaySummary } from '../core/workspace/summary';

/** Totals weigh nothing: every policy of a sweep over a dozen windows stays known. */
const KEPT_TOTALS = 4_000;
/** Bytes of strips held for one line: some 70 a step and policy. */
const KEPT_STRIP_BYTES = 64 * 1024 * 1024;

/** contextTokens, prefixTokens and outputTokens; two columns of management. */
const BYTES_OF_COST = 3 * 4 + 2 * 8;

/** Finished summaries of one line by request; strips of the oldest ones are let go first. */
export class ReplaySummaries {
  private readonly known = new Map<string, ReplaySummary>();
  private stripBytes = 0;

  /** With `strip` only where its strip is still held. */
  get(key: string, strip: boolean): ReplaySummary | undefined {
    const found = this.known.get(key);
    if (!found || (strip && !found.strip)) return undefined;
    // Asked for again: newest.
    this.known.delete(key);
    this.known.set(key, found);
    return strip || !found.strip ? found : { ...found, strip: null };
  }

  put(key: string, summary: ReplaySummary): void {
    this.stripBytes += bytesOf(summary) - bytesOf(this.known.get(key));
    this.known.delete(key);
    this.known.set(key, summary);
    for (const [old, held] of this.known) {
      if (old === key || (this.stripBytes <= KEPT_STRIP_BYTES && this.known.size <= KEPT_TOTALS)) break;
      this.stripBytes -= bytesOf(held);
      if (this.known.size > KEPT_TOTALS) this.known.delete(old);
      else this.known.set(old, { ...held, strip: null });
    }
  }
}

function bytesOf(summary: ReplaySummary | undefined): number {
  const strip = summary?.strip;
  return strip ? strip.bySwatch.byteLength + strip.events.byteLength + strip.n * BYTES_OF_COST : 0;
}
