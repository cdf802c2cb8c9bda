/**
 * Selectors matched by tokens instead of by count (issue "matched at k, by count or by tokens"; the rule is ours): each
 * keeps the longest beginning of its own order of choice whose selection texts hold at most as many tokens as gem's set.
 */
import type { Selected, Selector, SelectorContext } from './selectors';

/** Selectors whose blocks for a smaller k are not the beginning of those for a larger one. */
const NOT_NESTED: ReadonlySet<string> = new Set(['uniform']);

/** Growth of the number of blocks asked for while tokens are left. */
const GROWTH = 1.5;

/**
 * `context.k` is where the search begins. The start set is kept whole even where it holds more; `tokens`: of every
 * block's selection text. A block that no longer fits ends the choice: a later smaller one is not taken instead.
 */
export function chosenWithinTokens(selector: Selector, context: SelectorContext, tokens: ArrayLike<number>, budget: number): Selected {
  const n = context.rows.rows;
  const sum = (kept: readonly number[]): number => kept.reduce((total, i) => total + (tokens[i] ?? 0), 0);
  if (NOT_NESTED.has(selector.id)) {
    for (let k = n; k >= 1; k--) {
      const selected = selector.select({ ...context, k });
      if (sum(selected.kept) <= budget) return selected;
    }
    return { kept: [], picks: null, exhausted: false };
  }
  let k = Math.max(1, context.k);
  let selected = selector.select({ ...context, k });
  while (sum(selected.kept) <= budget && selected.kept.length >= k && k < n) {
    k = Math.min(n, Math.ceil(k * GROWTH) + 1);
    selected = selector.select({ ...context, k });
  }
  // The newest k come in order of index; their order of choice is from the end.
  const order = selector.id === 'recency' ? [...selected.kept].reverse() : selected.kept;
  const kept: number[] = [];
  let used = 0;
  for (const [place, index] of order.entries()) {
    used += tokens[index] ?? 0;
    if (place >= context.start.length && used > budget) break;
    kept.push(index);
  }
  const picks = selected.picks?.slice(0, Math.max(0, kept.length - context.start.length)) ?? null;
  return { kept, picks, exhausted: kept.length === order.length && selected.exhausted };
}
