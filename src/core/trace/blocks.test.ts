import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../base/sha256';
import { parseTrace } from '../../testing/trace';
import { buildBlocks } from './blocks';
import { lineFacts } from './blocks-facts';
import { blockText, measureText } from './block-text';
import { imageTokens, UNKNOWN_IMAGE_TOKENS } from './blocks-tokens';
import { BLOCK_KINDS } from './blocks-types';
import type { BlockTable } from './blocks-types';
import type { Message } from './model';

/** A word is a token: counts that can be checked by eye. */
const words = { count: (text: string): number => text.split(/\s+/).filter(Boolean).length };
const build = (messages: Message[], countsReasoning = true): BlockTable => buildBlocks(messages, { countsReasoning, encoding: 'o200k_base', counter: words });
const kinds = (table: BlockTable): string[] => [...table.kind].map((code) => BLOCK_KINDS[code]!);

describe('context blocks', () => {
  const messages = parseTrace(`
    system: Be brief and careful.
    user [meta]: reminder
    user: Fix the bug
    think: look at it first
    assistant: Reading two files.
    call t1 read {"path": "a.ts"}
    call t2 read {"path": "b.ts"}
    result t1: one two three
    + result! t2: no such file
    + user: hurry up
    assistant: Done.
    user [compactSummary]: what happened so far
    user: thanks
  `);
  const table = build(messages);

  it('makes one block a message, a result or a text between results', () => {
    expect(kinds(table)).toEqual(['system', 'user', 'task', 'assistant', 'tool_result', 'tool_result', 'user', 'assistant', 'summary', 'user']);
    expect([...table.messageIndex]).toEqual([0, 1, 2, 3, 4, 4, 4, 5, 6, 7]);
    expect([...table.partFrom]).toEqual([0, 0, 0, 0, 0, 1, 2, 0, 0, 0]);
    expect([...table.partTo]).toEqual([1, 1, 1, 4, 1, 2, 3, 1, 1, 1]);
  });

  it('says from which call on a block is in the context', () => {
    expect([...table.bornStep]).toEqual([1, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
  });

  it('hangs results on their call and names the tool', () => {
    expect([...table.parent]).toEqual([-1, -1, -1, -1, 3, 3, -1, -1, -1, -1]);
    expect([...table.toolName].map((i) => table.strings[i])).toEqual(['', '', '', '', 'read', 'read', '', '', '', '']);
    expect([...table.isError]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  });

  it('sums tokens over parts: call = name + arguments, reasoning apart', () => {
    // Answer: 4 of reasoning, 3 of text, 2 × (1 name + 2 arguments).
    expect([...table.tokens]).toEqual([4, 1, 3, 13, 3, 3, 2, 1, 4, 1]);
    expect(table.reasoningTokens[3]).toBe(4);
    const without = build(messages, false);
    expect([without.tokens[3], without.reasoningTokens[3]]).toEqual([9, 0]);
    expect(without.contentHash[3]).toBe(table.contentHash[3]);
  });

  it('hashes and measures the archived text', () => {
    const text = 'look at it first\nReading two files.\nread {"path": "a.ts"}\nread {"path": "b.ts"}';
    expect(blockText(messages[3]!, 0, 4)).toBe(text);
    expect(table.contentHash[3]).toBe(sha256Hex(text));
    expect([table.chars[3], table.bytes[3]]).toEqual([text.length, text.length]);
    expect(table.preview[3]).toBe('look at it first');
  });

  it('has the facts of the line', () => {
    const thread = { tools: [{ name: 'read', json: '{"a": 1}' }], countsReasoning: true };
    const facts = lineFacts(messages, thread, 4, words);
    expect(facts).toMatchObject({ steps: 2, toolSchemaTokens: 2, fixedOverhead: 6 });
    expect([...facts.stepMessage]).toEqual([3, 5]);
    expect([...facts.measuredInput]).toEqual([NaN, NaN]);
  });
});

describe('blocks of unusual messages', () => {
  it('counts failed calls as steps, notices and demonstrations not', () => {
    const messages = parseTrace(`
      user [demonstration]: shown before
      assistant [demonstration]: shown answer
      user: real task
      assistant [failed input=0 output=0]:
      ---
      assistant [synthetic]: API error
      ---
      assistant [input=10 cached=90 cacheWrite=5 output=7]: ok
    `);
    const table = build(messages);
    expect(kinds(table)).toEqual(['user', 'assistant', 'task', 'assistant', 'assistant', 'assistant']);
    expect([...table.bornStep]).toEqual([1, 1, 1, 2, 2, 3]);
    const facts = lineFacts(messages, { tools: [], countsReasoning: true }, 0, words);
    expect([...facts.stepMessage]).toEqual([3, 5]);
    expect([...facts.measuredInput]).toEqual([NaN, 105]);
    expect([...facts.measuredCached]).toEqual([NaN, 90]);
    expect([...facts.measuredOutput]).toEqual([0, 7]);
  });

  it('keeps an answer whole when its results stand in the same message', () => {
    const messages = parseTrace(`
      user: go
      assistant: first
      call a search {"q":1}
      + result a: found it
      + call b search {"q":2}
      + result b: and this
    `);
    const table = build(messages);
    expect(kinds(table)).toEqual(['task', 'assistant', 'tool_result', 'tool_result']);
    expect([...table.parent]).toEqual([-1, -1, 1, 1]);
    expect([...table.bornStep]).toEqual([1, 2, 2, 2]);
    expect(blockText(messages[1]!, table.partFrom[1]!, table.partTo[1]!)).toBe('first\nsearch {"q":1}\nsearch {"q":2}');
    expect(blockText(messages[1]!, table.partFrom[3]!, table.partTo[3]!)).toBe('and this');
  });

  it('pairs re-used ids by a queue and missing ids in order', () => {
    const table = build(parseTrace(`
      user: go
      call 0 ls {}
      result 0: x
      call 0 cat {}
      result 0: y
      call - one {}
      call - two {}
      result -: 1
      result -: 2
      result lost: nobody asked
    `));
    expect([...table.parent]).toEqual([-1, -1, 1, -1, 3, -1, 5, 5, -1]);
    expect([...table.toolName].map((i) => table.strings[i])).toEqual(['', '', 'ls', '', 'cat', '', 'one', 'two', '']);
  });

  it('counts a fenced call once, in its text', () => {
    const [message] = parseTrace('assistant: run ```ls -la```');
    message!.parts.push({ type: 'tool_call', id: 'f', name: 'bash', args: 'ls -la', fenced: true });
    const table = build([message!]);
    expect([table.tokens[0], blockText(message!, 0, 2)]).toEqual([3, 'run ```ls -la```']);
  });

  it('estimates from bytes until a run is counted', () => {
    const table = buildBlocks(parseTrace('user: añb12'), { countsReasoning: true, encoding: 'o200k_base' });
    expect([table.tokens[0], table.bytes[0], table.chars[0], table.tokensAre]).toEqual([2, 6, 5, 'estimated']);
  });

  it('asks for a hashed count where a block is one text', () => {
    const asked: [string, string][] = [];
    const counter = { count: words.count, countHashed: (hash: string, text: string) => (asked.push([hash, text]), 42) };
    const table = buildBlocks(parseTrace('user: a b\ncall t x {}\nresult t: c d e'), { countsReasoning: true, encoding: 'o200k_base', counter });
    expect([...table.tokens]).toEqual([42, 2, 42]);
    expect(asked).toEqual([[sha256Hex('a b'), 'a b'], [sha256Hex('c d e'), 'c d e']]);
  });

  it('estimates images by size', () => {
    expect(imageTokens({ type: 'image', mime: 'image/png', width: 750, height: 100 })).toBe(100);
    expect(imageTokens({ type: 'image', mime: 'image/png', width: 3136, height: 1000 })).toBe(Math.ceil((1568 * 500) / 750));
    expect(imageTokens({ type: 'image', mime: 'image/png' })).toBe(UNKNOWN_IMAGE_TOKENS);
  });
});

describe('incomplete results', () => {
  const incomplete = (text: string): number => build(parseTrace(`call t x {}\nresult t: ${text}`)).incomplete[1]!;
  it.each([
    'first line\\n[output truncated: 1000 lines]', '<response clipped><NOTE>', 'abc\\n... 42 more lines', 'Showing lines 1-200 of 1532', '(Results are truncated. Consider a more specific path.)',
    'Output was truncated to 30000 characters', '{"has_more": true}', '[12 lines omitted]', '154 lines not shown', 'Use offset=201 to continue reading',
  ])('sees %j', (text) => expect(incomplete(text)).toBe(1));
  it.each(['all fine', 'the file is complete', 'def truncate(text): return text[:10]', '{"has_more": false}', 'total 42 files'])('does not see %j', (text) => expect(incomplete(text)).toBe(0));
});

describe('any text', () => {
  it('is measured as UTF-8 encodes it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(measureText(text)).toEqual({ codePoints: [...text].length, bytes: new TextEncoder().encode(text).length });
    }));
    expect(measureText('\ud83d')).toEqual({ codePoints: 1, bytes: 3 });
  });

  it('gives tables that agree with a prefix of the line', () => {
    const line = fc.constantFrom('user: hello there', 'assistant: yes', 'call a ls {}', 'result a: x y', '+ user: and', '---', 'think: hm', 'user [meta]: note', 'system: s');
    fc.assert(fc.property(fc.array(line, { maxLength: 25 }), fc.nat(25), (lines, cut) => {
      const messages = parseTrace(lines.filter((l, i) => i > 0 || !l.startsWith('+')).join('\n'));
      const whole = build(messages);
      const part = build(messages.slice(0, cut));
      for (const column of ['kind', 'bornStep', 'parent', 'tokens'] as const) expect([...whole[column]].slice(0, part.n)).toEqual([...part[column]]);
      for (let i = 0; i < whole.n; i++) expect(whole.parent[i]).toBeLessThan(i);
      expect(new Set(whole.messageIndex).size).toBe(messages.length);
    }));
  });
});
