import * as ort from 'onnxruntime-web';
import { describe, expect, it } from 'vitest';
import { specOfOwn, type OnnxSettings } from '../core/embedding/own-encoder';
import { createOwnEncoder } from '../core/embedding/own-onnx';
import { createTextTokenizer } from '../core/embedding/text-tokenizer';
import { tinyModel, type TinyModel } from '../testing/tiny-model';
import { openOwnModel } from './ort-own';
import { OwnModels, probeOnnx, type OpenModel } from './own-models';

const open: OpenModel = async (model) => ({ opened: await openOwnModel(ort, model, { threads: 1, providers: ['wasm'] }), info: { backend: 'wasm', threads: 1 } });
const blobs = ({ model, tokenizer }: TinyModel): [Blob, Blob] => [new Blob([model]), new Blob([tokenizer])];
const tiny = tinyModel();
const settings: OnnxSettings = {
  inputs: { ids: 'input_ids', mask: null, types: null, positions: null }, output: 'last_hidden_state', pooling: 'mean', prefix: '', maxTokens: 16, specialTokens: true, normaliseWindows: false, dim: tiny.dim,
};

/** The same in a few lines: rows of the table, pooled, averaged over windows by their length, unit length. */
function expected(windows: readonly string[][], how: Partial<OnnxSettings> = {}): number[] {
  const use = { ...settings, ...how };
  const sum = new Array<number>(use.dim).fill(0);
  for (const pieces of windows) {
    const rows = pieces.map((piece) => Array.from(tiny.table.subarray(tiny.ids.get(piece)! * tiny.dim, tiny.ids.get(piece)! * tiny.dim + use.dim)));
    const pooled = use.pooling === 'cls' ? rows[0]! : use.pooling === 'last' ? rows.at(-1)! : rows[0]!.map((_, k) => rows.reduce((total, row) => total + row[k]!, 0) / rows.length);
    const length = use.normaliseWindows ? Math.hypot(...pooled) : 1;
    pooled.forEach((x, k) => { sum[k]! += (x / length) * pieces.length; });
  }
  const length = Math.hypot(...sum);
  return sum.map((x) => x / length);
}

async function vectorOf(text: string, how: Partial<OnnxSettings> = {}): Promise<number[]> {
  const use = { ...settings, ...how };
  const { opened } = await open(tiny.model);
  const encoder = createOwnEncoder({ id: 'onnx:000000000000', cliName: '', title: '', dim: use.dim, modelFile: null, modelBytes: 0, sha256: null, approximate: false }, use, opened.engine(use), createTextTokenizer(JSON.parse(tiny.tokenizer), 'tokenizer.json'));
  const { vector } = await encoder.embed(text);
  await encoder.dispose();
  return [...vector];
}

const near = (actual: readonly number[], wanted: readonly number[]): void => {
  expect(actual).toHaveLength(wanted.length);
  wanted.forEach((x, i) => expect(actual[i]).toBeCloseTo(x, 5));
};

describe('an own model', () => {
  it('is fed what its settings name, and pooled by them', async () => {
    const window = ['[CLS]', 'a', '##b', 'c', '[SEP]'];
    near(await vectorOf('ab C'), expected([window]));
    near(await vectorOf('ab C', { pooling: 'cls' }), expected([window], { pooling: 'cls' }));
    near(await vectorOf('ab C', { pooling: 'last' }), expected([window], { pooling: 'last' }));
    near(await vectorOf('ab C', { specialTokens: false }), expected([window.slice(1, -1)]));
    near(await vectorOf('c', { prefix: 'ab ' }), expected([window]));
    near(await vectorOf('ab C', { dim: 3 }), expected([window], { dim: 3 }));
    expect(await vectorOf('')).toEqual(new Array(tiny.dim).fill(0));
  });

  it('cuts long texts into windows of its own length: the first two and the last two', async () => {
    const cut = (from: number, to: number): string[] => ['[CLS]', ...[...'abcdefghijklmnopqr'].slice(from, to), '[SEP]'];
    const long = [...'abcdefghijklmnopqr'].join(' ');
    near(await vectorOf(long, { maxTokens: 5 }), expected([cut(0, 3), cut(3, 6), cut(12, 15), cut(15, 18)]));
    near(await vectorOf(long, { maxTokens: 5, normaliseWindows: true }), expected([cut(0, 3), cut(3, 6), cut(12, 15), cut(15, 18)], { normaliseWindows: true }));
    await expect(vectorOf('a', { maxTokens: 2 })).rejects.toMatchObject({ code: 'bad-argument', message: expect.stringContaining('no room') as string });
  });
});

