import { describe, expect, it } from 'vitest';
import { MessageTree, splitLines } from './message-tree';

/** `id<parent` a node: `a<` = root; a leading `.` = a link without a row. Rows are numbered in order. */
function tree(nodes: string): { parents: Int32Array; lines: ReturnType<typeof splitLines> } {
  const built = new MessageTree();
  let rows = 0;
  for (const node of nodes.split(' ')) {
    const [id, parent] = node.replace('.', '').split('<') as [string, string];
    built.add(id, parent === '' ? null : parent, node.startsWith('.') ? -1 : rows++, '');
  }
  const parents = built.parentRows(rows);
  return { parents, lines: splitLines(Array.from({ length: rows }, (_, row) => row), parents) };
}

describe('message tree', () => {
  it('follows links through records that are no messages', () => {
    expect([...tree('a< .x<a .y<x b<y').parents]).toEqual([-1, 0]);
  });

  it('finds parents that come later', () => {
    const { lines } = tree('c<b b<a a<');
    expect([...lines.main]).toEqual([2, 1, 0]);
  });

  it('hangs a dangling record on the one before it', () => {
    expect([...tree('a< b<gone c<b').parents]).toEqual([-1, 0, 1]);
    expect([...tree('a< .x<gone b<x').parents]).toEqual([-1, 0]);
  });

  it('breaks circles', () => {
    const { parents, lines } = tree('a<c b<a c<b .x<y .y<x d<x');
    expect(parents.filter((parent) => parent < 0).length).toBeGreaterThan(0);
    expect(lines.main.length + lines.branches.reduce((sum, branch) => sum + branch.rows.length, 0)).toBeGreaterThanOrEqual(4);
  });

  it('takes the path to the last leaf as the main line and lists every other leaf', () => {
    const { lines } = tree('a< b<a c<b d<a e<d f<a');
    expect([...lines.main]).toEqual([0, 5]);
    expect(lines.branches.map((branch) => [branch.forkAfter, ...branch.rows])).toEqual([[0, 1, 2], [0, 3, 4]]);
  });

  it('repeats what nested branches share, so that each can be opened alone', () => {
    const { lines } = tree('a< b<a c<b d<b e<a');
    expect(lines.branches.map((branch) => [branch.forkAfter, ...branch.rows])).toEqual([[0, 1, 2], [0, 1, 3]]);
  });

  it('makes a second root a branch before the first message', () => {
    expect(tree('a< b<a c< d<c').lines.branches.map((branch) => [branch.forkAfter, ...branch.rows])).toEqual([[-1, 0, 1]]);
  });

  it.each(['forwards', 'backwards'])('takes linear time on 200 000 records, %s', (direction) => {
    const n = 200_000;
    const ids = Array.from({ length: n }, (_, i) => (direction === 'forwards' ? i : n - 1 - i));
    const build = (): Int32Array => {
      const built = new MessageTree();
      // Every other record only links.
      ids.forEach((id) => { built.add(`n${id}`, id === 0 ? null : `n${id - 1}`, id % 2 === 0 ? id / 2 : -1, ''); });
      return built.parentRows(n / 2);
    };
    const parents = build();
    expect(parents[n / 2 - 1]).toBe(n / 2 - 2);
    expect(splitLines(Array.from({ length: n / 2 }, (_, row) => row), parents).main.length).toBe(n / 2);
  });

  it('resolves a long chain of links once for all that hang on it', () => {
    const built = new MessageTree();
    built.add('root', null, 0, '');
    for (let i = 0; i < 50_000; i++) built.add(`l${i}`, i === 0 ? 'root' : `l${i - 1}`, -1, '');
    for (let i = 0; i < 2000; i++) built.add(`m${i}`, 'l49999', i + 1, '');
    expect(built.parentRows(2001).subarray(1).every((parent) => parent === 0)).toBe(true);
  });
});
