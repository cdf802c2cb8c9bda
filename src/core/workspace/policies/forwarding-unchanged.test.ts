/** gem.md §12 item 5: too few blocks, an id used twice or, where strict, an unanswered call ⇒ the request goes as it is, and why is said. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MIN_BLOCKS } from '../../selection/constants';
import { buildSelectReport } from '../../selection/select';
import { selectionInput } from '../../selection/selection-input';
import { checkpointOfBlocks, readSelectionLine } from '../../selection/selection-line';
import { interactionBlocks } from '../../trace/interaction';
import type { Message } from '../../trace/model';
import { RandomStream } from '../../numerics/random-stream';
import { replay } from '../replay';
import { stateAt } from '../state-at';
import { testEncoder, testVector } from '../../../testing/corpus';
import { selectionOfMessages } from '../../../testing/selection';
import { blocksOf, countWords, inputOf, messagesOf } from '../../../testing/workspace';

type Damage = 'none' | 'clash' | 'unanswered';
interface Run { rounds: number; damage: Damage; at: number; messages: Message[] }

/** Rounds of a call and its result; from round `at` on one id stands twice, or one result answers a call that nobody made. */
const runs = fc.record({ rounds: fc.integer({ min: 1, max: 28 }), damage: fc.constantFrom<Damage>('none', 'clash', 'unanswered'), share: fc.double({ min: 0, max: 0.999, noNaN: true }), seed: fc.integer() })
  .map(({ rounds, damage, share, seed }): Run & { blocks: ReturnType<typeof blocksOf> } => {
    const stream = new RandomStream(seed);
    const blocks = blocksOf(['S 10, T 10', ...Array.from({ length: rounds }, () => `A 10, O ${20 + stream.integer(80)} bash`), 'A 10'].join(', '));
    blocks.forEach((block, i) => (block.text = `block ${i} ${'word '.repeat(1 + stream.integer(12))}`));
    const at = damage === 'clash' ? 1 + Math.floor(share * Math.max(1, rounds - 1)) : Math.floor(share * rounds);
    return { rounds, damage, at, blocks, messages: messagesOf(blocks).map((message) => damaged(message, damage, at)) };
  })
  // A second use of an id needs a first.
  .filter(({ damage, rounds }) => damage !== 'clash' || rounds > 1);

const callOf = (round: number): string => `c${2 + 2 * round}-0`;

function damaged(message: Message, damage: Damage, at: number): Message {
  if (damage === 'none') return message;
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (damage === 'clash' && part.type === 'tool_call' && part.id === callOf(at)) return { ...part, id: callOf(0) };
      if (part.type === 'tool_result' && part.callId === callOf(at)) return { ...part, callId: damage === 'clash' ? callOf(0) : 'nobody' };
      return part;
    }),
  };
}

/** Must the request of call `step` go as it is? Told from the messages before it, without the code under test. */
function mustGoWhole({ messages, rounds }: Run, step: number, strict: boolean): boolean {
  const before = messages.slice(0, step <= rounds + 1 ? 2 + 2 * (step - 1) : messages.length);
  const calls = before.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])));
  const answers = new Set(before.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : []))));
  const answered = calls.filter((id) => answers.has(id)).length;
  return new Set(calls).size < calls.length || answered < MIN_BLOCKS || (strict && answered < calls.length);
}

describe('a request that GEM may not cut', () => {
  it('is carried whole at that very call, at any form, with the reason in the notes; orphan results stay', () => {
    let whole = 0;
    let cut = 0;
    fc.assert(fc.property(runs, fc.boolean(), fc.constantFrom('core', 'guarded', 'cumulative'), (made, strict, form) => {
      const { selection: _, ...input } = inputOf(made.blocks);
      const replayed = replay({ ...input, selection: selectionOfMessages(made.messages, testVector, testEncoder.dim) }, { policy: 'gem', params: { form, strict }, budget: 1e6 }, countWords);
      const all = replay(input, { policy: 'keep-everything', params: {}, budget: 1e6 }, countWords);
      for (let step = 1; step <= input.facts.steps; step++) {
        const carried = stateAt(replayed, step).visible;
        if (mustGoWhole(made, step, strict)) {
          whole++;
          expect([...carried]).toEqual([...stateAt(all, step).visible]);
        } else if (form === 'core' && carried.length < stateAt(all, step).visible.length) cut++;
        const orphan = made.damage === 'unanswered' ? 3 + 2 * made.at : -1;
        if (orphan >= 0 && step >= made.at + 2) expect([...carried].map((item) => replayed.blocks.base[item])).toContain(orphan);
      }
      const isDamaged = made.damage === 'clash' || (made.damage === 'unanswered' && strict);
      expect(replayed.notes?.join(' ').includes('returned unchanged: a tool call id stands twice')).toBe(isDamaged);
    }), { numRuns: 60 });
    // Both sides of the rule have been seen.
    expect(whole).toBeGreaterThan(0);
    expect(cut).toBeGreaterThan(0);
  });

  it('is said in the report: gem keeps every block and names each reason there is, and only those', () => {
    fc.assert(fc.property(runs, fc.boolean(), (made, strict) => {
      const line = readSelectionLine(made.messages, interactionBlocks(made.messages).blocks, () => 1);
      const n = line.blocks.length;
      fc.pre(n > 0);
      const input = selectionInput('run', testEncoder, line, checkpointOfBlocks(line, n), testVector);
      const settings = { checkpoint: n, k: 'auto' as const, tau: 0.9, selectors: ['gem'], mode: 'core' as const, seed: 0, strict };
      const [gem] = buildSelectReport(input, settings, { controlDraws: 1 }).selectors;
      const reasons = [
        ...(n < MIN_BLOCKS ? ['selection starts at 16'] : []),
        ...(made.damage === 'clash' ? ['used twice'] : []),
        ...(strict && made.damage === 'unanswered' ? ['no result (strict)'] : []),
      ];
      for (const words of ['selection starts at 16', 'used twice', 'no result (strict)']) expect(gem!.reason?.includes(words) ?? false).toBe(reasons.includes(words));
      if (reasons.length > 0) expect(gem).toMatchObject({ stop: 'unchanged', kept: Array.from({ length: n }, (_, i) => i) });
      else expect(gem!.stop).not.toBe('unchanged');
    }), { numRuns: 60 });
  });
});
