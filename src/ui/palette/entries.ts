/** What the palette offers, and which of it a query finds. */
import { fuzzy } from './fuzzy';

export const GROUPS = ['Step', 'Action', 'Tool', 'Block', 'Run'] as const;
export type Group = (typeof GROUPS)[number];

export interface Entry {
  id: string;
  group: Group;
  label: string;
  /** Said beside it, not searched. */
  hint?: string;
  run: () => void;
}
export interface Found { entry: Entry; at: readonly number[] }

/** Shown of each group, so that a thousand blocks do not bury the action that was meant. */
const SHOWN: Record<Group, number> = { Step: 3, Action: 12, Tool: 8, Block: 24, Run: 12 };

/** Best first; equal scores keep their order. An empty query shows what one may want without knowing its name. */
export function findEntries(query: string, entries: readonly Entry[], asked: readonly Entry[] = []): Found[] {
  const left = { ...SHOWN };
  const trimmed = query.trim();
  const scored = entries.flatMap((entry) => {
    if (trimmed === '' && entry.group === 'Block') return [];
    const match = fuzzy(trimmed, entry.label);
    return match === null ? [] : [{ entry, at: match.at, score: match.score }];
  });
  if (trimmed !== '') scored.sort((a, b) => b.score - a.score);
  return [...asked.map((entry) => ({ entry, at: [] })), ...scored.filter(({ entry }) => left[entry.group]-- > 0)];
}

/** "120", "step 120", "s120": the step that is asked for; null = none, or not of this run. */
export function askedStep(query: string, steps: number): number | null {
  const step = Number(/^\s*(?:s|step)?\s*(\d{1,7})\s*$/i.exec(query)?.[1] ?? NaN);
  return step >= 1 && step <= steps ? step : null;
}
