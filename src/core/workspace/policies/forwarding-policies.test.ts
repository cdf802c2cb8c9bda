/**
 * GEM and the selectors as policies. A hand-made run of twenty rounds whose answers follow from the axes its blocks lie on,
 * and properties of gem.md §12 over random runs, against the algorithm replayed without a workspace.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SELECTORS } from '../../selection/selectors';
import { replayForwarding } from '../../selection/forwarding';
import type { LineSelection } from '../../selection/line-selection';
import { viewOf } from '../../selection/selection-view';
import type { ParameterValue, Replay, ReplayInput } from '../types';
import { replay } from '../replay';
import { stateAt } from '../state-at';
import { cutSelection, selectionOfBlocks } from '../../../testing/selection';
import { contextsOf } from '../../../testing/twelve-blocks';
import { blocksOf, countWords, inputOf, type TestBlock } from '../../../testing/workspace';

const DIM = 3;
const axis = (k: number): Float32Array => Float32Array.from({ length: DIM }, (_, i) => (i === k ? 1 : 0));

/** System, task, then rounds of a call and its result; `users`: a new instruction after that many rounds. */
function rounds(n: number, users: readonly number[] = []): TestBlock[] {
  const notation = Array.from({ length: n }, (_, i) => `A 10, O 100 bash${users.includes(i + 1) ? ', U 20' : ''}`);
  return blocksOf(['S 10, T 10', ...notation, 'A 10'].join(', '));
}

/** Interaction block of a selection text, told by its assistant message's block index. */
const roundOf = (blocks: readonly TestBlock[], text: string): number => {
  const base = Number(/^ASSISTANT_TEXT\nblock (\d+) /.exec(text)?.[1] ?? NaN);
  return blocks.slice(0, base).filter((block) => block.kind === 'assistant').length;
};

/** Round 3 lies on axis 1, round 7 on axis 2, every other on axis 0; the task on axis 1, later instructions on axis 2. */
function twenty(users: readonly number[] = []): ReplayInput {
  const blocks = rounds(20, users);
  let round = -1;
  blocks.forEach((block, i) => {
    if (block.kind === 'assistant') round++;
    // Rounds 5 and 6 are about half as long as the others.
    const long = 'words and more words of the same length';
    block.text = `block ${i} ${round === 5 || round === 6 ? 'x' : long}`;
  });
  const vectorOf = (text: string): Float32Array => {
    if (text.startsWith('ASSISTANT_TEXT')) return axis({ 3: 1, 7: 2 }[roundOf(blocks, text)] ?? 0);
    return axis(/^block 1 /.test(text) ? 1 : 2);
  };
  const { selection: _, ...input } = inputOf(blocks);
  return { ...input, selection: selectionOfBlocks(blocks, vectorOf, DIM) };
}

const run = (input: ReplayInput, policy: string, params: Record<string, ParameterValue> = {}, budget = 100_000): Replay => replay(input, { policy, params, budget }, countWords);

/** Rounds that are in the context at a step, by their number. */
function roundsAt(input: ReplayInput, replayed: Replay, step: number): number[] {
  const calls = [...input.blocks.kind.keys()].filter((base) => input.blocks.kind[base] === 3);
  return [...stateAt(replayed, step).visible].flatMap((item) => {
    const round = calls.indexOf(replayed.blocks.base[item] ?? -1);
    return round < 0 ? [] : [round];
  });
}

const upTo = (n: number, without: readonly number[] = []): number[] => Array.from({ length: n }, (_, i) => i).filter((i) => !without.includes(i));

