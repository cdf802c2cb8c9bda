import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countQuarters, factsOf, messagesOf, replayOfWorkspace, tableOf, textOfBlock } from '../../testing/workspace';
import { randomRun, type RandomRun } from '../../testing/random-runs';
import { forEachLeaf, graphOf } from './block-graph';
import { Fold, foldFromStart } from './fold';
import { blockIndex, KIND, STATUS } from './kinds';
import * as ops from './operations';
import { readPayload, verifyPayload } from './payload';
import { validateAnthropic } from './validate-anthropic';
import { validateOpenAi } from './validate-openai';
import { renderPrompt } from './render';
import { stateAt } from './state-at';
import type { Replay } from './types';
import { Workspace } from './workspace';

const by = { actor: 'user', reason: 'test' } as const;
const NAMES = ['archive', 'archive', 'offload', 'reject', 'mask', 'clear', 'trim', 'summarise', 'fold', 'expand', 'delete', 'pin', 'unpin', 'recover', 'recoverRange', 'note'] as const;
interface RandomOp { name: (typeof NAMES)[number]; picks: number[]; from: number; length: number }
const randomOp: fc.Arbitrary<RandomOp> = fc.record({
  name: fc.constantFrom(...NAMES), picks: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 5 }), from: fc.nat(30), length: fc.nat(30),
});

function apply(ws: Workspace, { name, picks, from, length }: RandomOp): void {
  const items = [...new Set(picks.map((pick) => pick % ws.columns.n))];
  const one = items[0] ?? 0;
  switch (name) {
    case 'archive': ops.archive(ws, items, by, 'summary'); break;
    case 'offload': ops.offload(ws, one, by); break;
    case 'reject': ops.reject(ws, one, 10, by); break;
    case 'mask': case 'clear': ops.replaceBy(ws, name, one, '[gone]', by); break;
    case 'trim': ops.remove(ws, 'trim', items, by); break;
    case 'summarise': case 'fold': ops.summarise(ws, name, items, 'a summary of it', by); break;
    case 'expand': ops.expand(ws, one, by); break;
    case 'delete': ops.destroy(ws, [one], by); break;
    case 'pin': case 'unpin': ops.setPins(ws, name, items, by); break;
    case 'note': ops.note(ws, by); break;
    case 'recoverRange': ops.recoverRange(ws, one, [from, from + length], by); break;
    case 'recover': {
      const holder = ws.columns.container.get(one);
      if (holder >= 0 && ws.statusOf(one) !== STATUS.deleted && ws.statusOf(holder) !== STATUS.deleted && ws.columns.base.get(one) >= 0) ops.recover(ws, holder, [one], by);
    }
  }
}

interface Driven { ws: Workspace; replay: Replay; sums: { size: number; swatches: number; expected: number }[] }

/** Drives a workspace with random ops, a few a step. */
function drive(run: RandomRun, log: readonly RandomOp[][]): Driven {
  const facts = factsOf(run.blocks, run.tools);
  const ws = new Workspace({ table: tableOf(run.blocks), facts, budget: 5000, dashboard: { kind: 'none', foldArchived: true }, protocolTokens: 0, count: countQuarters });
  const opStart = [0];
  const context: number[] = [];
  const sums: Driven['sums'] = [];
  let next = 0;
  for (let t = 1; t <= facts.steps; t++) {
    ws.step = t;
    const arrivals: number[] = [];
    while (next < run.blocks.length && (run.blocks[next]?.born ?? 0) <= t) arrivals.push(next++);
    if (arrivals.length > 0) ops.admit(ws, arrivals);
    for (const op of log[t - 1] ?? []) apply(ws, op);
    opStart.push(ws.ops.length);
    context.push(ws.size);
    let expected = ws.fixedTokens;
    for (let item = 0; item < ws.columns.n; item++) if (ws.isVisible(item)) expected += ws.costOf(item);
    sums.push({ size: ws.size, swatches: ws.swatches.reduce((sum, tokens) => sum + tokens, ws.fixedTokens), expected });
  }
  return { ws, replay: replayOfWorkspace(ws, opStart, context), sums };
}

const driven = fc.tuple(randomRun(10), fc.array(fc.array(randomOp, { maxLength: 6 }), { maxLength: 10 }));
const RUNS = { numRuns: 150 };

/** A block and every block it stands for, at any depth; a copy that was archived counts, for it can be deleted by itself. */
function within(graph: ReturnType<typeof graphOf>, item: number): number[] {
  const members = Array.from({ length: graph.memberCount(item) }, (_, k) => graph.member(item, k));
  return [item, ...members.flatMap((member) => within(graph, member))];
}

