/** gem.md §12 item 4: what is forwarded are the messages of the full request, byte for byte and in order, and no call goes without its result. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay } from '../replay';
import { renderPrompt, type PromptSource } from '../render';
import type { Replay } from '../types';
import { testEncoder, testVector } from '../../../testing/corpus';
import { selectionOfMessages } from '../../../testing/selection';
import { blocksOf, countWords, inputOf, messagesOf } from '../../../testing/workspace';

interface Sent { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }

describe('a forwarded request', () => {
  it('is a subsequence of the full one, byte-equal, with every call answered', () => {
    let shorter = 0;
    fc.assert(fc.property(fc.integer({ min: 1, max: 26 }), fc.constantFrom('core', 'guarded', 'cumulative'), fc.constantFrom('gem', 'selector:random', 'selector:k-center'), (rounds, form, policy) => {
      const blocks = blocksOf(['S 10, T 10', ...Array.from({ length: rounds }, (_, i) => `A 10, O ${20 + (i * 37) % 90} bash${i % 5 === 4 ? ', O 15 bash' : ''}`), 'A 10'].join(', '));
      blocks.forEach((block, i) => (block.text = `block ${i} "é\\n" ${'word '.repeat(1 + (i * 7) % 11)}`));
      const messages = messagesOf(blocks);
      const { selection: _, ...input } = inputOf(blocks);
      const source: PromptSource = { blocks: input.blocks, facts: input.facts, tools: [], count: countWords, message: (position) => messages[position]! };
      const sentAt = (replayed: Replay, step: number): Sent[] => (renderPrompt(replayed, step, source, 'openai').body as { messages: Sent[] }).messages;
      const cut = replay({ ...input, selection: selectionOfMessages(messages, testVector, testEncoder.dim) }, { policy, params: policy === 'gem' ? { form } : {}, budget: 1e6 }, countWords);
      const full = replay(input, { policy: 'keep-everything', params: {}, budget: 1e6 }, countWords);
      for (let step = 1; step <= input.facts.steps; step++) {
        const sent = sentAt(cut, step);
        const whole = sentAt(full, step).map((message) => JSON.stringify(message));
        let at = -1;
        for (const message of sent) {
          at = whole.indexOf(JSON.stringify(message), at + 1);
          expect(at).toBeGreaterThanOrEqual(0);
        }
        const calls = sent.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
        expect(sent.flatMap(({ tool_call_id }) => tool_call_id ?? [])).toEqual(calls);
        if (sent.length < whole.length) shorter++;
      }
    }), { numRuns: 30 });
    expect(shorter).toBeGreaterThan(0);
  });
});
