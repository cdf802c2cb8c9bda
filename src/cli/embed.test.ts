import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../core/base/sha256';
import type { Encoder } from '../core/embedding/types';
import { oracleBlocks, oracleTexts } from '../testing/oracle-texts';
import { oracleMatrix } from '../testing/oracles';
import { hasShared } from '../testing/shared';
import { createNodeEncoder, modelsFolder } from './embed';

const NAMES = ['static', 'hashed', 'minilm', 'minilm-all', 'minilm-f32'] as const;
const encoders = new Map<string, Encoder>();
const encoderOf = (name: string): Encoder => {
  const encoder = encoders.get(name);
  if (encoder === undefined) throw new Error(`${name} was not loaded`);
  return encoder;
};
const vectorOf = async (name: string, text: string): Promise<Float32Array> => (await encoderOf(name).embed(text)).vector;

function cosine(a: Float32Array, b: Float32Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    const y = b[i] ?? NaN;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  return ab / Math.sqrt(aa * bb);
}
const farthest = (a: Float32Array, b: Float32Array): number => a.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (b[i] ?? NaN))), 0);

// Five models on a machine that may be busy with other tests.
beforeAll(async () => {
  for (const name of NAMES) encoders.set(name, await createNodeEncoder(name));
}, 180_000);
afterAll(async () => {
  for (const encoder of encoders.values()) await encoder.dispose();
});

/** Over 1 016 pieces: more than four windows. */
const LONG = Array.from({ length: 170 }, (_, i) => `line ${i}: value ${i * 37}`).join('\n');

describe('encoders in Node', () => {
  it.each(NAMES)('%s: empty and blank texts are zero, others unit length', async (name) => {
    for (const text of ['', ' \n\t']) expect((await vectorOf(name, text)).every((x) => x === 0)).toBe(true);
    for (const text of ['two words', LONG.slice(0, 500)]) {
      const vector = await vectorOf(name, text);
      expect(vector).toHaveLength(encoderOf(name).spec.dim);
      expect(Math.abs(Math.hypot(...vector) - 1)).toBeLessThan(1e-6);
    }
  });

  it('puts related texts closer than unrelated ones', async () => {
    for (const name of ['static', 'minilm']) {
      const [query, near, far] = await Promise.all(['Traceback: ModuleNotFoundError: No module named numpy', 'ImportError while loading the numpy package', 'The recipe needs two eggs and butter'].map((text) => vectorOf(name, text)));
      if (query === undefined || near === undefined || far === undefined) throw new Error('three vectors');
      expect(cosine(query, near)).toBeGreaterThan(cosine(query, far) + 0.2);
    }
  });

  it('cuts a long text to four windows, or takes all', async () => {
    const { vector: four, tokens } = await encoderOf('minilm').embed(LONG);
    expect(tokens).toBeGreaterThan(4 * 254);
    expect(cosine(four, await vectorOf('minilm-all', LONG))).toBeLessThan(0.9999);
    const short = LONG.slice(0, 900);
    expect(await vectorOf('minilm-all', short)).toEqual(await vectorOf('minilm', short));
  });

  it('reads a lone surrogate as U+FFFD', async () => {
    for (const name of ['static', 'hashed', 'minilm']) expect(await vectorOf(name, 'cut \ud83d here')).toEqual(await vectorOf(name, 'cut \ufffd here'));
  });

  it('gives the same bits on one thread as on two', async () => {
    // The runtime fixes its threads with its first session, hence another process.
    const { execFileSync } = await import('node:child_process');
    const script = `import { createNodeEncoder } from ${JSON.stringify(resolve(import.meta.dirname, 'embed.ts'))};
      const encoder = await createNodeEncoder('minilm', { threads: 1 });
      const { vector } = await encoder.embed(${JSON.stringify(LONG.slice(0, 400))});
      console.log(JSON.stringify(Array.from(vector)));`;
    const out = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], { encoding: 'utf8', cwd: resolve(import.meta.dirname, '../..') });
    expect(Float32Array.from(JSON.parse(out) as number[])).toEqual(await vectorOf('minilm', LONG.slice(0, 400)));
  });
});

describe('model files', () => {
  const folder = mkdtempSync(resolve(tmpdir(), 'contextscope-models-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are found in the package', () => {
    expect(modelsFolder()).toMatch(/(public|dist)\/models$/);
    expect(() => modelsFolder(folder)).toThrow('Expected the encoders in');
  });

  it('that are missing or damaged are named', async () => {
    await expect(createNodeEncoder('static', { models: folder })).rejects.toMatchObject({ code: 'not-found' });
    for (const name of ['tokenizer.json', 'tokenizer_config.json']) cpSync(resolve(modelsFolder(), name), resolve(folder, name));
    mkdirSync(resolve(folder, 'static-minilm-384'));
    writeFileSync(resolve(folder, 'static-minilm-384/model.onnx'), 'not a model');
    await expect(createNodeEncoder('static', { models: folder })).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('expected 11843026 bytes, found 11') as string });
    await expect(createNodeEncoder('bert')).rejects.toMatchObject({ code: 'bad-argument' });
  });
});

/** A fixed sample; `npm run oracles` compares every row of every run. */
const SAMPLE: Record<string, number[]> = {
  'claude-opus-envoy': [0, 74, 143],
  'claude-sidechains': [4],
  'mini-astroid': [90],
  'mini-v0-fenced': [3],
  'openai-reason-line11': [1],
  'pi-large': [0, 171, 365],
  'swe-marshmallow': [6],
};

describe.skipIf(!hasShared)('reference vectors, a sample of blocks', () => {
  const texts = new Map<string, string>();
  beforeAll(async () => {
    for (const [run, indices] of Object.entries(SAMPLE)) {
      const { blocks } = await oracleTexts(run);
      for (const index of indices) texts.set(`${run} ${index}`, blocks[index] ?? '');
    }
  });

  const rows = Object.entries(SAMPLE).flatMap(([run, indices]) => indices.map((index): [string, number] => [run, index]));
  it.each(rows)('%s block %i', async (run, index) => {
    const text = texts.get(`${run} ${index}`) ?? '';
    const { sha256, wordpiece } = oracleBlocks(run).rows[index] ?? { sha256: '', wordpiece: -1 };
    expect(sha256Hex(text)).toBe(sha256);
    expect((await encoderOf('static').embed(text)).tokens).toBe(wordpiece);

    const expected = (file: string): Float32Array => {
      const { data, columns } = oracleMatrix(run, `vectors-${file}`);
      return data.slice(index * columns, (index + 1) * columns);
    };
    expect(farthest(await vectorOf('static', text), expected('static-minilm-384'))).toBeLessThan(2e-6);
    expect(farthest(await vectorOf('hashed', text), expected('hashed-1024'))).toBeLessThan(1e-7);
    expect(farthest(await vectorOf('minilm-f32', text), expected('minilm-l6-v2-f32'))).toBeLessThan(2e-6);
    expect(cosine(await vectorOf('minilm', text), expected('minilm-l6-v2-int8'))).toBeGreaterThan(0.9995);
  });
});
