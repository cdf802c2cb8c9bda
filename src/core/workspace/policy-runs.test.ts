import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countQuarters, inputOf, messagesOf } from '../../testing/workspace';
import { randomRun, type RandomRun } from '../../testing/random-runs';
import { TOKENS_ONCE } from '../trace/blocks-types';
import { dashboardPieces, dashboardTextTokens } from './dashboard-text';
import { Fold, foldFromStart } from './fold';
import { blockIndex, KIND } from './kinds';
import { PieceCounter } from './pieces';
import { ensurePolicy, listPolicies } from './policies';
import { cachedTokens, DEFAULT_CACHE } from './provider-cache';
import { renderPrompt } from './render';
import { replay } from './replay';
import { stateAt } from './state-at';
import { SWATCHES, type Op, type Replay, type ReplayRequest } from './types';
import { validateAnthropic } from './validate-anthropic';
import { validateOpenAi } from './validate-openai';

/** Fewer runs each, for there are many policies; together they see thousands of runs. */
const RUNS = { numRuns: 20 };
const requests: fc.Arbitrary<number> = fc.oneof(fc.integer({ min: 600, max: 3000 }), fc.integer({ min: 3000, max: 12_000 }));
const variants: ReplayRequest[] = [
  ...listPolicies().map(({ id }) => ({ policy: id, budget: 0 })),
  { policy: 'vista', params: { dashboard: 'compact', foldArchived: false }, budget: 0 },
  { policy: 'vista', params: { dashboard: 'status-board' }, budget: 0 },
  { policy: 'vista', params: { dashboard: 'acm-stats' }, budget: 0 },
  { policy: 'vista', params: { dashboard: 'full', foldArchived: false, handleShare: 0.01 }, budget: 0 },
  { policy: 'tool-clearing', params: { form: 'pair', trigger: 800, keep: 1 }, budget: 0 },
  { policy: 'tool-clearing', params: { form: 'stub', trigger: 800, keep: 2, excludeTools: 'read' }, budget: 0 },
  { policy: 'active-compression', params: { when: 'focus', maxTurns: 3 }, budget: 0 },
  { policy: 'acon', params: { what: 'both', rule: 'reset', observation: 300 }, budget: 0 },
];
const inputFor = (run: RandomRun) => inputOf(run.blocks, run.demands, run.tools);
const nameOf = (request: ReplayRequest): string => `${request.policy}${request.params ? ` ${JSON.stringify(request.params)}` : ''}`;

/** The trace as it stood at call t: `after` = with what the call used, before what came back. */
function cut(run: RandomRun, step: number, after: boolean): RandomRun {
  const blocks = run.blocks.filter((block) => block.born <= step);
  // One assistant block more, the call itself, so that the step exists; it is born later, so no context holds it.
  const call = run.blocks.find((block) => block.born === step + 1 && block.kind === 'assistant');
  return {
    ...run,
    blocks: call ? [...blocks, { ...call, calls: 0 }] : blocks,
    demands: run.demands.filter((demand) => (after ? demand.step <= step : demand.step < step)),
  };
}

const upTo = (replayed: Replay, step: number, keep: (op: Op) => boolean): Op[] => replayed.ops.filter((op) => op.step <= step && keep(op));

