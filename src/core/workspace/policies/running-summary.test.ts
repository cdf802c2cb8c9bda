/** A summary that is rewritten again and again: one heading, however long the run. */
import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../../testing/workspace';
import { replay } from '../replay';

describe('a running summary', () => {
  it.each(['comem', 'slim-summary', 'resum', 'cat', 'active-compression'])('%s keeps one heading', (policy) => {
    const rounds = Array.from({ length: 40 }, (_, i) => `A ${10 + (i % 7)}, O ${90 + (i % 11)} read`).join(', ');
    const result = replay(inputOf(blocksOf(`S 50, T 40, ${rounds}`)), { policy, budget: 600 }, countWords);
    const made = result.blocks.text.filter((text): text is string => text !== undefined && text.includes('\n'));
    expect(made.length).toBeGreaterThan(2);
    for (const text of made) {
      const heading = text.split('\n')[0] ?? '';
      expect(text.split('\n').filter((line) => line === heading), text).toHaveLength(1);
    }
  });
});
