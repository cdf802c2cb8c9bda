import { describe, expect, it } from 'vitest';
import { createEncoder } from './encoder';
import { encoderById } from './registry';
import type { InferenceEngine } from './types';
import type { WordPiece } from './wordpiece';

/** One piece a character: its code, so that windows can be read off the ids. */
const letters: WordPiece = { encode: (text) => Array.from(text.trim(), (c) => c.charCodeAt(0)), clsId: 1, sepId: 2 };

function recorder(): { engine: InferenceEngine; runs: number[][] } {
  const runs: number[][] = [];
  return {
    runs,
    engine: {
      run: (ids) => {
        runs.push(Array.from(ids, Number));
        const vector = new Float32Array(384);
        vector[runs.length - 1] = 1;
        return Promise.resolve(vector);
      },
      dispose: () => Promise.resolve(),
    },
  };
}

describe('createEncoder', () => {
  it('runs each window between [CLS] and [SEP] and weighs by positions', async () => {
    const { engine, runs } = recorder();
    const { vector, tokens } = await createEncoder(encoderById('minilm-l6-v2-f32@1'), engine, letters).embed('a'.repeat(254) + 'b'.repeat(10));
    expect(tokens).toBe(264);
    expect(runs.map((ids) => ids.length)).toEqual([256, 12]);
    expect([runs[0]?.[0], runs[0]?.[1], runs[0]?.[255], runs[1]?.[1], runs[1]?.[11]]).toEqual([1, 97, 2, 98, 2]);
    expect((vector[0] ?? 0) / (vector[1] ?? 1)).toBeCloseTo(256 / 12, 4);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  it('takes four windows of a long text, all of them in the all-windows variant', async () => {
    const long = 'x'.repeat(254 * 7);
    const four = recorder();
    await createEncoder(encoderById('minilm-l6-v2-int8@1'), four.engine, letters).embed(long);
    const all = recorder();
    await createEncoder(encoderById('minilm-l6-v2-int8-all@1'), all.engine, letters).embed(long);
    expect([four.runs.length, all.runs.length]).toEqual([4, 7]);
  });

  it('gives the static table the whole text without special tokens', async () => {
    const { engine, runs } = recorder();
    await createEncoder(encoderById('static-minilm-384@1'), engine, letters).embed('y'.repeat(3000));
    expect(runs).toEqual([new Array(3000).fill(121)]);
  });

  it('never runs a text without pieces: zero vector', async () => {
    const { engine, runs } = recorder();
    const encoder = createEncoder(encoderById('minilm-l6-v2-int8@1'), engine, letters);
    for (const text of ['', '  \n ']) expect(await encoder.embed(text)).toEqual({ vector: new Float32Array(384), tokens: 0 });
    expect(runs).toEqual([]);
  });

  it('sees a lone surrogate as U+FFFD and leaves pairs alone', async () => {
    const { engine, runs } = recorder();
    const units: WordPiece = { ...letters, encode: (text) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)) };
    await createEncoder(encoderById('static-minilm-384@1'), engine, units).embed('\ud83d\ude00\ud800a\udc00');
    expect(runs).toEqual([[0xd83d, 0xde00, 0xfffd, 97, 0xfffd]]);
  });

  it('stops between windows when cancelled', async () => {
    const controller = new AbortController();
    const { engine, runs } = recorder();
    const stopping: InferenceEngine = {
      ...engine,
      run: (ids) => {
        controller.abort();
        return engine.run(ids);
      },
    };
    const embedding = createEncoder(encoderById('minilm-l6-v2-int8@1'), stopping, letters).embed('z'.repeat(1000), controller.signal);
    await expect(embedding).rejects.toMatchObject({ code: 'cancelled' });
    expect(runs).toHaveLength(1);
  });

  it('refuses a model of another dimension', async () => {
    const engine: InferenceEngine = { run: () => Promise.resolve(new Float32Array(8)), dispose: () => Promise.resolve() };
    await expect(createEncoder(encoderById('static-minilm-384@1'), engine, letters).embed('a')).rejects.toThrow('expected 384 numbers from the model, found 8');
  });
});
