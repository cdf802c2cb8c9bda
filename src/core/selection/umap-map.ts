/**
 * UMAP of the block vectors for the 2-D map (interface.md §2 "Geometry"; McInnes et al. 2018, by umap-js). Neighbours are
 * exact, from the cosine distances of the unit rows; every random number comes from one seeded stream, so the same
 * blocks and seed give the same picture. Distances in the picture mean little; neighbourhoods do.
 */
import { throwIfCancelled } from '../base/errors';
import { yieldToEvents } from '../embedding/yield-to-events';
import { rowOf, type Matrix } from '../numerics/matrix';
import { purposeStream } from '../numerics/random-stream';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { liveRows } from './live-rows';

/** umap-learn's default; fewer where there are fewer blocks. */
const NEIGHBOURS = 15;
/** Below so many blocks with a vector there is nothing to lay out. */
const LEAST = 4;
/** Between two of these the worker reads its messages. */
const SLICE_MS = 25;

export interface UmapOptions {
  signal?: AbortSignal;
  /** `done` of `total` units of work: neighbour rows, then epochs. */
  onProgress?: (done: number, total: number) => void;
}

/** Coordinates, n × 2 row-major; NaN for a block without a vector. Rejects 'cancelled'. O(n² d) for the neighbours. */
export async function umapMap(rows: Matrix, seed: number, { signal, onProgress }: UmapOptions = {}): Promise<number[]> {
  const live = liveRows(rows);
  const out = new Array<number>(2 * rows.rows).fill(NaN);
  if (live.length < LEAST) return out.map((x, i) => (live.includes(i >> 1) ? (i % 2 === 0 ? i / 2 : 0) : x));
  const { UMAP } = await import('umap-js');
  const stream = purposeStream(seed, 'umap', rows.rows);
  const nNeighbors = Math.min(NEIGHBOURS, live.length - 1);
  const umap = new UMAP({ nComponents: 2, nNeighbors, random: () => stream.uniform() });
  const paced = pace(signal);
  const { indices, distances } = await neighbours(rows, live, nNeighbors, async (done) => {
    onProgress?.(done, 2 * live.length);
    await paced();
  });
  umap.setPrecomputedKNN(indices, distances);
  const epochs = umap.initializeFit(live.map((i) => Array.from(rowOf(rows, i))));
  for (let epoch = 0; epoch < epochs; epoch++) {
    umap.step();
    onProgress?.(live.length + (live.length * (epoch + 1)) / epochs, 2 * live.length);
    await paced();
  }
  umap.getEmbedding().forEach(([x = NaN, y = NaN], i) => {
    const at = live[i]!;
    out[2 * at] = x;
    out[2 * at + 1] = y;
  });
  return out;
}

/** The nearest `count` of each live row, itself first at distance 0, as umap-js wants them. */
async function neighbours(rows: Matrix, live: readonly number[], count: number, between: (done: number) => Promise<void>): Promise<{ indices: number[][]; distances: number[][] }> {
  const placeOf = new Map(live.map((index, place) => [index, place]));
  const products = new Float64Array(rows.rows);
  const [indices, distances]: [number[][], number[][]] = [[], []];
  for (const [done, i] of live.entries()) {
    rowsTimesVector(rows, rowOf(rows, i), products);
    const distance = (j: number): number => (j === i ? -1 : Math.max(0, 1 - products[j]!));
    const nearest = [...live].sort((a, b) => distance(a) - distance(b) || a - b).slice(0, count);
    indices.push(nearest.map((j) => placeOf.get(j)!));
    distances.push(nearest.map((j) => Math.max(0, distance(j))));
    await between(done + 1);
  }
  return { indices, distances };
}

function pace(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    throwIfCancelled(signal);
    if (performance.now() - since < SLICE_MS) return;
    await yieldToEvents();
    since = performance.now();
    throwIfCancelled(signal);
  };
}
