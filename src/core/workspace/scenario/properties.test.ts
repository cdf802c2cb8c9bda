/** Random scenarios: the seven invariants of model.md §3 hold whatever a person does, and nothing that is typed is lost. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRun, type RandomRun } from '../../../testing/random-runs';
import { placedOn, randomScenario } from '../../../testing/random-scenarios';
import { countQuarters, inputOf, messagesOf, textOfBlock } from '../../../testing/workspace';
import { Fold, foldFromStart } from '../fold';
import { blockIndex, KIND, STATUS } from '../kinds';
import { readPayload, verifyPayload } from '../payload';
import { renderPrompt } from '../render';
import { replay } from '../replay';
import { stateAt } from '../state-at';
import type { Replay, ReplayRequest } from '../types';
import { validateAnthropic } from '../validate-anthropic';
import { validateOpenAi } from '../validate-openai';
import type { ScenarioOp } from './types';

const RUNS = { numRuns: 150 };
const requests = fc.record({
  budget: fc.oneof(fc.integer({ min: 600, max: 3000 }), fc.integer({ min: 3000, max: 20_000 })),
  params: fc.record({ guard: fc.boolean(), recoverOnDemand: fc.boolean(), dashboard: fc.constantFrom('none', 'full', 'compact', 'acm-stats') }),
});
const inputFor = (run: RandomRun) => inputOf(run.blocks, run.demands, run.tools);
const check = (property: (run: RandomRun, replayed: Replay, request: ReplayRequest, scenario: ScenarioOp[]) => void): void => {
  fc.assert(fc.property(randomRun(10), randomScenario(), requests, (run, drawn, { budget, params }) => {
    const scenario = placedOn(run, drawn);
    const request: ReplayRequest = { policy: 'manual', budget, params, scenario };
    property(run, replay(inputFor(run), request, countQuarters), request, scenario);
  }), RUNS);
};

describe('random scenarios', () => {
  it('every operation is applied or refused in words, none is lost', () => {
    let applied = 0;
    let refused = 0;
    check((_run, replayed, _request, scenario) => {
      expect(replayed.outcomes!.map(({ id }) => id)).toEqual(scenario.map(({ id }) => id));
      for (const outcome of replayed.outcomes!) {
        if (outcome.applied) applied++;
        else refused++;
        expect(outcome.refused === null).toBe(outcome.applied);
        if (!outcome.applied) expect([outcome.made, outcome.tokensAfter]).toEqual([[], outcome.tokensBefore]);
        for (const id of [...outcome.ids, ...outcome.cascade, ...outcome.made]) expect(blockIndex(id)).toBeLessThan(replayed.blocks.n);
      }
    });
    // Both happen often, else the other properties would say little.
    expect(applied).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  it('each step ends within B or says what would do (1)', () => {
    check((_run, { steps, budget, params }) => {
      for (let t = 0; t < steps.n; t++) {
        const tokens = steps.contextTokens[t] ?? 0;
        if (params['guard'] === false) expect([steps.infeasible[t], steps.mode[t]]).toEqual([0, tokens > budget ? 2 : 0]);
        else if (steps.infeasible[t] === 1) expect(steps.smallestFeasibleBudget[t]).toBeGreaterThan(budget);
        else expect(tokens).toBeLessThanOrEqual(budget);
      }
    });
  });

  it('every byte that was not deleted can be read (2, 3)', () => {
    check((run, replayed) => {
      const { blocks } = replayed;
      const { status } = stateAt(replayed, replayed.steps.n);
      const textOf = (base: number): string => textOfBlock(run.blocks[base]!, base);
      for (let item = 0; item < blocks.n; item++) {
        const base = blocks.base[item] ?? -1;
        if (base >= 0 && status[item] !== STATUS.deleted && status[item] !== STATUS.unborn) expect(new TextDecoder().decode(readPayload(replayed, status, item, textOf).bytes)).toBe(textOf(base));
        if (blocks.kind[item] === KIND.handle) expect(verifyPayload(replayed, item, textOf)).toBe(true);
        if (blocks.kind[item] !== KIND.recovered) continue;
        const members = [...blocks.members.subarray(blocks.memberStart[item], blocks.memberStart[item + 1])];
        // Copies and what they are copies of hold the same bytes, whatever was deleted since.
        const whole = members.map((member) => new TextDecoder().decode(readPayload(replayed, new Uint8Array(0), member, textOf).bytes)).join('');
        expect(new TextDecoder().decode(readPayload(replayed, new Uint8Array(0), item, textOf).bytes)).toBe(whole);
      }
      const deletions = replayed.ops.some(({ op }) => op === 'delete');
      if (!deletions) expect([...status].includes(STATUS.deleted)).toBe(false);
    });
  });

  it('renders valid prompts whose rows add up (4)', () => {
    check((run, replayed) => {
      const input = inputFor(run);
      const messages = messagesOf(run.blocks);
      const source = { blocks: input.blocks, facts: input.facts, tools: run.tools > 0 ? [{ name: 'tool', json: '{"name":"tool"}' }] : [], message: (i: number) => messages[i]!, count: countQuarters };
      for (let t = 1; t <= replayed.steps.n; t++) {
        const openai = renderPrompt(replayed, t, source, 'openai');
        expect(openai.rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(replayed.steps.contextTokens[t - 1]);
        expect(validateOpenAi(openai.body)).toEqual([]);
        expect(validateAnthropic(renderPrompt(replayed, t, source, 'anthropic').body)).toEqual([]);
      }
    });
  });

  it('pins hold, and system prompt and task stay (5)', () => {
    check((_run, replayed) => {
      const pinned = new Set<string>();
      for (const op of replayed.ops) {
        if (op.op === 'pin') op.ids.forEach((id) => pinned.add(id));
        else if (op.op === 'unpin') op.ids.forEach((id) => pinned.delete(id));
        else if (op.op !== 'recover' && op.op !== 'note') expect(op.ids.filter((id) => pinned.has(id))).toEqual([]);
      }
      const { status } = stateAt(replayed, replayed.steps.n);
      for (const id of pinned) expect(status[blockIndex(id)]).toBe(STATUS.visible);
      for (let item = 0; item < 2; item++) expect(status[item]).toBe(STATUS.visible);
    });
  });

  it('operations up to a step depend on nothing after it (6)', () => {
    check((run, replayed, request) => {
      const step = Math.max(1, Math.floor(replayed.steps.n / 2));
      const call = run.blocks.find((block) => block.born === step + 1 && block.kind === 'assistant');
      const blocks = [...run.blocks.filter((block) => block.born <= step), ...(call ? [{ ...call, calls: 0 }] : [])];
      const cut = replay(inputOf(blocks, run.demands.filter((demand) => demand.step < step), run.tools), request, countQuarters);
      const own = (each: Replay) => each.ops.filter((op) => op.actor === 'user' && op.step <= step);
      expect(own(cut)).toEqual(own(replayed));
    });
  });

  it('is deterministic and folds to one state (7)', () => {
    check((run, replayed, request) => {
      const again = replay(inputFor(run), request, countQuarters);
      expect(again.ops).toEqual(replayed.ops);
      expect(again.outcomes).toEqual(replayed.outcomes);
      const fold = new Fold(replayed, 3);
      for (let t = 1; t <= replayed.steps.n; t++) {
        const state = stateAt(replayed, t);
        expect(foldFromStart(replayed, t)).toEqual(state);
        expect(fold.stateAt(t)).toEqual(state);
      }
    });
  });

  it('an archive that is recovered shows the same bytes, and needs no deletion to fail', () => {
    fc.assert(fc.property(randomRun(8), fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), fc.integer({ min: 2, max: 8 }), fc.boolean(), (run, picks, step, cascade) => {
      const steps = run.blocks.filter(({ kind }) => kind === 'assistant').length;
      const at = Math.min(step, steps);
      const there = run.blocks.flatMap((block, base) => (block.born <= at && block.kind !== 'system' && block.kind !== 'task' ? [base] : []));
      if (there.length === 0) return;
      const chosen = [...new Set(picks.map((pick) => there[pick % there.length]!))];
      const scenario: ScenarioOp[] = [
        { id: 'a1', step: at, op: 'archive', blocks: chosen.map((base) => `base:${base}`), cascade, label: 'kept' },
        { id: 'a2', step: at, op: 'archive', blocks: ['op:a1'], label: 'twice', cascade: false },
        { id: 'a3', step: at, op: 'recover', blocks: [], label: 'twice' },
      ];
      const replayed = replay(inputFor(run), { policy: 'manual', budget: 1_000_000, params: { recoverOnDemand: false }, scenario }, countQuarters);
      expect(replayed.outcomes!.map(({ refused }) => refused)).toEqual([null, null, null]);
      const copy = blockIndex(replayed.outcomes![2]!.made[0]!);
      const textOf = (base: number): string => textOfBlock(run.blocks[base]!, base);
      const archived = replayed.outcomes![0]!.ids.map((id) => replayed.blocks.base[blockIndex(id)] ?? -1);
      expect(new TextDecoder().decode(readPayload(replayed, stateAt(replayed, at).status, copy, textOf).bytes)).toBe(archived.map(textOf).join(''));
    }), RUNS);
  });
});
