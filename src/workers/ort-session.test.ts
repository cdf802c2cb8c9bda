import { describe, expect, it } from 'vitest';
import { createOrtEngine, type OrtModule } from './ort-session';

interface FakeRun { ids: bigint[]; finish: (data: Float32Array) => void; fail: (error: Error) => void }

/** Only what the adapter touches; a run stays open until the test ends it. */
function fakeRuntime(names = { inputs: ['input_ids'], outputs: ['embedding'] }): { ort: OrtModule; runs: FakeRun[]; released: () => number; options: unknown[] } {
  const runs: FakeRun[] = [];
  const options: unknown[] = [];
  let released = 0;
  const session = {
    inputNames: names.inputs,
    outputNames: names.outputs,
    run: (feeds: { input_ids: { data: BigInt64Array; dims: number[] } }) =>
      new Promise((resolve, reject) => {
        expect(feeds.input_ids.dims).toEqual([1, feeds.input_ids.data.length]);
        runs.push({
          ids: [...feeds.input_ids.data],
          finish: (data) => resolve({ embedding: { type: 'float32', getData: () => Promise.resolve(data) } }),
          fail: reject,
        });
      }),
    release: () => {
      released++;
      return Promise.resolve();
    },
  };
  class FakeTensor {
    constructor(readonly type: string, readonly data: BigInt64Array, readonly dims: number[]) {}
  }
  const ort = {
    env: { wasm: {}, logLevel: 'warning' },
    Tensor: FakeTensor,
    InferenceSession: {
      create: (model: Uint8Array, given: unknown) => {
        options.push(given);
        return model.length === 0 ? Promise.reject(new Error('protobuf parsing failed')) : Promise.resolve(session);
      },
    },
  } as unknown as OrtModule;
  return { ort, runs, released: () => released, options };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('createOrtEngine', () => {
  it('runs one sequence at a time, and a failed run does not fail the next', async () => {
    const { ort, runs } = fakeRuntime();
    const engine = await createOrtEngine(ort, new Uint8Array(1), { threads: 2, providers: ['wasm'] });
    expect(ort.env.wasm.numThreads).toBe(2);
    const first = engine.run(BigInt64Array.of(1n, 2n));
    const second = engine.run(BigInt64Array.of(3n));
    const failed = expect(first).rejects.toMatchObject({ code: 'worker', message: 'The encoder failed on 2 word pieces: device lost' });
    await settled();
    expect(runs.map(({ ids }) => ids)).toEqual([[1n, 2n]]);
    runs[0]?.fail(new Error('device lost'));
    await failed;
    await settled();
    const memory = Float32Array.of(0.5);
    runs[1]?.finish(memory);
    const vector = await second;
    memory[0] = 9;
    expect(Array.from(vector)).toEqual([0.5]);
  });

  it('is released after the runs before it', async () => {
    const { ort, runs, released } = fakeRuntime();
    const engine = await createOrtEngine(ort, new Uint8Array(1), { threads: 1, providers: ['wasm'] });
    const run = engine.run(BigInt64Array.of(1n));
    const disposed = engine.dispose();
    await settled();
    expect(released()).toBe(0);
    runs[0]?.finish(new Float32Array(1));
    await Promise.all([run, disposed]);
    expect(released()).toBe(1);
  });

  it('says what is wrong with bytes that are no such model', async () => {
    const options = { threads: 1, providers: ['wasm' as const] };
    await expect(createOrtEngine(fakeRuntime().ort, new Uint8Array(0), options)).rejects.toMatchObject({ code: 'corrupt', message: 'ONNX Runtime could not load the encoder: protobuf parsing failed' });
    const other = fakeRuntime({ inputs: ['x'], outputs: ['y'] });
    await expect(createOrtEngine(other.ort, new Uint8Array(1), options)).rejects.toThrow('Expected a model with input input_ids and output embedding, found x and y.');
    expect(other.released()).toBe(1);
  });
});
