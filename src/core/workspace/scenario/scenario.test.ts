/** Operations by hand on the twelve blocks, and the refusals in words. Token = word. */
import { describe, expect, it } from 'vitest';
import { contextAt, TWELVE, TWELVE_INPUT } from '../../../testing/twelve-blocks';
import { countWords, textOfBlock } from '../../../testing/workspace';
import { readPayload } from '../payload';
import { replay } from '../replay';
import { stateAt } from '../state-at';
import type { Replay, ReplayRequest } from '../types';
import { nameOfBlock } from './names';
import type { ScenarioOp } from './types';

const run = (scenario: readonly ScenarioOp[], request: Partial<ReplayRequest> = {}): Replay =>
  replay(TWELVE_INPUT, { policy: 'manual', budget: 5000, scenario, ...request }, countWords);
const op = (id: string, step: number, name: ScenarioOp['op'], blocks: (number | string)[], more: Partial<ScenarioOp> = {}): ScenarioOp =>
  ({ id, step, op: name, blocks: blocks.map((block) => (typeof block === 'number' ? `base:${block}` : block)), ...more });
const refusals = (replayed: Replay): (string | null)[] => (replayed.outcomes ?? []).map(({ refused }) => refused);

describe('a scenario by hand', () => {
  it('without operations everything stays, and the guard alone acts', () => {
    expect(contextAt(run([]), 6)).toBe('0 1 2 3 4 5 6 7 8 9 10 11');
    expect(run([]).outcomes).toEqual([]);
    const guarded = run([], { budget: 2000 });
    expect(guarded.ops.filter(({ op: name }) => name === 'offload').every(({ actor }) => actor === 'engine')).toBe(true);
    expect(Math.max(...guarded.steps.contextTokens)).toBeLessThanOrEqual(2000);
    const free = run([], { budget: 2000, params: { guard: false } });
    expect([...free.steps.mode]).toEqual([0, 0, 0, 2, 2, 2]);
    expect(free.ops.some(({ op: name }) => name === 'offload')).toBe(false);
  });

  it('archives at the step, with the words typed; the call goes along', () => {
    const replayed = run([op('a1', 3, 'archive', [3], { summary: 'the big read', label: 'read one' })]);
    expect(contextAt(replayed, 2)).toBe('0 1 2 3');
    expect(contextAt(replayed, 3)).toBe('0 1 handle(2 3) 4 5');
    const [outcome] = replayed.outcomes!;
    expect(outcome).toMatchObject({ applied: true, refused: null, notes: [], ids: ['B3', 'B4'], cascade: ['B3'], made: ['B7'], tokensBefore: 1977 });
    expect(outcome!.tokensAfter).toBe(replayed.steps.contextTokens[2]);
    expect(replayed.blocks.text[6]).toMatch(/^\[ARCHIVED:B3\.\.B4 L1\] label "read one": 2 blocks, ~1100 tokens, sha256 [0-9a-f]{12}, exact text by recover\. "the big read"$/);
    expect(replayed.ops.find(({ op: name }) => name === 'archive')).toMatchObject({ step: 3, actor: 'user', ids: ['B3', 'B4'], result: 'B7', label: 'read one', reason: 'by hand; 1 block goes along as call or result' });
    expect(replayed.replayClass).toBe('exact');
  });

  it('without the cascade only what was chosen goes', () => {
    expect(contextAt(run([op('a1', 3, 'archive', [3], { cascade: false })]), 3)).toBe('0 1 2 handle(3) 4 5');
  });

  it('bundles several, and bundles of bundles have level 2', () => {
    const replayed = run([op('a1', 4, 'archive', [3]), op('a2', 4, 'archive', [5]), op('a3', 5, 'archive', ['op:a1', 'op:a2'], { label: 'both' })]);
    expect(contextAt(replayed, 5)).toBe('0 1 handle(handle(2 3) handle(4 5)) 6 7 8 9');
    expect(replayed.blocks.level[replayed.outcomes![2]!.made.map((id) => Number(id.slice(1)) - 1)[0]!]).toBe(2);
  });

  it('recovers by block, by handle and by label, byte for byte', () => {
    const ops = [op('a1', 4, 'archive', [3]), op('a2', 4, 'archive', [5]), op('a3', 5, 'archive', ['op:a1', 'op:a2'], { label: 'both' })];
    for (const [recovered, leaves] of [[op('a4', 6, 'recover', [5]), [5]], [op('a4', 6, 'recover', ['op:a1']), [2, 3]], [op('a4', 6, 'recover', [], { label: 'both' }), [2, 3, 4, 5]]] as const) {
      const replayed = run([...ops, recovered], { params: { recoverOnDemand: false } });
      expect(refusals(replayed)).toEqual([null, null, null, null]);
      const copy = Number(replayed.outcomes![3]!.made[0]!.slice(1)) - 1;
      expect(contextAt(replayed, 6)).toBe(`0 1 handle(handle(2 3) handle(4 5)) 6 7 8 9 10 11 copy(${leaves.join(' ')})`);
      const textOf = (base: number): string => textOfBlock(TWELVE[base]!, base);
      expect(new TextDecoder().decode(readPayload(replayed, stateAt(replayed, 6).status, copy, textOf).bytes)).toBe(leaves.map(textOf).join(''));
    }
  });

  it('pins win over the guard, and over every operation', () => {
    const replayed = run([op('a1', 2, 'pin', [3]), op('a2', 3, 'archive', [3]), op('a3', 3, 'archive', [2]), op('a4', 3, 'delete', [2], { cascade: false }), op('a5', 4, 'unpin', [3]), op('a6', 4, 'unpin', [3])], { budget: 2300 });
    expect(refusals(replayed)).toEqual([
      null, 'B4 is pinned: unpin it first.', 'B4 is pinned: unpin it first (it goes along as call or result: take only what you chose, or unpin it).', null, null, 'B4 is not pinned.',
    ]);
    expect(contextAt(replayed, 3)).toBe('0 1 3 4 5');
  });

  it('deletes for good: what is shown, and what is stored', () => {
    const replayed = run([op('a1', 3, 'delete', [3]), op('a2', 4, 'archive', [5]), op('a3', 5, 'delete', ['op:a2']), op('a4', 6, 'recover', [5]), op('a5', 6, 'recover', [3]), op('a6', 6, 'archive', [3])]);
    expect(contextAt(replayed, 3)).toBe('0 1 4 5');
    expect(contextAt(replayed, 5)).toBe('0 1 6 7 8 9');
    expect(refusals(replayed)).toEqual([null, null, null, 'B6 was deleted: its bytes no longer exist.', 'B4 was deleted: its bytes no longer exist.', 'B4 was deleted: its bytes no longer exist.']);
    expect(replayed.outcomes![2]!.notes).toEqual(['Stored bytes are destroyed as well (B9).']);
    expect(replayed.totals.firstLoss).toEqual({ step: 6, lexeme: 'needle' });
  });

  it('a partly deleted bundle is read block by block', () => {
    const replayed = run([op('a1', 4, 'archive', [3, 5]), op('a2', 5, 'delete', [3], { cascade: false }), op('a3', 6, 'recover', ['op:a1']), op('a4', 6, 'recover', [5])]);
    expect(refusals(replayed)).toEqual([null, null, expect.stringMatching(/^B4 behind B9 was deleted, so it cannot be read as a whole/), null]);
  });

  it('says why: protected, not there yet, gone, unknown labels, taken labels, nothing to recover', () => {
    const replayed = run([
      op('a1', 2, 'archive', [0]), op('a2', 2, 'delete', [1]), op('a3', 2, 'archive', [9]), op('a4', 2, 'archive', [99]), op('a5', 2, 'recover', [], { label: 'x' }), op('a6', 2, 'recover', [3]),
      op('a7', 3, 'archive', [3], { label: 'x' }), op('a8', 3, 'archive', [5], { label: 'x' }), op('a9', 3, 'archive', [3]), op('b1', 3, 'pin', [3]), op('b2', 3, 'archive', ['op:a8']),
      op('b3', 4, 'recover', [], { label: 'y' }), op('b4', 99, 'pin', [3]), op('b5', 2, 'archive', ['base:3@00000000']), op('b6', 4, 'recover', [3]), op('b7', 4, 'recover', [3]),
    ].sort((a, b) => a.step - b.step));
    const words = new Map(replayed.outcomes!.map(({ id, refused }) => [id, refused]));
    expect(words.get('a1')).toBe('B1 is the system prompt: it always stays.');
    expect(words.get('a2')).toBe('B2 is the task: it always stays.');
    expect(words.get('a3')).toBe('The block arrives at step 5, this is step 2.');
    expect(words.get('a4')).toBe('Block 99 does not exist: the line has 13 blocks.');
    expect(words.get('a5')).toBe('Nothing was put away under the label “x”; there is no label so far.');
    expect(words.get('a6')).toBe('B4 is in the context: there is nothing to bring back.');
    expect(words.get('a7')).toBeNull();
    expect(words.get('a8')).toBe('The label “x” is taken by B7.');
    expect(words.get('a9')).toBe('B4 is not in the context: it is archived behind B7.');
    expect(words.get('b1')).toBe('B4 is not in the context: it is archived behind B7; only what is in the context can be pinned.');
    expect(words.get('b2')).toBe('The operation that makes this block has not been done by then.');
    expect(words.get('b3')).toBe('Nothing was put away under the label “y”; labels so far: “x”.');
    expect(words.get('b4')).toBe('Step 99 is after the last call of this run.');
    expect(words.get('b5')).toBe('Block 3 of this run holds another text than the one meant.');
    expect(words.get('b6')).toBeNull();
    expect(words.get('b7')).toBe('A copy of B4 is in the context already.');
  });

  it('a read must fit beside what stays', () => {
    const replayed = run([op('a1', 3, 'archive', [3]), op('a2', 4, 'pin', [5]), op('a3', 6, 'recover', [3])], { budget: 1500, params: { recoverOnDemand: false } });
    expect(replayed.outcomes![2]!.refused).toMatch(/^It needs about \d+ tokens, but beside what must stay about \d+ are free\.$/);
  });

  it('names what the engine made, and says when that is too early', () => {
    const guarded = run([], { budget: 2000 });
    const made = guarded.ops.find(({ op: name }) => name === 'offload')!;
    const item = Number(made.result!.slice(1)) - 1;
    const name = nameOfBlock(guarded, TWELVE_INPUT.blocks.contentHash, item)!;
    expect(name).toBe(`engine:placeholder@${made.step}:3`);
    const now = run([op('a1', made.step, 'recover', [name])], { budget: 2000 });
    expect(now.outcomes![0]!.refused).toMatch(/is made after your operations of that step: act on it one step later\.$/);
    const later = run([op('a1', made.step + 1, 'pin', [name])], { budget: 2000 });
    expect(refusals(later)).toEqual([null]);
    expect(refusals(run([op('a1', made.step + 1, 'pin', [name])]))).toEqual([`The placeholder that the engine made in step ${made.step} is not made any more.`]);
  });

  it('a copy that is archived again is just put back', () => {
    const replayed = run([op('a1', 3, 'archive', [3]), op('a2', 4, 'recover', [3]), op('a3', 5, 'archive', ['op:a2'], { label: 'again' }), op('a4', 6, 'recover', ['op:a2'])], { params: { recoverOnDemand: false } });
    expect(refusals(replayed)).toEqual([null, null, null, null]);
    expect(replayed.outcomes![2]!).toMatchObject({ made: [], notes: [expect.stringMatching(/whose original is still stored/)] });
    expect(contextAt(replayed, 6)).toMatch(/copy\(3\)$/);
  });
});
