import { NO_RANK } from './rank-table';
import type { RankTable } from './rank-table';

/** Up to here a plain scan for the lowest rank is quicker than a heap. */
const SCAN_LIMIT = 96;
/** Heap entries are rank × POSITION_SPAN + position: lowest rank first, leftmost on ties. Exact below 2^53. */
const POSITION_SPAN = 2 ** 32;

const scanIds = new Int32Array(SCAN_LIMIT);
const scanRanks = new Int32Array(SCAN_LIMIT);

/** What a merge did, for tests of its growth. */
export interface MergeWork { heapMoves: number }

/**
 * Number of tokens of one pre-token piece: merges the neighbouring pair of lowest rank (leftmost on ties) until none is a
 * token. O(n log n) in bytes, where the usual scan after every merge is O(n²). Source: Sennrich et al. 2016, tiktoken's order.
 */
export function countMerged(bytes: Uint8Array, length: number, table: RankTable, work?: MergeWork): number {
  return length <= SCAN_LIMIT ? countByScan(bytes, length, table) : countByHeap(bytes, length, table, work);
}

function countByScan(bytes: Uint8Array, length: number, table: RankTable): number {
  let n = length;
  for (let i = 0; i < n; i++) scanIds[i] = table.rankOfByte(bytes[i]!);
  for (let i = 0; i + 1 < n; i++) scanRanks[i] = table.rankOfPair(scanIds[i]!, scanIds[i + 1]!);
  for (;;) {
    let best = -1;
    let lowest = 0x7fffffff;
    for (let i = 0; i < n - 1; i++) {
      const rank = scanRanks[i]!;
      if (rank !== NO_RANK && rank < lowest) {
        lowest = rank;
        best = i;
      }
    }
    if (best < 0) return n;
    scanIds[best] = lowest;
    scanIds.copyWithin(best + 1, best + 2, n);
    scanRanks.copyWithin(best, best + 1, n - 1);
    n--;
    if (best + 1 < n) scanRanks[best] = table.rankOfPair(scanIds[best]!, scanIds[best + 1]!);
    if (best > 0) scanRanks[best - 1] = table.rankOfPair(scanIds[best - 1]!, scanIds[best]!);
  }
}

function countByHeap(bytes: Uint8Array, length: number, table: RankTable, work?: MergeWork): number {
  const ids = new Int32Array(length);
  const next = new Int32Array(length);
  const previous = new Int32Array(length);
  /** Rank of the pair that starts here; NO_RANK once it is gone. An entry that disagrees is stale. */
  const pairRank = new Int32Array(length).fill(NO_RANK);
  // A merge removes one part and adds at most two pairs, so the heap never holds more than 3 n entries; few runs come near.
  const heap = new MinHeap(length, work);
  for (let i = 0; i < length; i++) {
    ids[i] = table.rankOfByte(bytes[i]!);
    next[i] = i + 1 < length ? i + 1 : -1;
    previous[i] = i - 1;
  }
  const rate = (at: number): number => (pairRank[at] = next[at]! < 0 ? NO_RANK : table.rankOfPair(ids[at]!, ids[next[at]!]!));
  for (let i = 0; i < length; i++) {
    const rank = rate(i);
    if (rank !== NO_RANK) heap.push(rank * POSITION_SPAN + i);
  }
  let n = length;
  while (heap.size > 0) {
    const entry = heap.pop();
    const rank = Math.floor(entry / POSITION_SPAN);
    const at = entry - rank * POSITION_SPAN;
    if (pairRank[at] !== rank) continue;
    const gone = next[at]!;
    const after = next[gone]!;
    ids[at] = rank;
    next[at] = after;
    pairRank[gone] = NO_RANK;
    if (after >= 0) previous[after] = at;
    n--;
    const right = rate(at);
    if (right !== NO_RANK) heap.push(right * POSITION_SPAN + at);
    const before = previous[at]!;
    if (before >= 0) {
      const left = rate(before);
      if (left !== NO_RANK) heap.push(left * POSITION_SPAN + before);
    }
  }
  return n;
}

/** Binary heap of numbers, smallest on top. */
class MinHeap {
  size = 0;
  private items: Float64Array;

  constructor(capacity: number, private readonly work?: MergeWork) {
    this.items = new Float64Array(capacity + 16);
  }

  push(value: number): void {
    if (this.size === this.items.length) {
      const grown = new Float64Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.items[parent]! <= value) break;
      this.items[at] = this.items[parent]!;
      at = parent;
      if (this.work) this.work.heapMoves++;
    }
    this.items[at] = value;
  }

  pop(): number {
    const top = this.items[0]!;
    const value = this.items[--this.size]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.size) break;
      if (child + 1 < this.size && this.items[child + 1]! < this.items[child]!) child++;
      if (this.items[child]! >= value) break;
      this.items[at] = this.items[child]!;
      at = child;
      if (this.work) this.work.heapMoves++;
    }
    this.items[at] = value;
    return top;
  }
}
