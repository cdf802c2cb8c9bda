import type { Branch } from '../trace/model';

/** A node of the tree: a message row, or a record that only links (row −1). Parents may come later in the file. */
export interface TreeNode { parent: string | null; row: number; /** Which context window it belongs to. */ lane: string }

/**
 * Records that point at their parents, as sessions of Claude Code and pi do. Linear passes, no recursion; dangling
 * parents, cycles, reversed files and repeated ids are all met in real files (import-cases.md C).
 */
export class MessageTree {
  private readonly nodes: TreeNode[] = [];
  private readonly byId = new Map<string, number>();

  add(id: string | undefined, node: TreeNode): void {
    const index = this.nodes.push(node) - 1;
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, index);
  }

  /**
   * Parent row of each of `rowCount` rows (−1 = a root): the nearest row above it that is another row. A parent that
   * is missing means the row before it in the same lane; a parent in another lane makes a root.
   */
  parentRows(rowCount: number): Int32Array {
    const firstNode = new Int32Array(rowCount).fill(-1);
    const previousInLane = new Int32Array(this.nodes.length).fill(-1);
    const lastOfLane = new Map<string, number>();
    this.nodes.forEach((node, i) => {
      previousInLane[i] = lastOfLane.get(node.lane) ?? -1;
      if (node.row < 0) return;
      if (firstNode[node.row]! < 0) firstNode[node.row] = i;
      lastOfLane.set(node.lane, node.row);
    });
    const parents = new Int32Array(rowCount).fill(-1);
    const above = this.rowAbove(firstNode, previousInLane);
    for (let row = 0; row < rowCount; row++) {
      const node = firstNode[row]!;
      if (node >= 0) parents[row] = above(node, row);
    }
    breakCycles(parents);
    return parents;
  }

  private rowAbove(firstNode: Int32Array, previousInLane: Int32Array): (node: number, row: number) => number {
    // Linking records are resolved once, so that long chains of them stay linear.
    const UNKNOWN = -2;
    const resolved = new Int32Array(this.nodes.length).fill(UNKNOWN);
    // Which walk passed a node last: walks are numbered by where they start.
    const seen = new Int32Array(this.nodes.length).fill(-1);
    const links: number[] = [];
    return (start, row) => {
      links.length = 0;
      seen[start] = start;
      let result = -1;
      for (let at = start; ; ) {
        const parentId = this.nodes[at]!.parent;
        if (parentId === null) break;
        const parent = this.byId.get(parentId);
        // Missing, or a circle: the row before it.
        if (parent === undefined || seen[parent] === start) {
          result = previousInLane[at]!;
          break;
        }
        const above = this.nodes[parent]!;
        if (above.row >= 0 && above.row !== row) {
          result = above.row;
          break;
        }
        if (resolved[parent] !== UNKNOWN) {
          result = resolved[parent]!;
          break;
        }
        if (above.row < 0) links.push(parent);
        seen[parent] = start;
        at = parent;
      }
      for (const link of links) resolved[link] = result;
      if (result === row) return previousInLane[start]!;
      return result >= 0 && this.nodes[firstNode[result]!]!.lane !== this.nodes[start]!.lane ? -1 : result;
    };
  }
}

/** A row that is its own ancestor loses its parent. */
function breakCycles(parents: Int32Array): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
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
 * other leaf gives a branch of the rows that it does not share with the main line.
 */
export function splitLines(rows: readonly number[], parents: Int32Array): Lines {
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
  for (let at = leaves[leaves.length - 1] ?? last; isInside(at); at = parents[at]!) path.push(at);
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
