import { describe, expect, it } from 'vitest';
import { MessageFlag, type Message } from '../../core/trace/model';
import { SHOWN_MESSAGES, firstMessages } from './first-look';

const message = (role: Message['role'], parts: Message['parts'], flags = 0): Message => ({ index: 0, row: 0, role, parts, flags, spans: [] });
const text = (value: string): Message['parts'] => [{ type: 'text', text: value }];

describe('first look', () => {
  it('names kinds as the blocks will have them', () => {
    const kinds = firstMessages([
      message('system', text('You are')), message('user', text('note'), MessageFlag.meta), message('user', text('do it')), message('assistant', [{ type: 'tool_call', id: '1', name: 'bash', args: '{}' }]),
      message('tool', [{ type: 'tool_result', callId: '1', content: [{ type: 'text', text: 'no such file' }], isError: true }]), message('user', text('again')),
    ]);
    expect(kinds.map(({ kind }) => kind)).toEqual(['system', 'user', 'task', 'assistant', 'tool_result', 'user']);
    expect(kinds[3]).toMatchObject({ text: '', calls: ['bash'] });
    expect(kinds[4]).toMatchObject({ text: 'no such file', isError: true });
  });

  it('cuts a huge message and long lists, never inside a character', () => {
    const many = firstMessages(Array.from({ length: 20 }, () => message('user', text('😀'.repeat(100_000)))));
    expect(many).toHaveLength(SHOWN_MESSAGES);
    expect(many[0]?.text).toMatch(/^(😀)+…$/u);
    expect(many[0]?.text.length).toBeLessThanOrEqual(420);
  });
});
