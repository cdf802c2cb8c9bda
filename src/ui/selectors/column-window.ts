/** Which block columns are in the page: all of a short history, those near the view of a longer one. */
export interface ColumnWindow { from: number; to: number }

/** Up to this many columns every cell is there. Beyond, each report would render and paint thousands of hidden cells. */
const WINDOW_FROM_COLUMNS = 100;
const OVERSCAN = 20;
/** The window moves in jumps, so that scrolling renders seldom. */
const JUMP = 20;

/** `viewWidth`: pixels of the matrix that can be seen at once, without names and pinned metrics. */
export function columnWindow(n: number, cellPx: number, scrollLeft: number, viewWidth: number): ColumnWindow {
  if (n <= WINDOW_FROM_COLUMNS) return { from: 0, to: n };
  const first = Math.floor(scrollLeft / cellPx / JUMP) * JUMP - OVERSCAN;
  const last = Math.ceil((scrollLeft + Math.max(0, viewWidth)) / cellPx / JUMP) * JUMP + OVERSCAN;
  return { from: Math.max(0, Math.min(n, first)), to: Math.min(n, Math.max(0, last)) };
}

/** A jump of the narrowest cells. */
const JUMP_PX = 100;

/** The scroll position as far as the window depends on it: it changes once a jump. */
export function windowScroll(scrollLeft: number): number {
  return Math.floor(Math.max(0, scrollLeft) / JUMP_PX) * JUMP_PX;
}

/** Where to scroll to so that a column is in view with two beside it; the present position where it is already. */
export function scrollToColumn(index: number, cellPx: number, scrollLeft: number, viewWidth: number): number {
  const left = Math.max(0, (index - 2) * cellPx);
  const right = (index + 3) * cellPx;
  if (left < scrollLeft) return left;
  return right > scrollLeft + viewWidth ? Math.max(0, right - viewWidth) : scrollLeft;
}

/** Indices in the page, ascending: the window, and the tab stop of the row wherever it is. */
export function shownColumns({ from, to }: ColumnWindow, stop: number | null): number[] {
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  if (stop === null || (stop >= from && stop < to)) return shown;
  return stop < from ? [stop, ...shown] : [...shown, stop];
}

/** Cells as wide as the room allows, between what still shows a letter and what can still be pointed at. */
export function cellWidth(n: number, room: number): number {
  return n === 0 ? 14 : Math.max(5, Math.min(18, Math.floor(room / n)));
}
