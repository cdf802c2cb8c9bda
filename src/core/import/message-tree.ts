import { growI32, growU16 } from '../base/growable';
import type { Branch } from '../trace/model';

/** Parent is the record added before, whatever its id. */
export const PREVIOUS = Symbol('previous');
export type ParentRef = string | null | typeof PREVIOUS;

const NONE = -1;
/** The parent's id has not been seen yet; it stands in `waiting`. */
const UNRESOLVED = -2;

/**
 * Records that point at their parents, as sessions of Claude Code and pi do. Linear passes, no recursion; dangling
 * parents, cycles, reversed files and repeated ids are all met in real files (import-cases.md C).
 */
export class MessageTree {
  private readonly parents = growI32();
  private readonly rows = growI32();
  private readonly lanes = growU16();
  private readonly laneIds = new Map<string, number>();
  private readonly byId = new Map<string, number>();
  private readonly waiting = new Map<number, string>();
  private lastId: string | undefined;

  /**
   * A message row, or a record that only links (row −1). `lane` = which context window it belongs to. Of records with
   * one id the first counts, but a message counts before a link.
   */
  add(id: string | undefined, parent: ParentRef, row: number, lane: string): void {
    const index = this.rows.push(row);
    this.lanes.push(this.laneId(lane));
    this.parents.push(this.resolve(parent, index));
    if (id !== undefined) {
      const known = this.byId.get(id);
      if (known === undefined || (row >= 0 && this.rows.get(known) < 0)) this.byId.set(id, index);
    }
    this.lastId = id;
  }

  /** Row of the message with this id; −1 = none so far. */
  rowOf(id: string): number {
    const index = this.byId.get(id);
    return index === undefined ? NONE : this.rows.get(index);
  }

  has(id: string): boolean { return this.byId.has(id); }

  private laneId(lane: string): number {
    let id = this.laneIds.get(lane);
    if (id === undefined) this.laneIds.set(lane, (id = this.laneIds.size));
    return id;
  }

  private resolve(parent: ParentRef, index: number): number {
    if (parent === null) return NONE;
    if (parent === PREVIOUS) return index - 1;
    // Most records follow the one before: comparing is cheaper than looking up.
    if (parent === this.lastId && this.byId.get(parent) === index - 1) return index - 1;
    this.waiting.set(index, parent);
    return UNRESOLVED;
  }

  /**
   * Parent row of each of `rowCount` rows (−1 = a root): the nearest row above it that is another row. A parent that
   * is missing means the row before it in the same lane; a parent in another lane makes a root.
   */
  parentRows(rowCount: number): Int32Array {
    const n = this.rows.length;
    const rows = this.rows.toArray();
    const lanes = this.lanes.toArray();
    const parentNodes = this.parents.toArray();
    for (const [index, id] of this.waiting) parentNodes[index] = this.byId.get(id) ?? UNRESOLVED;

    const firstNode = new Int32Array(rowCount).fill(-1);
    const previousInLane = new Int32Array(n);
    const lastOfLane = new Int32Array(this.laneIds.size).fill(-1);
    for (let node = 0; node < n; node++) {
      const lane = lanes[node]!;
      const row = rows[node]!;
      previousInLane[node] = lastOfLane[lane]!;
      if (row < 0) continue;
      if (firstNode[row]! < 0) firstNode[row] = node;
      lastOfLane[lane] = row;
    }

    // Linking records are resolved once, so that long chains of them stay linear.
    const resolved = new Int32Array(n).fill(UNRESOLVED);
    // Which walk passed a node last: walks are numbered by where they start.
    const seen = new Int32Array(n).fill(-1);
    const links: number[] = [];
    const rowAbove = (start: number, row: number): number => {
      links.length = 0;
      seen[start] = start;
      let result = NONE;
      for (let at = start; ; ) {
        const parent = parentNodes[at]!;
        if (parent === NONE) break;
        // Missing, or a circle: the row before it.
        if (parent === UNRESOLVED || seen[parent] === start) {
          result = previousInLane[at]!;
          break;
        }
        const above = rows[parent]!;
        if (above >= 0 && above !== row) {
          result = above;
          break;
        }
        if (resolved[parent] !== UNRESOLVED) {
          result = resolved[parent]!;
          break;
        }
        if (above < 0) links.push(parent);
        seen[parent] = start;
        at = parent;
      }
      for (const link of links) resolved[link] = result;
      if (result === row) return previousInLane[start]!;
      return result >= 0 && lanes[firstNode[result]!] !== lanes[start] ? NONE : result;
    };
    const parents = new Int32Array(rowCount).fill(NONE);
    for (let row = 0; row < rowCount; row++) if (firstNode[row]! >= 0) parents[row] = rowAbove(firstNode[row]!, row);
    breakCycles(parents);
    return parents;
  }
}

/** A row that is its own ancestor loses its parent. */
function breakCycles(parents: Int32Array): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    if (state[start] !== 0) continue;
    // A parent that is done needs no walk.
    if (parents[start]! < 0 || state[parents[start]!] === 2) {
      state[start] = 2;
      continue;
    }
    const path: number[] = [];
    let at = start;
    while (at >= 0 && state[at] === 0) {
      state[at] = 1;
      path.push(at);
      at = parents[at]!;
    }
    if (at >= 0 && state[at] === 1) parents[at] = -1;
    for (const row of path) state[row] = 2;
  }
}

export interface Lines { main: Uint32Array; branches: Branch[] }

/**
 * Main line and branches of the rows of one thread (rising): the main line is the path to the last leaf, every
 * other leaf gives a branch of the rows that it does not share with the main line. `end` = a row where the main line
 * is known to end instead, as after a rewind that nothing followed.
 */
export function splitLines(rows: readonly number[], parents: Int32Array, end?: number): Lines {
  const first = rows[0];
  if (first === undefined) return { main: new Uint32Array(0), branches: [] };
  // By row − first: 1 = in the thread, 2 = also somebody's parent.
  const last = rows[rows.length - 1]!;
  const mark = new Uint8Array(last - first + 1);
  for (const row of rows) mark[row - first] = 1;
  const isInside = (row: number): boolean => row >= first && row <= last && mark[row - first]! > 0;
  for (const row of rows) if (isInside(parents[row]!)) mark[parents[row]! - first] = 2;
  const leaves = rows.filter((row) => mark[row - first] === 1);

  const path: number[] = [];
  for (let at = end !== undefined && isInside(end) ? end : leaves[leaves.length - 1] ?? last; isInside(at); at = parents[at]!) path.push(at);
  const main = Uint32Array.from(path.reverse());
  const position = new Int32Array(mark.length).fill(-1);
  main.forEach((row, i) => { position[row - first] = i; });

  const branches: Branch[] = [];
  for (const leaf of leaves) {
    if (position[leaf - first]! >= 0) continue;
    const own: number[] = [];
    let at = leaf;
    for (; isInside(at) && position[at - first]! < 0; at = parents[at]!) own.push(at);
    branches.push({ id: `branch-${branches.length + 1}`, forkAfter: isInside(at) ? position[at - first]! : -1, rows: Uint32Array.from(own.reverse()) });
  }
  return { main, branches };
}
