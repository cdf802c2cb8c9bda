import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContextscopeError } from '../core/base/errors';
import { sha256Hex } from '../core/base/sha256';
import { memoryVectorCache, type VectorCache } from '../core/embedding/cache';
import type { EncoderId } from '../core/embedding/types';
import type { AssetReader } from './embedding-assets';
import type { EngineFactory } from './embedding-models';
import type { EmbeddingRequest, EmbeddingResponse } from './embedding-protocol';
import { EmbeddingService } from './embedding-service';

const models = resolve(import.meta.dirname, '../../public/models');

/** The real tokenizer; no model bytes, the engine is a fake that points along the first id of each run. */
const readTokenizer: AssetReader = async (asset) => new Uint8Array(asset.path.endsWith('.onnx') ? [] : await readFile(resolve(models, asset.path)));

interface Bench {
  service: EmbeddingService;
  posted: EmbeddingResponse[];
  engines: string[];
  runs: () => number;
  send: (request: EmbeddingRequest) => Promise<void>;
  of: <T extends EmbeddingResponse['type']>(id: number, type: T) => Extract<EmbeddingResponse, { type: T }>[];
}

function bench(options: { cache?: VectorCache | null; read?: AssetReader; onRun?: () => void | Promise<void> } = {}): Bench {
  const posted: EmbeddingResponse[] = [];
  const engines: string[] = [];
  let runs = 0;
  const createEngine: EngineFactory = (spec) => {
    engines.push(spec.modelFile ?? '');
    const engine = {
      run: async (ids: BigInt64Array) => {
        runs++;
        await options.onRun?.();
        const vector = new Float32Array(384);
        vector[Number(ids[0] ?? 0n) % 384] = 1;
        return vector;
      },
      dispose: () => Promise.resolve(),
    };
    return Promise.resolve({ engine, info: () => ({ backend: 'wasm', threads: 2 }) });
  };
  const service = new EmbeddingService({ readerFor: () => options.read ?? readTokenizer, createEngine, cache: options.cache ?? null, post: (response) => posted.push(response) });
  void service.handle({ type: 'init', baseUrl: 'http://host/' });
  return {
    service,
    posted,
    engines,
    runs: () => runs,
    send: (request) => service.handle(request),
    of: <T extends EmbeddingResponse['type']>(id: number, type: T) => posted.filter((r): r is Extract<EmbeddingResponse, { type: T }> => r.id === id && r.type === type),
  };
}

const embed = (id: number, encoder: EncoderId, texts: string[], first: number[] = []): EmbeddingRequest => ({
  type: 'embed', id, encoder, first, texts: texts.map((text) => ({ text, hash: sha256Hex(text) })),
});

