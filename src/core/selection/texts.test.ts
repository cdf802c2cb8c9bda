import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { interactionBlocks } from '../trace/interaction';
import type { Message } from '../trace/model';
import { blockRecord } from './block-record';
import { codePoints, headOf, tailOf } from './code-points';
import { checkpointAtMessage, checkpointOfBlocks, checkpointTexts, readSelectionLine } from './selection-line';
import { actionText, finalText, goalText, limitText, selectionText, stateQueryText, TEXT_LIMIT } from './texts';

function textOf(notation: string): string {
  const messages = parseTrace(notation);
  return blockRecord(0, interactionBlocks(messages).blocks[0]!.map((i) => messages[i]!), () => 0).text;
}

describe('selection text', () => {
  it('has its sections in order, one entry a call, results in the order of the calls', () => {
    expect(textOf('think: hm\nassistant: Reading.\ncall a read {"path":"x"}\ncall b bash {"command":"ls"}\nresult b: two\nresult a: one'))
      .toBe('ASSISTANT_REASONING\nhm\nASSISTANT_TEXT\nReading.\nACTION\nread {"path":"x"}\nbash {"command":"ls"}\nOBSERVATION\none\ntwo');
  });

  it('leaves out empty sections; an empty result keeps its place beside others', () => {
    expect(textOf('call a ls {}\nresult a:')).toBe('ACTION\nls {}');
    expect(textOf('call a ls {}\ncall b ls {}\nresult a:\nresult b: x')).toBe('ACTION\nls {}\nls {}\nOBSERVATION\n\nx');
  });

  it('pairs calls without ids in order, and ids used twice by a queue', () => {
    expect(textOf('call - one {}\ncall - two {}\nresult -: first\nresult -: second')).toMatch(/OBSERVATION\nfirst\nsecond$/);
    expect(textOf('call t one {}\ncall t two {}\nresult t: first\nresult t: second')).toMatch(/OBSERVATION\nfirst\nsecond$/);
  });

  it('names what is not text, drops redacted reasoning', () => {
    const message: Message = {
      index: 0, row: 0, role: 'assistant', flags: 0, spans: [],
      parts: [{ type: 'reasoning', text: '', redacted: true }, { type: 'image', mime: 'image/png' }, { type: 'other', kind: 'audio', raw: '{}' }],
    };
    expect(selectionText(message, [])).toBe('ASSISTANT_TEXT\n[image]\n[audio]');
  });
});

describe('limit', () => {
  it('keeps 6 000 code points of the head and 5 997 of the tail, never half a character', () => {
    const text = '😀'.repeat(7000) + 'é'.repeat(6000);
    const cut = limitText(text);
    expect(codePoints(cut)).toBe(TEXT_LIMIT);
    expect(cut.startsWith('😀'.repeat(6000) + '\n…\né')).toBe(true);
    expect(limitText('😀'.repeat(TEXT_LIMIT))).toBe('😀'.repeat(TEXT_LIMIT));
    expect(headOf('a😀b', 2)).toBe('a😀');
    expect(tailOf('a😀b', 2)).toBe('😀b');
    expect(tailOf('ab', 5)).toBe('ab');
  });

  it('a lone surrogate becomes U+FFFD', () => {
    expect(limitText('a\ud83db\ude00')).toBe('a\ufffdb\ufffd');
  });
});

describe('goal, state query, action and final text', () => {
  const messages = parseTrace(`
    system: Be brief.
    user: First task
    assistant: Looking.
    call a bash {"command":"ls"}
    result a: out

    user [meta]: a reminder
    think: now
    call b bash {"command":"pwd"}
    result b: /

    user: Second task
    assistant: Answer.
  `);

  it('the goal is the last instruction before, not a reminder', () => {
    expect(goalText(messages, 6)).toBe('First task');
    expect(goalText(messages, messages.length)).toBe('Second task');
    expect(goalText(messages, 1)).toBe('');
  });

  it('the state query adds the last words of the assistant', () => {
    expect(stateQueryText(messages, 7)).toBe('First task\nLooking.');
    expect(stateQueryText(messages, 2)).toBe('First task');
  });

  it('the action leaves out the observation; the final text falls back to the action', () => {
    expect(actionText(messages[5]!)).toBe('ASSISTANT_REASONING\nnow\nACTION\nbash {"command":"pwd"}');
    expect(finalText(messages)).toBe('Answer.');
    expect(finalText(messages.slice(0, 7))).toBe(actionText(messages[5]!));
    expect(finalText([])).toBe('');
  });

  it('a line read once gives the same texts at every place as its messages', () => {
    const line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 0);
    for (let position = 0; position <= messages.length; position++) {
      const texts = checkpointTexts(line, { n: 0, position });
      expect(texts.goal).toBe(goalText(messages, position));
      expect(texts.stateQuery).toBe(stateQueryText(messages, position));
    }
    expect([0, 1, 2].map((n) => checkpointOfBlocks(line, n).position)).toEqual([2, 5, messages.length]);
    expect([2, 4, 5, 7].map((position) => checkpointAtMessage(line, position).n)).toEqual([0, 1, 1, 2]);
    // Everything in no block: system, both tasks, the reminder, the answer.
    expect(line.prefixChars[messages.length]).toBe('Be brief.First taska reminderSecond taskAnswer.'.length);
    expect(line.unansweredCalls).toBe(0);
  });
});
