import { describe, expect, it } from 'vitest';
import { MessageFlag } from '../core/trace/model';
import { parseTrace } from './trace';
import { columnsOf } from './trace-reader';

describe('trace notation', () => {
  const messages = parseTrace(`
    system: Be brief.
    user: Fix it
    think: hm
    assistant [input=10 cached=90 output=5]: Reading.
    call t1 read {"path":"a.ts"}
    call t2 read {"path":"b.ts"}
    result t1: one\\ntwo
    + result! t2: no such file
    + user: hurry
    ---
    assistant [synthetic]: notice
    user [meta]: reminder
  `);

  it('joins the parts of one assistant message and splits results where asked', () => {
    expect(messages.map((m) => [m.role, m.parts.map((p) => p.type)])).toEqual([
      ['system', ['text']],
      ['user', ['text']],
      ['assistant', ['reasoning', 'text', 'tool_call', 'tool_call']],
      ['tool', ['tool_result', 'tool_result', 'text']],
      ['assistant', ['text']],
      ['user', ['text']],
    ]);
    expect(messages[3]!.parts[0]).toEqual({ type: 'tool_result', callId: 't1', content: [{ type: 'text', text: 'one\ntwo' }] });
    expect(messages[3]!.parts[1]).toMatchObject({ isError: true });
  });

  it('reads flags and usage', () => {
    expect(messages[2]!.usage).toEqual({ input: 10, cachedInput: 90, cacheWrite: null, output: 5, reasoning: null });
    expect(messages.map((m) => m.flags)).toEqual([0, MessageFlag.instruction, 0, 0, MessageFlag.synthetic, MessageFlag.meta]);
    expect(columnsOf(messages).usage[2 * 5 + 1]).toBe(90);
  });

  it('names the line it cannot read', () => {
    expect(() => parseTrace('robot: hello')).toThrow('robot: hello');
  });
});
