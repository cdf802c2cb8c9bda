/** What changed between two rendered prompts: first by whole messages, then by lines inside a changed one. */
import { diffArrays, diffLines } from 'diff';
import type { RenderedPrompt } from '../../core/workspace/types';

export type PromptRow = RenderedPrompt['rows'][number];
export interface LineChange { kind: 'same' | 'added' | 'removed'; text: string }
export type RowChange =
  | { kind: 'same'; count: number; tokens: number }
  | { kind: 'added' | 'removed'; row: PromptRow }
  | { kind: 'changed'; before: PromptRow; after: PromptRow; lines: LineChange[] };

/** Line diffs of longer texts are not drawn: the whole message is shown as removed and added. */
const MAX_DIFF_CHARS = 200_000;

const sameRow = (a: PromptRow, b: PromptRow): boolean => a.role === b.role && a.kind === b.kind && a.text === b.text;
const sameThing = (a: PromptRow, b: PromptRow): boolean => a.role === b.role && a.kind === b.kind && (a.blocks.join() === b.blocks.join() || a.kind === 'dashboard');

export function promptDiff(before: readonly PromptRow[], after: readonly PromptRow[]): RowChange[] {
  const out: RowChange[] = [];
  const parts = diffArrays([...before], [...after], { comparator: sameRow });
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (part === undefined) continue;
    if (!part.added && !part.removed) {
      out.push({ kind: 'same', count: part.value.length, tokens: part.value.reduce((sum, row) => sum + row.tokens, 0) });
      continue;
    }
    const next = parts[i + 1];
    if (part.removed && next?.added) {
      pair(part.value, next.value, out);
      i++;
    } else for (const row of part.value) out.push({ kind: part.added ? 'added' : 'removed', row });
  }
  return out;
}

/** Messages that stand for the same blocks are one change; the others are removed or added. */
function pair(removed: PromptRow[], added: PromptRow[], out: RowChange[]): void {
  const left = [...added];
  for (const before of removed) {
    const at = left.findIndex((row) => sameThing(before, row));
    const after = at < 0 ? undefined : left[at];
    if (after === undefined) {
      out.push({ kind: 'removed', row: before });
      continue;
    }
    for (const row of left.splice(0, at + 1).slice(0, -1)) out.push({ kind: 'added', row });
    out.push({ kind: 'changed', before, after, lines: lineChanges(before.text, after.text) });
  }
  for (const row of left) out.push({ kind: 'added', row });
}

function lineChanges(before: string, after: string): LineChange[] {
  if (before.length + after.length > MAX_DIFF_CHARS) return [{ kind: 'removed', text: before }, { kind: 'added', text: after }];
  return diffLines(before, after).map(({ added, removed, value }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }));
}