describe('EmbeddingService', () => {
  it('streams rows for every text and settles once', async () => {
    const { send, of, posted } = bench({ cache: memoryVectorCache() });
    await send(embed(1, 'static-minilm-384@1', ['hello', '', 'world', 'hello']));
    const rows = of(1, 'rows').flatMap(({ indices, vectors, dim }) => Array.from(indices, (index, i) => [index, vectors.slice(i * dim, (i + 1) * dim).indexOf(1)]));
    // 'hello' is piece 7592 and 'world' 2088 of the vocabulary; the empty text has no direction
    expect(Object.fromEntries(rows)).toEqual({ 0: 7592 % 384, 1: -1, 2: 2088 % 384, 3: 7592 % 384 });
    expect(of(1, 'done').map(({ summary }) => summary)).toEqual([{ encoder: 'static-minilm-384@1', total: 4, cached: 0, computed: 3, empty: 1, info: { backend: 'wasm', threads: 2 }, cacheProblem: null }]);
    expect(posted.at(-1)?.type).toBe('done');
  });

  it('shares one model between the int8 encoders and needs none for the hashed one', async () => {
    const { send, of, engines } = bench();
    await Promise.all([send({ type: 'load', id: 1, encoder: 'minilm-l6-v2-int8@1' }), send({ type: 'load', id: 2, encoder: 'minilm-l6-v2-int8-all@1' }), send(embed(3, 'hashed-1024@1', ['a b']))]);
    expect(engines).toEqual(['minilm-l6-v2-int8/model.onnx']);
    expect(of(1, 'loaded')[0]?.info).toEqual({ backend: 'wasm', threads: 2 });
    expect(of(3, 'done')[0]?.summary.info.backend).toBe('none');
  });

  it('embeds nothing twice: requests at the same time, later ones, and other pages with the same cache', async () => {
    const cache = memoryVectorCache();
    const one = bench({ cache });
    const texts = ['alpha', 'beta', 'gamma'];
    await Promise.all([one.send(embed(1, 'minilm-l6-v2-int8@1', texts)), one.send(embed(2, 'minilm-l6-v2-int8@1', texts))]);
    await one.send(embed(3, 'minilm-l6-v2-int8@1', texts));
    expect(one.runs()).toBe(3);
    const two = bench({ cache });
    await two.send(embed(1, 'minilm-l6-v2-int8@1', texts));
    expect([two.runs(), two.engines.length, two.of(1, 'done')[0]?.summary.cached]).toEqual([0, 0, 3]);
  });

  it('cancels between texts, settles once, and keeps what was done', async () => {
    const cache = memoryVectorCache();
    const texts = Array.from({ length: 40 }, (_, i) => `text number ${i}`);
    const running = bench({
      cache,
      onRun: () => {
        if (running.runs() === 5) void running.send({ type: 'cancel', id: 1 });
      },
    });
    await running.send(embed(1, 'minilm-l6-v2-int8@1', texts));
    await new Promise((done) => setTimeout(done, 30));
    expect(running.of(1, 'failed').map(({ code }) => code)).toEqual(['cancelled']);
    expect(running.of(1, 'done')).toEqual([]);
    const stored = (await cache.get('minilm-l6-v2-int8@1', texts.map(sha256Hex))).filter((v) => v !== null);
    expect(stored.length).toBeGreaterThanOrEqual(4);
    expect(running.runs()).toBeLessThan(10);
  });

  it('reports a missing model, keeps working without it, and tries again when asked again', async () => {
    let missing = true;
    const { send, of } = bench({
      read: (asset, options) => (missing && asset.path.endsWith('.onnx') ? Promise.reject(new ContextscopeError('not-found', 'The file is missing on the server.')) : readTokenizer(asset, options)),
    });
    await send(embed(1, 'static-minilm-384@1', ['x']));
    expect(of(1, 'failed')).toEqual([{ type: 'failed', id: 1, code: 'not-found', message: 'The file is missing on the server.' }]);
    await send(embed(2, 'hashed-1024@1', ['words here']));
    expect(of(2, 'done')).toHaveLength(1);
    missing = false;
    await send(embed(3, 'static-minilm-384@1', ['x']));
    expect(of(3, 'done')).toHaveLength(1);
  });

  it('takes a change of priority while it runs', async () => {
    const order: number[] = [];
    const running = bench({
      onRun: () => {
        if (running.runs() === 1) void running.send({ type: 'prioritise', id: 1, first: [3] });
      },
    });
    await running.send(embed(1, 'static-minilm-384@1', ['one', 'two', 'three', 'four']));
    for (const { indices } of running.of(1, 'rows')) order.push(...indices);
    expect(order).toEqual([0, 3, 1, 2]);
  });

  it('keeps a priority that comes while the model still loads', async () => {
    const { send, of } = bench();
    const running = send(embed(1, 'static-minilm-384@1', ['one', 'two', 'three']));
    void send({ type: 'prioritise', id: 1, first: [2] });
    await running;
    expect(of(1, 'rows').flatMap(({ indices }) => [...indices])).toEqual([2, 0, 1]);
  });

  it('answers a request before init instead of hanging', async () => {
    const posted: EmbeddingResponse[] = [];
    const service = new EmbeddingService({ readerFor: () => readTokenizer, createEngine: () => Promise.reject(new Error('never')), cache: null, post: (r) => posted.push(r) });
    await service.handle({ type: 'load', id: 4, encoder: 'static-minilm-384@1' });
    expect(posted).toMatchObject([{ type: 'failed', id: 4, code: 'internal' }]);
  });
});
