/** Prefix caching as providers offer it (evidence.md §2): whole granules of the common prefix, from a minimum length on. */
export interface CacheRules { granularity: number; minimum: number }

export const DEFAULT_CACHE: CacheRules = { granularity: 128, minimum: 1024 };

export function cachedTokens(commonPrefix: number, rules: CacheRules): number {
  const whole = Math.floor(commonPrefix / rules.granularity) * rules.granularity;
  return whole >= rules.minimum ? whole : 0;
}