describe('random op logs', () => {
  it('keep running sums equal to a recount', () => {
    fc.assert(fc.property(driven, ([run, log]) => {
      for (const { size, swatches, expected } of drive(run, log).sums) {
        expect(size).toBe(expected);
        expect(swatches).toBe(expected);
      }
    }), RUNS);
  });

  it('fold to the same state from the start, from a snapshot and from the history (invariant 7)', () => {
    fc.assert(fc.property(driven, fc.integer({ min: 1, max: 5 }), ([run, log], every) => {
      const { replay } = drive(run, log);
      const fold = new Fold(replay, every);
      for (let t = replay.steps.n; t >= 1; t--) {
        const fromStart = foldFromStart(replay, t);
        expect(fold.stateAt(t)).toEqual(fromStart);
        expect(stateAt(replay, t)).toEqual(fromStart);
      }
    }), RUNS);
  });

  it('never touch pinned blocks (invariant 5)', () => {
    fc.assert(fc.property(driven, ([run, log]) => {
      const { replay } = drive(run, log);
      const pinned = new Set<string>();
      for (const op of replay.ops) {
        if (op.op === 'pin') op.ids.forEach((id) => pinned.add(id));
        else if (op.op === 'unpin') op.ids.forEach((id) => pinned.delete(id));
        else if (op.op !== 'recover' && op.op !== 'note') expect(op.ids.filter((id) => pinned.has(id))).toEqual([]);
      }
      const state = stateAt(replay, replay.steps.n);
      for (const id of pinned) expect(state.status[blockIndex(id)]).toBe(STATUS.visible);
    }), RUNS);
  });

  it('keep every byte that was not deleted (invariants 2 and 3)', () => {
    fc.assert(fc.property(driven, fc.nat(40), fc.nat(40), ([run, log], from, length) => {
      const { replay } = drive(run, log);
      const { blocks } = replay;
      const { status } = stateAt(replay, replay.steps.n);
      const textOf = (base: number): string => textOfBlock(run.blocks[base]!, base);
      const graph = graphOf(blocks);
      const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
      for (let item = 0; item < blocks.n; item++) {
        if (status[item] === STATUS.deleted) {
          expect(() => readPayload(replay, status, item, textOf)).toThrow(/deleted/);
          continue;
        }
        const base = blocks.base[item] ?? -1;
        if (base >= 0) expect(decode(readPayload(replay, status, item, textOf).bytes)).toBe(textOf(base));
        const isStore = blocks.kind[item] === KIND.handle || blocks.kind[item] === KIND.placeholder || blocks.kind[item] === KIND.notice;
        if (!isStore) continue;
        const whole = readPayload(replay, new Uint8Array(0), item, textOf).bytes;
        const leaves: number[] = [];
        forEachLeaf(graph, item, (leaf) => void leaves.push(leaf));
        if (leaves.every((leaf) => (blocks.base[leaf] ?? -1) >= 0)) {
          expect(decode(whole)).toBe(leaves.map((leaf) => textOf(blocks.base[leaf] ?? 0)).join(''));
          if (blocks.checksum[item] !== undefined) expect(verifyPayload(replay, item, textOf)).toBe(true);
          expect(verifyPayload(replay, item, (b) => `${textOf(b)}!`)).toBe(false);
        }
        const now = readPayload(replay, status, item, textOf);
        if (now.complete) {
          expect(now.bytes).toEqual(whole);
          expect(readPayload(replay, status, item, textOf, [from, from + length]).bytes).toEqual(whole.slice(from, from + length));
        } else expect(within(graph, item).some((block) => status[block] === STATUS.deleted)).toBe(true);
      }
    }), RUNS);
  });

  it('render to valid prompts whose rows add up to the context (invariant 4)', () => {
    fc.assert(fc.property(driven, ([run, log]) => {
      const { replay } = drive(run, log);
      const messages = messagesOf(run.blocks);
      const source = { blocks: tableOf(run.blocks), facts: factsOf(run.blocks, run.tools), tools: [], message: (i: number) => messages[i]!, count: countQuarters };
      for (let t = 1; t <= replay.steps.n; t++) {
        const openai = renderPrompt(replay, t, source, 'openai');
        expect(validateOpenAi(openai.body)).toEqual([]);
        expect(validateAnthropic(renderPrompt(replay, t, source, 'anthropic').body)).toEqual([]);
        expect(openai.rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(replay.steps.contextTokens[t - 1]);
        const shown = openai.rows.flatMap((row) => row.blocks);
        expect(new Set(shown)).toEqual(new Set([...stateAt(replay, t).visible].map((item) => `B${item + 1}`)));
      }
    }), RUNS);
  });
});