describe('the trial run', () => {
  it('guesses everything from names and shapes, and says what came out', async () => {
    const probe = await probeOnnx(open, ...blobs(tiny), null);
    expect(probe).toMatchObject({
      problem: null, settings: { ...settings, maxTokens: 512, normaliseWindows: true }, specialTokens: { before: 1, after: 1 },
      ports: { inputs: [{ name: 'input_ids', type: 'int64', shape: ['batch', 'sequence'] }], outputs: [{ name: 'last_hidden_state', type: 'float32', shape: ['batch', 'sequence', 8] }] },
    });
    expect(probe.trial?.modelDim).toBe(8);
    expect(probe.id).toMatch(/^onnx:[0-9a-f]{12}$/);
    expect((await probeOnnx(open, ...blobs(tiny), { ...probe.settings, pooling: 'cls' })).id).not.toBe(probe.id);
  });

  it('tells a guess that does not work as a problem, and what the model declares', async () => {
    const probe = await probeOnnx(open, ...blobs(tinyModel({ moreInputs: ['past_key_values'] })), null);
    expect(probe).toMatchObject({ trial: null, problem: expect.stringContaining('also wants “past_key_values”') as string });
    expect(probe.ports.inputs.map(({ name }) => name)).toEqual(['input_ids', 'past_key_values']);
  });

  it.each([
    ['an input it has not', { inputs: { ...settings.inputs, mask: 'attention_mask' } }, 'no input “attention_mask”'],
    ['an output it has not', { output: 'pooled' }, 'no output “pooled”; its outputs are “last_hidden_state”'],
    ['no pooling where one is needed', { pooling: 'none' as const }, 'choose a pooling'],
    ['more numbers than it gives', { dim: 9 }, 'gives 8 numbers a text; 9 are asked for'],
  ])('rejects %s', async (_, change, words) => {
    await expect(probeOnnx(open, ...blobs(tiny), { ...settings, ...change })).rejects.toMatchObject({ code: 'bad-argument', message: expect.stringContaining(words) as string });
  });

  it('rejects files that are something else', async () => {
    const [model, tokenizer] = blobs(tiny);
    await expect(probeOnnx(open, new Blob(['<!doctype html>']), tokenizer, null)).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('could not load the model') as string });
    await expect(probeOnnx(open, model, new Blob(['{"a": ']), null)).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('is not JSON') as string });
    await expect(probeOnnx(open, model, new Blob(['{"model": {"type": "Nothing"}}']), null)).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('could not be read as a tokenizer') as string });
  });
});

describe('models of the embedding worker', () => {
  it('are loaded once, forgotten when deleted, and missed with a sentence', async () => {
    const { id } = await probeOnnx(open, ...blobs(tiny), settings);
    const info = { id: id as `onnx:${string}`, kind: 'onnx' as const, name: 'tiny', dim: 8, sizeBytes: 1, sha256: '', addedMs: 0, settings };
    let opened = 0;
    const models = new OwnModels((bytes) => {
      opened++;
      return open(bytes);
    });
    const [model, tokenizer] = blobs(tiny);
    models.define({ info, model, tokenizer });
    const spec = specOfOwn(info);
    const [first, second] = await Promise.all([models.load(spec), models.load(spec)]);
    expect([first, opened]).toEqual([second, 1]);
    near([...(await first.encoder.embed('ab c')).vector], expected([['[CLS]', 'a', '##b', 'c', '[SEP]']]));
    await models.forget(id);
    await expect(models.load(spec)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('tiny') as string });
  });

  it('close the session of a model that the settings do not fit', async () => {
    const { id } = await probeOnnx(open, ...blobs(tiny), settings);
    const info = { id: id as `onnx:${string}`, kind: 'onnx' as const, name: 'tiny', dim: 8, sizeBytes: 1, sha256: '', addedMs: 0, settings: { ...settings, output: 'pooled' } };
    let released = 0;
    const models = new OwnModels(async (bytes) => {
      const made = await open(bytes);
      return { ...made, opened: { ...made.opened, release: async () => { released++; await made.opened.release(); } } };
    });
    const [model, tokenizer] = blobs(tiny);
    models.define({ info, model, tokenizer });
    await expect(models.load(specOfOwn(info))).rejects.toMatchObject({ code: 'bad-argument' });
    expect(released).toBe(1);
  });
});
