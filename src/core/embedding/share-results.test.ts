import { describe, expect, it } from 'vitest';
import { hashedVector } from './hashed';
import { encoderById } from './registry';
import { SharedResults } from './share-results';
import type { Encoder } from './types';

function slowEncoder(): { encoder: Encoder; runs: string[] } {
  const runs: string[] = [];
  return {
    runs,
    encoder: {
      spec: encoderById('hashed-1024@1'),
      embed: async (text, signal) => {
        runs.push(text);
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (signal?.aborted) throw Object.assign(new Error('Cancelled.'), { code: 'cancelled' });
        return { vector: hashedVector(text), tokens: 1 };
      },
      dispose: () => Promise.resolve(),
    },
  };
}

describe('SharedResults', () => {
  it('computes a text once for jobs that run at the same time', async () => {
    const { encoder, runs } = slowEncoder();
    const shared = new SharedResults();
    const one = shared.open(encoder);
    const two = shared.open(encoder);
    const [a, b] = await Promise.all([one.encoder.embed('text'), two.encoder.embed('text')]);
    expect(a.vector).toBe(b.vector);
    one.close();
    await two.encoder.embed('text');
    expect(runs).toEqual(['text']);
    two.close();
    await shared.open(encoder).encoder.embed('text');
    expect(runs).toEqual(['text', 'text']);
  });

  it('takes a text over from a job that was cancelled', async () => {
    const { encoder, runs } = slowEncoder();
    const shared = new SharedResults();
    const controller = new AbortController();
    const first = shared.open(encoder).encoder.embed('text', controller.signal);
    const second = shared.open(encoder).encoder.embed('text');
    controller.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    expect((await second).vector).toEqual(hashedVector('text'));
    expect(runs).toHaveLength(2);
  });
});