describe('gem on twenty rounds', () => {
  const input = twenty();

  it('carries everything below sixteen complete blocks', () => {
    const replayed = run(input, 'gem', { form: 'core' });
    expect(roundsAt(input, replayed, 16)).toEqual(upTo(15));
  });

  it('core: what is protected, and no more where that covers τ', () => {
    const replayed = run(input, 'gem', { form: 'core' });
    // Four newest and the one nearest to the task: they span all but round 7, 15/16 and 16/17 of the blocks.
    expect(roundsAt(input, replayed, 17)).toEqual([3, 12, 13, 14, 15]);
    expect(roundsAt(input, replayed, 18)).toEqual([3, 13, 14, 15, 16]);
    expect(replayed.ops.filter(({ op }) => op === 'clear').slice(0, 11).map(({ ids }) => ids)).toContainEqual(['B3', 'B4']);
    expect(replayed.notes?.join(' ')).toContain('Selections ended by coverage');
  });

  it('core at a higher τ adds the block with the largest residual', () => {
    expect(roundsAt(input, run(input, 'gem', { form: 'core', tau: 0.96 }), 17)).toEqual([3, 7, 12, 13, 14, 15]);
  });

  it('guarded: at a first selection only what stays within 5 % goes, and nothing in between', () => {
    const replayed = run(input, 'gem');
    // A long round is more than 5 % of the request, one short round is less, two are more; of equal ones the newer goes.
    expect(roundsAt(input, replayed, 16)).toEqual(upTo(15));
    for (const step of [17, 19, 21]) expect(roundsAt(input, replayed, step)).toEqual(upTo(step - 1, [6]));
    expect(replayed.totals.opsByKind).toEqual({ clear: 1 });
  });

  it('a new instruction selects again: guarded from everything, cumulative from what was carried last', () => {
    const later = twenty([18]);
    // The instruction comes with call 19 and lies on axis 2: round 7 is protected now. Block 6 goes again; cumulative takes 5 too.
    expect(roundsAt(later, run(later, 'gem'), 19)).toEqual(upTo(18, [6]));
    expect(roundsAt(later, run(later, 'gem', { form: 'cumulative' }), 18)).toEqual(upTo(17, [6]));
    expect(roundsAt(later, run(later, 'gem', { form: 'cumulative' }), 19)).toEqual(upTo(18, [5, 6]));
    const core = run(later, 'gem', { form: 'core' });
    expect(roundsAt(later, core, 18)).toEqual([3, 13, 14, 15, 16]);
    // Round 3 is no longer near the goal, and its axis is 1/18 of the energy: it goes; round 7 comes back where it stood.
    expect(roundsAt(later, core, 19)).toEqual([7, 14, 15, 16, 17]);
    expect(core.ops.find(({ op, step }) => op === 'recover' && step === 19)).toMatchObject({ actor: 'policy', ids: ['B17', 'B18'] });
  });

  it('is bound by no budget unless it is told to fit, and says what was trimming', () => {
    const free = run(input, 'gem', {}, 1000);
    expect(free.totals.overSteps).toBeGreaterThan(0);
    expect(free.totals.infeasibleSteps).toBe(0);
    const fit = run(input, 'gem', { fit: true }, 1000);
    expect(Math.max(...fit.steps.contextTokens)).toBeLessThanOrEqual(1000);
    expect(fit.notes?.join(' ')).toMatch(/Trimming to B took \d+ tokens, \d+ % of all that went/);
  });

  it('a call id used twice before the call: the request is unchanged', () => {
    const { selection, ...rest } = input;
    const clash = Uint8Array.from({ length: selection!.steps }, (_, i) => (i >= 17 ? 1 : 0));
    const replayed = run({ ...rest, selection: { ...selection!, clash } }, 'gem', { form: 'core' });
    expect(roundsAt(input, replayed, 17)).toEqual([3, 12, 13, 14, 15]);
    expect(roundsAt(input, replayed, 18)).toEqual(upTo(17));
    expect(replayed.notes?.join(' ')).toContain('returned unchanged');
  });

  it('names the encoder, and refuses to run without vectors', () => {
    expect(run(input, 'gem').encoder).toMatchObject({ id: 'hashed-1024@1', dim: DIM });
    const { selection: _, ...bare } = input;
    expect(() => run(bare, 'gem')).toThrow(/choose an encoder/);
    expect(run(bare, 'recency').encoder).toBeUndefined();
  });
});

