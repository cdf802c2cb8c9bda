import type * as Ort from 'onnxruntime-web';
import { ContextscopeError } from '../core/base/errors';
import type { InferenceEngine } from '../core/embedding/types';

/** What the adapter uses of the runtime; every entry of onnxruntime-web has it. */
export type OrtModule = Pick<typeof Ort, 'InferenceSession' | 'Tensor' | 'env'>;

export interface OrtOptions {
  threads: number;
  providers: ('wasm' | 'webgpu')[];
}

const INPUT = 'input_ids';
const OUTPUT = 'embedding';

/**
 * The one adapter over ONNX Runtime: checked model bytes → engine (`input_ids` int64 [1, S] → `embedding` float32 [1, d]).
 * The runtime is an argument, so that page (wasm, WebGPU) and Node choose their entry. The thread count is fixed by the
 * first session of a runtime. Throws `corrupt` when the bytes are no model with these names, `worker` when a run fails.
 */
export async function createOrtEngine(ort: OrtModule, model: Uint8Array, options: OrtOptions): Promise<InferenceEngine> {
  ort.env.wasm.numThreads = options.threads;
  ort.env.logLevel = 'error';
  const session = await ort.InferenceSession.create(model, { executionProviders: options.providers, logSeverityLevel: 3 }).catch((error: unknown) => {
    throw new ContextscopeError('corrupt', `ONNX Runtime could not load the encoder: ${messageOf(error)}`);
  });
  if (!session.inputNames.includes(INPUT) || !session.outputNames.includes(OUTPUT)) {
    await session.release();
    throw new ContextscopeError('corrupt', `Expected a model with input ${INPUT} and output ${OUTPUT}, found ${session.inputNames.join(', ')} and ${session.outputNames.join(', ')}.`);
  }
  return serialised(
    async (ids) => {
      const input = new ort.Tensor('int64', ids, [1, ids.length]);
      const outputs = await session.run({ [INPUT]: input }).catch((error: unknown) => {
        throw new ContextscopeError('worker', `The encoder failed on ${ids.length} word pieces: ${messageOf(error)}`);
      });
      const output = outputs[OUTPUT];
      const data = output === undefined ? null : await output.getData();
      if (!(data instanceof Float32Array)) throw new ContextscopeError('worker', `Expected float32 numbers from the encoder, found ${output?.type ?? 'nothing'}.`);
      // A copy: the runtime may hand out a view of its own memory.
      return data.slice();
    },
    () => session.release(),
  );
}

/** One run at a time: a session on WebGPU refuses a second one, and on WASM runs would only wait for each other. */
export function serialised(run: (ids: BigInt64Array) => Promise<Float32Array>, release: () => Promise<void>): InferenceEngine {
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(action: () => Promise<T>): Promise<T> => {
    const result = tail.then(action);
    // A failed run must not fail the ones behind it.
    tail = result.catch(() => undefined);
    return result;
  };
  return { run: (ids) => inTurn(() => run(ids)), dispose: () => inTurn(release) };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
