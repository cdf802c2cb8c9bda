/** Relations between policies that must hold on average, over seeded runs (issue 5, "Done when" 4). */
import { describe, expect, it } from 'vitest';
import { RandomStream } from '../../numerics/random-stream';
import { countQuarters, inputOf, type TestBlock, type TestDemand } from '../../../testing/workspace';
import { replay } from '../replay';
import type { ParameterValue, Replay, ReplayInput } from '../types';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const STEPS = 120;

/** A run with results from a few words to thousands (log-uniform) and uses that are mostly recent, sometimes old. */
function seededRun(seed: number): ReplayInput {
  const stream = new RandomStream(seed);
  const blocks: TestBlock[] = [{ kind: 'system', tokens: 200, born: 1 }, { kind: 'task', tokens: 100, born: 1 }];
  const demands: TestDemand[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const earlier = blocks.length - 2;
    if (earlier > 0) {
      const back = stream.uniform() < 0.6 ? stream.integer(Math.min(6, earlier)) : stream.integer(earlier);
      demands.push({ step, sources: [blocks.length - 1 - back], weight: 1 });
    }
    const call = blocks.length;
    blocks.push({ kind: 'assistant', tokens: 20 + stream.integer(80), born: step + 1, calls: 1 });
    blocks.push({ kind: 'tool_result', tokens: Math.round(Math.exp(2.5 + 5 * stream.uniform())), born: step + 1, parent: call, tool: 'read' });
  }
  return inputOf(blocks, demands);
}

const INPUTS = SEEDS.map(seededRun);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const over = (policy: string, params: Record<string, ParameterValue>, value: (replayed: Replay) => number, budget = 12_000): number =>
  mean(INPUTS.map((input) => value(replay(input, { policy, params, budget }, countQuarters))));
/** Blocks that were put away, one by one. */
const archived = ({ ops }: Replay): number => ops.reduce((sum, { op, ids }) => sum + (op === 'archive' || op === 'offload' ? ids.length : 0), 0);

describe('with noise on sizes', () => {
  it('more blocks are archived and more must come back, the more noise the more', () => {
    const noisy = (sigma: number, value: (replayed: Replay) => number): number =>
      mean([1, 2, 3].map((seed) => over('vista-no-dashboard', { sigma, seed }, value)));
    const withLedger = over('vista', { dashboard: 'none' }, archived);
    const blocks = [0, 1, 2, 4].map((sigma) => noisy(sigma, archived));
    expect(blocks[0]).toBeCloseTo(withLedger, 6);
    expect(blocks[1]).toBeGreaterThan(withLedger);
    expect(blocks[3]).toBeGreaterThan(blocks[1] ?? Infinity);
    const obligations = [0, 1, 4].map((sigma) => noisy(sigma, ({ totals }) => totals.obligations));
    expect(obligations[1]).toBeGreaterThan(obligations[0] ?? Infinity);
    expect(obligations[2]).toBeGreaterThan(obligations[1] ?? Infinity);
  });
});

describe('evidence', () => {
  it('is never lost by vista where it is feasible, and always something by append-truncate', () => {
    for (const budget of [4000, 8000, 16_000]) {
      expect(over('vista', {}, ({ totals }) => totals.evidenceLost, budget)).toBe(0);
      expect(over('append-truncate', {}, ({ totals }) => totals.evidenceLost, budget)).toBeGreaterThan(0);
    }
  });

  it('is lost without recovery', () => {
    expect(over('vista-no-recovery', {}, ({ totals }) => totals.evidenceLost)).toBeGreaterThan(0);
  });
});

describe('reference lines', () => {
  it('the oracle must read back least, chance most', () => {
    const reads = (policy: string): number => over(policy, {}, ({ totals }) => totals.obligations);
    expect(reads('oracle')).toBeLessThan(reads('auto-archive'));
    expect(reads('auto-archive')).toBeLessThan(reads('random-archive'));
  });
});

describe('ablations that change only the rendering', () => {
  it('archive about as much as vista', () => {
    const vista = over('vista', {}, archived);
    for (const policy of ['vista-status-board', 'vista-wording']) expect(over(policy, {}, archived) / vista).toBeGreaterThan(0.6);
    for (const policy of ['vista-status-board', 'vista-wording']) expect(over(policy, {}, archived) / vista).toBeLessThan(1.6);
  });
});