describe('selectors on twenty rounds', () => {
  const input = twenty();

  it.each([
    ['selector:recency', [17, 18, 19]],
    ['selector:uniform', [3, 10, 16]],
    // Axis 0 first (the newest of its eighteen), then the residuals of 7 and 3, the newer first.
    ['selector:geometry', [3, 7, 19]],
    // All but one cosine are 0: ties go to the newer.
    ['selector:relevance', [3, 18, 19]],
    // Protected: four newest and the one nearest to the task; K = 3 is below that.
    ['selector:gem', [3, 16, 17, 18, 19]],
    ['selector:gem-recent', [3, 7, 19]],
    ['selector:gem-goal', [16, 17, 18, 19]],
  ])('%s keeps its three', (policy, kept) => {
    expect(roundsAt(input, run(input, policy, { k: 3 }), 21)).toEqual(kept);
  });

  it('a higher K completes by residual, by gain or by distance: both other axes', () => {
    for (const id of ['gem', 'max-gain', 'k-center']) expect(roundsAt(input, run(input, `selector:${id}`, { k: 6 }), 21), id).toEqual([3, 7, 16, 17, 18, 19]);
    expect(roundsAt(input, run(input, 'selector:random', { k: 6, seed: 1 }), 21)).toHaveLength(6);
    expect(run(input, 'selector:random', { k: 6, seed: 1 }).ops).not.toEqual(run(input, 'selector:random', { k: 6, seed: 2 }).ops);
  });

  it('both forms: over B, or trimmed to it', () => {
    expect(run(input, 'selector:recency', { k: 10 }, 600).totals.overSteps).toBeGreaterThan(0);
    expect(Math.max(...run(input, 'selector:recency', { k: 10, fit: true }, 600).steps.contextTokens)).toBeLessThanOrEqual(600);
  });
});

/** Random vectors for every text, the same for the same text. */
const randomRun = fc.record({ n: fc.integer({ min: 14, max: 40 }), users: fc.uniqueArray(fc.integer({ min: 1, max: 39 }), { maxLength: 3 }), salt: fc.integer({ min: 0, max: 1e6 }) })
  .map(({ n, users, salt }) => {
    const blocks = rounds(n, users);
    const vectorOf = (text: string): Float32Array => {
      let state = salt ^ 0x9e3779b9;
      for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16_777_619);
      return Float32Array.from({ length: 8 }, () => {
        state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
        return (state >>> 8) / 2 ** 24 - 0.5;
      });
    };
    const { selection: _, ...input } = inputOf(blocks);
    return { ...input, selection: selectionOfBlocks(blocks, vectorOf, 8) };
  });

const requestsOf = (selection: LineSelection) => Array.from({ length: selection.steps }, (_, i) => viewOf(selection).request(i + 1));

describe('properties over random runs', () => {
  it('each request carries what Algorithm 1 forwards, guarded at least 95 % of the characters, in order', () => {
    fc.assert(fc.property(randomRun, fc.constantFrom('guarded', 'cumulative', 'core'), (input, mode) => {
      const { selection } = input;
      const replayed = run(input, 'gem', { form: mode });
      const steps = replayForwarding({ rows: viewOf(selection).rows, detections: selection.detections, sizes: selection.sizes, requests: requestsOf(selection) }, { mode });
      for (const [i, { forwarded, fullChars, forwardedChars }] of steps.entries()) {
        expect(roundsAt(input, replayed, i + 1)).toEqual(forwarded);
        if (mode === 'guarded') expect(forwardedChars).toBeGreaterThanOrEqual(0.95 * fullChars);
      }
      // Base blocks stand in the order of the record, each result with its call.
      for (const context of contextsOf(replayed)) {
        const bases = context.split(' ').map(Number);
        expect(bases).toEqual([...bases].sort((a, b) => a - b));
        for (const base of bases) if ((input.blocks.parent[base] ?? -1) >= 0) expect(bases).toContain(input.blocks.parent[base]);
      }
    }), { numRuns: 25 });
  });

  it('cut before any call, every forwarding policy has done the same', () => {
    fc.assert(fc.property(randomRun, fc.constantFrom('gem', 'pace', ...SELECTORS.map(({ id }) => `selector:${id}`)), fc.double({ min: 0, max: 1, noNaN: true }), (input, policy, at) => {
      const step = 1 + Math.floor(at * (input.facts.steps - 1));
      let n = 0;
      while (n < input.blocks.n && (input.blocks.bornStep[n] ?? 0) <= step) n++;
      const { evidence, facts, blocks } = input;
      const cut: ReplayInput = {
        ...input, blocks: { ...blocks, n }, facts: { ...facts, steps: step }, evidence: { ...evidence, steps: step, blocks: n, demandStart: evidence.demandStart.slice(0, step + 1) },
        selection: cutSelection(input.selection, step),
      };
      const whole = run(input, policy, {}, 1500).ops.filter((op) => op.step <= step);
      expect(run(cut, policy, {}, 1500).ops.filter((op) => op.step <= step)).toEqual(whole);
    }), { numRuns: 60 });
  });
});
