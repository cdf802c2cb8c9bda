/** Which block columns are in the page: all of a usual history, a window of a long one. */
export interface ColumnWindow { from: number; to: number }

/** Up to this many columns every cell is there; beyond it only those near the view. */
const WINDOW_FROM_COLUMNS = 400;
const OVERSCAN = 40;
/** The window moves in jumps, so that scrolling renders seldom. */
const JUMP = 20;

export function columnWindow(n: number, cellPx: number, scrollLeft: number, viewWidth: number): ColumnWindow {
  if (n <= WINDOW_FROM_COLUMNS) return { from: 0, to: n };
  const first = Math.floor(scrollLeft / cellPx / JUMP) * JUMP - OVERSCAN;
  const last = Math.ceil((scrollLeft + viewWidth) / cellPx / JUMP) * JUMP + OVERSCAN;
  return { from: Math.max(0, Math.min(n, first)), to: Math.min(n, Math.max(0, last)) };
}

/** Cells as wide as the room allows, between what still shows a letter and what can still be pointed at. */
export function cellWidth(n: number, room: number): number {
  return n === 0 ? 14 : Math.max(5, Math.min(18, Math.floor(room / n)));
}
