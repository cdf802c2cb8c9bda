/**
 * LCM's three levels: a summary with details at the target length, bullets at half of it, the longest truncation that is
 * smaller than its input. Each is taken only if it is strictly smaller than what it stands for, hence a sequence of
 * compactions strictly shrinks the context and ends.
 */
import type { Workspace } from '../../workspace';
import { wordsOf } from './block-words';
import { summaryText } from './summary-text';

export interface Escalated { text: string; tokens: number; level: 1 | 2 | 3 }

/** Most tokens of a truncation (the paper's third level). */
const TRUNCATION_TOKENS = 512;

/** Null when nothing is smaller than the input: it has at most a few tokens. */
export function escalate(ws: Workspace, items: readonly number[], input: number, target: number, heading: string): Escalated | null {
  const detail = summaryText(ws, items, target, heading);
  if (detail.tokens < input) return { ...detail, level: 1 };
  const bullets = summaryText(ws, items, Math.max(1, Math.floor(target / 2)), heading, 'bullets');
  if (bullets.tokens < input) return { ...bullets, level: 2 };
  return truncate(ws, items, input);
}

/** Binary search for the longest beginning which, with its ending, has fewer tokens than the input. */
function truncate(ws: Workspace, items: readonly number[], input: number): Escalated | null {
  const { count } = ws.setup;
  const whole = items.map((item) => wordsOf(ws, item)).join('\n');
  const most = Math.min(TRUNCATION_TOKENS, input - 1);
  const withEnd = (length: number): string => `${whole.slice(0, length).replace(/[\ud800-\udbff]$/, '')} [truncated from ${input} tokens]`;
  let low = 0;
  let high = whole.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (count(withEnd(middle)) <= most) low = middle;
    else high = middle - 1;
  }
  const text = withEnd(low);
  const tokens = count(text);
  return tokens < input ? { text, tokens, level: 3 } : null;
}
