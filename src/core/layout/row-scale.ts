/** Vertical place of lifeline rows: all rows fitted into the pane, or rows of a chosen height that scroll. */
export interface RowScale {
  rows: number;
  top: number;
  height: number;
  /** CSS pixels a row; may be below a device pixel when all rows are fitted. */
  rowHeight: number;
  /** CSS pixels scrolled; 0 … contentHeight − height. */
  scroll: number;
}

/** Fitted rows grow no taller than this, so that a short run keeps its shape. */
export const MAX_FIT_ROW_PX = 12;
const MAX_ROW_PX = 24;

/** `rowHeight` null = fit. The scroll is clamped. */
export function rowScale(rows: number, top: number, height: number, rowHeight: number | null, scroll: number): RowScale {
  const fitted = rows === 0 ? MAX_FIT_ROW_PX : Math.min(MAX_FIT_ROW_PX, height / rows);
  const px = rowHeight === null ? fitted : Math.max(fitted, Math.min(MAX_ROW_PX, rowHeight));
  return { rows, top, height, rowHeight: px, scroll: Math.min(Math.max(0, scroll), Math.max(0, rows * px - height)) };
}

export function rowToY(scale: RowScale, row: number): number {
  return scale.top + row * scale.rowHeight - scale.scroll;
}

/** Fractional row at y; may lie outside 0 … rows. */
export function yToRow(scale: RowScale, y: number): number {
  return (y - scale.top + scale.scroll) / scale.rowHeight;
}

/** Rows [from, to) that touch the pane. */
export function visibleRows(scale: RowScale): { from: number; to: number } {
  const from = Math.min(scale.rows, Math.max(0, Math.floor(scale.scroll / scale.rowHeight)));
  return { from, to: Math.min(scale.rows, Math.ceil((scale.scroll + scale.height) / scale.rowHeight - 1e-9)) };
}

/** Scroll at which a row is wholly in the pane; unchanged when it is already. */
export function revealRow(scale: RowScale, row: number): number {
  const top = row * scale.rowHeight;
  if (top < scale.scroll) return top;
  if (top + scale.rowHeight > scale.scroll + scale.height) return top + scale.rowHeight - scale.height;
  return scale.scroll;
}

/** Place and length of the scroll bar's thumb in CSS pixels; null when everything is shown. */
export function scrollThumb(scale: RowScale): { top: number; height: number } | null {
  const content = scale.rows * scale.rowHeight;
  if (content <= scale.height + 0.5) return null;
  const height = Math.max(24, (scale.height * scale.height) / content);
  return { height, top: scale.top + (scale.scroll / (content - scale.height)) * (scale.height - height) };
}