describe.each(variants.map((request) => [nameOf(request), request] as const))('%s', (_, template) => {
  const policy = ensurePolicy(template.policy);
  const check = (property: (run: RandomRun, replayed: Replay, request: ReplayRequest) => void): void => {
    fc.assert(fc.property(randomRun(), requests, (run, budget) => {
      const request = { ...template, budget };
      property(run, replay(inputFor(run), request, countQuarters), request);
    }), RUNS);
  };

  it('ends every step within the budget, or says what would do (invariant 1)', () => {
    check((_run, { steps, budget, totals }) => {
      for (let t = 0; t < steps.n; t++) {
        const tokens = steps.contextTokens[t] ?? 0;
        if (!policy.bound) {
          expect(steps.infeasible[t]).toBe(0);
          expect(steps.mode[t]).toBe(tokens > budget ? 2 : 0);
        } else if (steps.infeasible[t] === 1) {
          expect(tokens).toBeGreaterThan(budget);
          expect(steps.smallestFeasibleBudget[t]).toBeGreaterThan(budget);
        } else {
          expect(tokens).toBeLessThanOrEqual(budget);
          expect(steps.smallestFeasibleBudget[t]).toBe(0);
        }
      }
      expect(totals.infeasibleSteps).toBe(steps.infeasible.reduce((sum, flag) => sum + flag, 0));
    });
  });

  it('never takes out the system prompt, the task or the last round', () => {
    if (policy.id === 'recorded') return;
    check((_run, replayed) => {
      for (let t = 1; t <= replayed.steps.n; t++) {
        const { status, visible } = stateAt(replayed, t);
        const shown = new Set(visible);
        for (let item = 0; item < replayed.blocks.n; item++) {
          if ((replayed.blocks.base[item] ?? -1) < 0 || (replayed.blocks.bornStep[item] ?? 0) > t) continue;
          const kind = replayed.blocks.kind[item];
          const fresh = replayed.blocks.bornStep[item] === t;
          if (kind === KIND.system || kind === KIND.task || (fresh && !((policy.archive || policy.prunesNew) && kind === KIND.tool_result))) expect(shown.has(item), `B${item + 1} at ${t}, status ${status[item]}`).toBe(true);
        }
      }
    });
  });

  it('counts what it renders: swatches, rows, dashboard, both protocols valid (invariant 4)', () => {
    check((run, replayed) => {
      const input = inputFor(run);
      const messages = messagesOf(run.blocks);
      const tools = run.tools > 0 ? [{ name: 'tool', json: '{"name":"tool"}' }] : [];
      const source = { blocks: input.blocks, facts: input.facts, tools, message: (i: number) => messages[i]!, count: countQuarters };
      const pieces = new PieceCounter(countQuarters);
      for (let t = 1; t <= replayed.steps.n; t++) {
        const tokens = replayed.steps.contextTokens[t - 1] ?? 0;
        const row = replayed.steps.bySwatch.subarray((t - 1) * SWATCHES.length, t * SWATCHES.length);
        expect(row.reduce((sum, part) => sum + part, 0)).toBe(tokens);
        const state = stateAt(replayed, t);
        const dashboard = dashboardPieces(replayed, state);
        // A dashboard names its own size: digits may differ by one where it did not settle.
        expect(Math.abs(pieces.tokens(dashboard) - dashboardTextTokens(replayed, t))).toBeLessThanOrEqual(3);
        const openai = renderPrompt(replayed, t, source, 'openai');
        expect(openai.rows.reduce((sum, each) => sum + each.tokens, 0)).toBe(tokens);
        expect(validateOpenAi(openai.body)).toEqual([]);
        expect(validateAnthropic(renderPrompt(replayed, t, source, 'anthropic').body)).toEqual([]);
      }
    });
  });

  it('reuses exactly the common prefix with the rendering before', () => {
    check((run, replayed) => {
      const input = inputFor(run);
      const messages = messagesOf(run.blocks);
      const source = { blocks: input.blocks, facts: input.facts, tools: [], message: (i: number) => messages[i]!, count: countQuarters };
      const rowsAt = (t: number) => renderPrompt(replayed, t, source, 'openai').rows.filter((row) => row.kind !== 'dashboard');
      let before = rowsAt(1);
      expect(replayed.steps.cachedTokens[0]).toBe(0);
      for (let t = 2; t <= replayed.steps.n; t++) {
        const now = rowsAt(t);
        let prefix = -TOKENS_ONCE;
        for (let k = 0; k < Math.min(before.length, now.length) && before[k]?.text === now[k]?.text && before[k]?.blocks[0] === now[k]?.blocks[0]; k++) prefix += now[k]?.tokens ?? 0;
        expect(replayed.steps.cachedTokens[t - 1]).toBe(cachedTokens(prefix, DEFAULT_CACHE));
        before = now;
      }
    });
  });

  it('measures every demand once', () => {
    check((run, { steps, totals }) => {
      for (let t = 1; t <= steps.n; t++) {
        const own = run.demands.filter((demand) => demand.step === t && !demand.prompt).reduce((sum, demand) => sum + (demand.weight ?? 1), 0);
        expect(steps.demandWeight[t - 1]).toBe(own);
        expect((steps.visibleWeight[t - 1] ?? 0) + (steps.recoverableWeight[t - 1] ?? 0) + (steps.lostWeight[t - 1] ?? 0)).toBe(own);
      }
      if ((policy.recovers && policy.capabilities.exactRecovery) || policy.id === 'keep-everything') expect(totals.evidenceLost).toBe(0);
    });
  });

  it('knows only the past (invariant 6)', () => {
    // The one exception, and it says so.
    expect(policy.causal).toBe(policy.id !== 'oracle');
    if (!policy.causal) return;
    fc.assert(fc.property(randomRun(), requests, fc.nat(12), (run, budget, at) => {
      const request = { ...template, budget };
      const whole = replay(inputFor(run), request, countQuarters);
      const step = 1 + (at % whole.steps.n);
      const before = replay(inputFor(cut(run, step, false)), request, countQuarters);
      const ownOps = (op: Op): boolean => op.actor !== 'engine' || op.step < step;
      // What the policy did before it was recovered for; engine ops of this step come from the call.
      const firstEngine = whole.ops.findIndex((op) => op.step === step && op.op === 'recover');
      const ownEnd = firstEngine < 0 ? whole.ops.length : firstEngine;
      const own = (replayed: Replay): Op[] => upTo({ ...replayed, ops: replayed === whole ? whole.ops.slice(0, ownEnd) : replayed.ops }, step, ownOps);
      expect(own(before)).toEqual(own(whole));
      const after = replay(inputFor(cut(run, step, true)), request, countQuarters);
      expect(upTo(after, step, () => true)).toEqual(upTo(whole, step, () => true));
      expect(after.steps.contextTokens[step - 1]).toBe(whole.steps.contextTokens[step - 1]);
    }), RUNS);
  });

  it('is deterministic and folds to the same state by every way (invariant 7)', () => {
    check((run, replayed, request) => {
      const again = replay(inputFor(run), request, countQuarters);
      expect(again.ops).toEqual(replayed.ops);
      expect(again.steps).toEqual(replayed.steps);
      const fold = new Fold(replayed, 4);
      for (let t = 1; t <= replayed.steps.n; t++) {
        const state = stateAt(replayed, t);
        expect(foldFromStart(replayed, t)).toEqual(state);
        expect(fold.stateAt(t)).toEqual(state);
        expect(state.visible.length + state.archived.length + state.lost.length).toBe([...state.status].filter((code) => code > 0).length);
      }
      for (const op of replayed.ops) for (const id of op.ids) expect(blockIndex(id)).toBeGreaterThanOrEqual(0);
    });
  });
});
