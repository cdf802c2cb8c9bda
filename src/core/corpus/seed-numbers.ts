/** Numbers printed in the papers (gem.md §11; VISTA's for policies); what its text lost is absent. Other runs and another encoder than ours. */
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
  // VISTA, Tables 1, 2 and 7: LOCA-Bench, 75 tasks, 128K window. Means a task.
  policies: [
    { label: 'append-truncate (ReAct)', n: 75, values: { state: 0, control: 0, recovery: 0, trajectoryTokens: 3.51e6, steps: 54.6, inputTokens: 3.476e6, outputTokens: 0.031e6, cacheRate: 0.365, usd: 1.26 } },
    { label: 'tool-clearing', n: 75, values: { state: 0, control: 0, recovery: 0, trajectoryTokens: 2.6e6, steps: 72.9 } },
    { label: 'observation-masking', n: 75, values: { state: 0, control: 0, recovery: 0, trajectoryTokens: 3.32e6, steps: 61 } },
    { label: 'skeleton', n: 75, values: { state: 0, control: 0, recovery: 0, trajectoryTokens: 2.84e6, steps: 60.5 } },
    { label: 'slim-summary (SLIM)', n: 75, values: { state: 0, recovery: 0, trajectoryTokens: 3.76e6, steps: 77.9 } },
    { label: 'active-compression', n: 75, values: { state: 0, control: 1, recovery: 0, trajectoryTokens: 3.2e6, steps: 65.8, inputTokens: 3.158e6, outputTokens: 0.042e6, cacheRate: 0.483, usd: 1.02 } },
    { label: 'context-folding', n: 75, values: { state: 0, control: 1, recovery: 0, trajectoryTokens: 3.41e6 } },
    { label: 'auto-archive', n: 75, values: { state: 0, control: 0, recovery: 1, trajectoryTokens: 2.73e6 } },
    { label: 'claude-compact (Claude Code)', n: 75, values: { state: 0, control: 1, trajectoryTokens: 6.72e6, steps: 171.5, inputTokens: 7.138e6, outputTokens: 0.156e6, cacheRate: 0.929, usd: 1.05 } },
    { label: 'vista-no-dashboard', n: 75, values: { state: 0, control: 1, recovery: 1, trajectoryTokens: 5.25e6 } },
    { label: 'vista-no-recovery', n: 75, values: { state: 1, control: 1, recovery: 0, trajectoryTokens: 2.99e6 } },
    { label: 'vista', n: 75, values: { state: 1, control: 1, recovery: 1, trajectoryTokens: 2.86e6, steps: 36.4, inputTokens: 2.783e6, outputTokens: 0.08e6, cacheRate: 0.561, usd: 0.93 } },
  ],
};
