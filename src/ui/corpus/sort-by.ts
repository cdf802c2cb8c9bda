const words = new Intl.Collator(undefined, { numeric: true });

/** A sorted copy; unknown values last in either direction, equal ones as they were. */
export function sortBy<Row>(rows: readonly Row[], value: (row: Row) => string | number | null, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  return rows.map((row) => ({ row, value: value(row) })).sort((a, b) => {
    if (a.value === null || b.value === null) return a.value === b.value ? 0 : a.value === null ? 1 : -1;
    return sign * (typeof a.value === 'number' && typeof b.value === 'number' ? a.value - b.value : words.compare(String(a.value), String(b.value)));
  }).map(({ row }) => row);
}
