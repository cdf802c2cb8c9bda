import { CAPACITY } from './constants';

/** Nominal capacity K: a number of blocks, or grown with the history. */
export type Capacity = number | 'scaled';

/** K in blocks at a history of n: as given, 16 when absent, ⌈0.45 n⌉ when scaled (gem.md §13; ours). */
export function capacityAt(capacity: Capacity | undefined, n: number): number {
  // In whole numbers: 0.45 has no exact binary form, and a ceiling would show it.
  return capacity === 'scaled' ? Math.max(1, Math.ceil((9 * n) / 20)) : (capacity ?? CAPACITY);
}
