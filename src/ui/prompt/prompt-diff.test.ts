import { describe, expect, it } from 'vitest';
import { promptDiff, type PromptRow } from './prompt-diff';

const row = (text: string, blocks: string[], change: Partial<PromptRow> = {}): PromptRow => ({ role: 'user', blocks, tokens: text.length, cached: false, text, kind: 'user', ...change });

describe('prompt diff', () => {
  it('equal prompts are one unchanged run', () => {
    const rows = [row('a', ['B1']), row('b', ['B2'])];
    expect(promptDiff(rows, rows)).toEqual([{ kind: 'same', count: 2, tokens: 2 }]);
  });

  it('a new message is added, one that left is removed', () => {
    const [a, b, c] = [row('a', ['B1']), row('b', ['B2']), row('c', ['B3'])];
    expect(promptDiff([a, b], [a, b, c]).map(({ kind }) => kind)).toEqual(['same', 'added']);
    expect(promptDiff([a, b, c], [a, c]).map(({ kind }) => kind)).toEqual(['same', 'removed', 'same']);
  });

  it('a message of the same blocks with another text is compared line by line', () => {
    const changes = promptDiff([row('one\ntwo\n', ['B1'])], [row('one\n2\n', ['B1'])]);
    expect(changes).toMatchObject([{ kind: 'changed', lines: [{ kind: 'same', text: 'one\n' }, { kind: 'removed', text: 'two\n' }, { kind: 'added', text: '2\n' }] }]);
  });
});
