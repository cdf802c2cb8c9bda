/** What is known of a block's words without its text: the extractive gist, or its own words where an op made it. */
import { KIND } from '../../kinds';
import type { Workspace } from '../../workspace';
import { describeBlock } from '../../wording';

export function wordsOf(ws: Workspace, item: number): string {
  const { columns } = ws;
  const base = columns.base.get(item);
  if (base >= 0) return columns.table.gist[base] ?? '';
  if (columns.kind.get(item) === KIND.recovered) return columns.memberCount(item) > 0 ? wordsOf(ws, columns.member(item, 0)) : '';
  return columns.text[item] ?? '';
}

/** Who speaks: `assistant:`, `tool_result Read:`, nothing for an earlier summary. */
export const speakerOf = (ws: Workspace, item: number): string => (ws.columns.kind.get(item) === KIND.summary ? '' : `${describeBlock(ws.columns, item)}: `);

/** At most `limit` UTF-16 units, never half a surrogate pair, `…` where something is missing. */
export function cutWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = Math.max(0, limit - 1);
  // A pattern would look through the whole text for its end.
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end)}…`;
}

export const toolOf = (ws: Workspace, item: number): string => {
  const base = ws.columns.base.get(item);
  return base < 0 ? '' : (ws.columns.table.strings[ws.columns.table.toolName[base] ?? 0] ?? '');
};

export const isErrorBlock = (ws: Workspace, item: number): boolean => {
  const base = ws.columns.base.get(item);
  return base >= 0 && ws.columns.table.isError[base] === 1;
};
