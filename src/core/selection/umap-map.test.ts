import { describe, expect, it } from 'vitest';
import { RandomStream } from '../numerics/random-stream';
import { unitRows } from '../numerics/unit-rows';
import { umapMap } from './umap-map';

/** Three groups, each around an axis of its own. */
function grouped(n: number): { rows: ReturnType<typeof unitRows>; group: number[] } {
  const stream = new RandomStream(3);
  const group = Array.from({ length: n }, (_, i) => i % 3);
  const data = Float32Array.from({ length: n * 16 }, (_, at) => (at % 16 === group[Math.floor(at / 16)] ? 1 : 0.08 * stream.normal()));
  return { rows: unitRows(data, n, 16), group };
}

describe('UMAP of the blocks', () => {
  const { rows, group } = grouped(60);

  it('puts blocks of a kind together, the same every time for a seed', async () => {
    const map = await umapMap(rows, 7);
    expect(map).toHaveLength(120);
    expect(map.every(Number.isFinite)).toBe(true);
    expect(await umapMap(rows, 7)).toEqual(map);
    expect(await umapMap(rows, 8)).not.toEqual(map);
    const distance = (i: number, j: number): number => Math.hypot(map[2 * i]! - map[2 * j]!, map[2 * i + 1]! - map[2 * j + 1]!);
    // Of every block, the nearest in the picture is of its own group.
    for (let i = 0; i < 60; i++) {
      const others = Array.from({ length: 60 }, (_, j) => j).filter((j) => j !== i);
      expect(group[others.reduce((best, j) => (distance(i, j) < distance(i, best) ? j : best))]).toBe(group[i]);
    }
  });

  it('leaves blocks without a vector out, and small histories in a row', async () => {
    const data = Float32Array.from(grouped(12).rows.data);
    data.fill(0, 16, 32);
    const map = await umapMap(unitRows(data, 12, 16), 1);
    expect(map.slice(2, 4).every(Number.isNaN)).toBe(true);
    expect(map.filter(Number.isFinite)).toHaveLength(22);
    expect((await umapMap(unitRows(data.subarray(0, 48), 3, 16), 1)).map((x) => (Number.isNaN(x) ? null : x))).toEqual([0, 0, null, null, 2, 0]);
  });

  it('reports progress up to its end and stops when cancelled', async () => {
    const seen: [number, number][] = [];
    await umapMap(rows, 1, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([120, 120]);
    expect(seen.every(([done], i) => i === 0 || done >= seen[i - 1]![0])).toBe(true);
    const controller = new AbortController();
    const running = umapMap(rows, 1, { signal: controller.signal, onProgress: (done) => { if (done > 60) controller.abort(); } });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  });
});
