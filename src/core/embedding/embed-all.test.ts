import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../base/sha256';
import { memoryVectorCache, type VectorCache } from './cache';
import { embedAll, type EncoderSource } from './embed-all';
import { hashedVector } from './hashed';
import { encoderById } from './registry';
import type { Encoder } from './types';

const spec = encoderById('hashed-1024@1');
const items = (texts: string[]): { hash: string; text: string }[] => texts.map((text) => ({ hash: sha256Hex(text), text }));

/** Counts what is really computed; `before` runs ahead of each text. */
function counting(before: (text: string) => void | Promise<void> = () => undefined): { source: EncoderSource; computed: string[]; opened: () => number } {
  const computed: string[] = [];
  let opened = 0;
  const encoder: Encoder = {
    spec,
    embed: async (text, signal) => {
      await before(text);
      if (signal?.aborted) throw Object.assign(new Error('Cancelled.'), { code: 'cancelled' });
      computed.push(text);
      return { vector: hashedVector(text), tokens: 0 };
    },
    dispose: () => Promise.resolve(),
  };
  return {
    source: {
      spec,
      get: () => {
        opened++;
        return Promise.resolve(encoder);
      },
    },
    computed,
    opened: () => opened,
  };
}

describe('embedAll', () => {
  it('computes each distinct text once and gives every index its vector (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('', 'a b', 'cd ef', 'gh', 'ij kl mn')), fc.array(fc.nat(12)), async (texts, first) => {
        const { source, computed } = counting();
        const seen = new Map<number, Float32Array>();
        const result = await embedAll(source, items(texts), { first, cache: memoryVectorCache(), onVectors: (rows) => rows.forEach(({ index, vector }) => seen.set(index, vector)) });
        expect([...computed].sort()).toEqual([...new Set(texts.filter((t) => t !== ''))].sort());
        expect(result.vectors).toEqual(texts.map((text) => hashedVector(text)));
        expect([...seen.keys()].sort((a, b) => a - b)).toEqual(texts.map((_, i) => i));
        expect(result.cached + result.computed + result.empty).toBe(texts.length);
      }),
      { numRuns: 50 },
    );
  });

  it('takes from the cache what is there, and then does not even load the encoder', async () => {
    const cache = memoryVectorCache();
    const texts = items(['one', 'two', '', 'three']);
    await embedAll(counting().source, texts, { cache });
    const second = counting();
    const result = await embedAll(second.source, texts, { cache });
    expect([result.cached, result.computed, result.empty, second.opened()]).toEqual([3, 0, 1, 0]);
    const third = counting();
    await embedAll(third.source, items(['two', 'four']), { cache });
    expect(third.computed).toEqual(['four']);
  });

  it('does what is looked at first, also when that changes while it runs', async () => {
    let prioritise: (first: number[]) => void = () => undefined;
    const { source, computed } = counting((text) => {
      if (text === 't3') prioritise([5, 2]);
    });
    await embedAll(source, items(['t0', 't1', 't2', 't3', 't4', 't5']), {
      first: [4, 3],
      onStart: (p) => {
        prioritise = p;
      },
    });
    expect(computed).toEqual(['t4', 't3', 't5', 't2', 't0', 't1']);
  });

  it('keeps what was finished when cancelled, and goes on from there', async () => {
    const cache = memoryVectorCache();
    const controller = new AbortController();
    const texts = items(['t0', 't1', 't2', 't3']);
    const { source } = counting((text) => {
      if (text === 't2') controller.abort();
    });
    await expect(embedAll(source, texts, { cache, signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    const rest = counting();
    await embedAll(rest.source, texts, { cache });
    expect(rest.computed).toEqual(['t2', 't3']);
  });

  it('lets a cancel in that arrives as an event', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 0);
    const busy = counting(() => {
      const until = performance.now() + 5;
      while (performance.now() < until);
    });
    await expect(embedAll(busy.source, items(Array.from({ length: 200 }, (_, i) => `t${i}`)), { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' });
    expect(busy.computed.length).toBeLessThan(50);
  });

  it('keeps what was finished when the encoder fails, and rejects with its error', async () => {
    const cache = memoryVectorCache();
    const texts = items(['t0', 't1', 't2']);
    const { source } = counting((text) => {
      if (text === 't1') throw new Error('runtime died');
    });
    await expect(embedAll(source, texts, { cache })).rejects.toThrow('runtime died');
    expect((await cache.get(spec.id, [texts[0]?.hash ?? '']))[0]).toEqual(hashedVector('t0'));
  });

  it('goes on without a cache that fails, and says why once', async () => {
    const broken: VectorCache = { get: () => Promise.reject(new Error('blocked')), put: () => Promise.reject(new Error('quota exceeded')) };
    const result = await embedAll(counting().source, items(['a1', 'b2']), { cache: broken });
    expect(result.computed).toBe(2);
    expect(result.cacheProblem).toBe('blocked');
  });

  it('computes a stored vector of another length again', async () => {
    const cache: VectorCache = { get: (_, hashes) => Promise.resolve(hashes.map(() => new Float32Array(3))), put: () => Promise.resolve() };
    const { source, computed } = counting();
    await embedAll(source, items(['a1']), { cache });
    expect(computed).toEqual(['a1']);
  });

  it('reports rising progress that ends at the total, with an estimate', async () => {
    let time = 0;
    const { source } = counting(() => {
      time += 150;
    });
    const seen: [number, number, number][] = [];
    await embedAll(source, items(['aaaa', 'bbbb', 'cccc', 'dddd', '']), { now: () => time, onProgress: (...p) => seen.push(p) });
    expect(seen.map(([done]) => done)).toEqual([1, 3, 5]);
    expect(seen[1]).toEqual([3, 5, 0.3]);
    expect(seen.at(-1)).toEqual([5, 5, 0]);
  });
});
