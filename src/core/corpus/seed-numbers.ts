/** Numbers printed in the paper (gem.md §11); what its text lost is absent. Other runs and another encoder than ours. */
import type { TableId } from './types';

export interface SeedRow { label: string; n: number | null; values: Record<string, number> }

export const SEED_ROWS: Record<TableId, readonly SeedRow[]> = {
  C1: [
    { label: 'isolated blocks, 171 runs (median)', n: 171, values: { erank: 8.39, erankShift: 16.99, erankGaussian: 19.96, greedyBlocks: 6, greedyShare: 0.3 } },
    { label: 'selector, 32 runs (median)', n: 32, values: { erank: 14.04, erankShift: 23.54, erankGaussian: 30.07, greedyBlocks: 10, greedyShare: 0.35 } },
  ],
  '1': [
    { label: 'gem (evidence-first)', n: 650, values: { top3: 0.69, centroid: 0.98 } },
    { label: 'geometry', n: 650, values: { top3: 0.31, centroid: 0.98 } },
  ],
  '2': [{ label: 'targeted − matched', n: null, values: { actionProjection: -0.03, top3: -0.33, centroid: 0, coverage: 0 } }],
  D1: [],
  D2: [],
  D3: [],
  D4: [
    { label: 'τ = 0.85', n: 59, values: { retained: 0.38, top3: 0.58 } },
    { label: 'τ = 0.95', n: 59, values: { retained: 0.53, top3: 0.65 } },
  ],
};
