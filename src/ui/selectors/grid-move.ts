/** A cell of the matrix: row = selector, index = interaction block. */
export interface GridCell { row: number; index: number }

const clamp = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));

/** The nearest cell there is; a newer report may have fewer rows or blocks. */
export function clampCell({ row, index }: GridCell, rows: number, n: number): GridCell {
  return { row: clamp(row, rows), index: clamp(index, n) };
}

/** Where a key moves the tab stop of the grid; null = the key is not of the grid. */
export function moveByKey(key: string, { row, index }: GridCell, rows: number, n: number): GridCell | null {
  const moves: Record<string, GridCell> = {
    ArrowLeft: { row, index: index - 1 }, ArrowRight: { row, index: index + 1 }, ArrowUp: { row: row - 1, index }, ArrowDown: { row: row + 1, index },
    Home: { row, index: 0 }, End: { row, index: n - 1 }, PageDown: { row: rows - 1, index }, PageUp: { row: 0, index },
  };
  const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return move === undefined ? null : clampCell(move, rows, n);
}
