/** Replacement of one result by a line or an extract; what would not be shorter stays as it is. */
import { replaceBy, type By } from '../../operations';
import type { Workspace } from '../../workspace';

/** True when the block was replaced. `remember` = the text is one of few, so its count is kept. */
export function shorten(ws: Workspace, item: number, text: string, by: By, op: 'mask' | 'clear' = 'mask', remember = false): boolean {
  const tokens = remember ? ws.pieces.word(text) : ws.setup.count(text);
  if (tokens >= ws.columns.tokens.get(item)) return false;
  return replaceBy(ws, op, item, text, by, tokens) >= 0;
}
