import { ContextscopeError, throwIfCancelled } from '../base/errors';
import { createHashedEncoder } from './hashed';
import { WindowPool } from './pooling';
import { encoderPlan } from './registry';
import type { Encoder, EncoderSpec, InferenceEngine } from './types';
import { wellFormed } from './well-formed';
import { windowRanges } from './windows';
import type { WordPiece } from './wordpiece';
import { yieldToEvents } from './yield-to-events';

const toIds = (ids: readonly number[]): BigInt64Array => BigInt64Array.from(ids, BigInt);

async function embedWindows(spec: EncoderSpec, engine: InferenceEngine, pieces: WordPiece, ids: number[], most: number | null, signal?: AbortSignal): Promise<Float32Array> {
  const pool = new WindowPool(spec.dim);
  for (const { from, to } of windowRanges(ids.length, most)) {
    // One run a window (batch 1, no padding): int8 rows do not depend on a neighbour, and cancel waits one run at most.
    throwIfCancelled(signal);
    const input = toIds([pieces.clsId, ...ids.slice(from, to), pieces.sepId]);
    pool.add(await engine.run(input), input.length);
    await yieldToEvents();
  }
  throwIfCancelled(signal);
  return pool.finish();
}

/**
 * An encoder over a loaded model (embedding.md §2). The engine stays the caller's to share between encoders of one model
 * file: `dispose` releases it. Vectors are float32 of unit length; a text without word pieces gives the zero vector.
 */
export function createEncoder(spec: EncoderSpec, engine: InferenceEngine, pieces: WordPiece): Encoder {
  const plan = encoderPlan(spec.id);
  if (plan.kind === 'hashed' || plan.kind === 'own') throw new ContextscopeError('bad-argument', `${spec.id} is made in another way: hashed.ts or own-onnx.ts.`);
  return {
    spec,
    embed: async (text, signal) => {
      throwIfCancelled(signal);
      const ids = pieces.encode(wellFormed(text));
      if (ids.length === 0) return { vector: new Float32Array(spec.dim), tokens: 0 };
      const vector = plan.kind === 'whole' ? await engine.run(toIds(ids)) : await embedWindows(spec, engine, pieces, ids, plan.most, signal);
      if (vector.length !== spec.dim) throw new ContextscopeError('internal', `${spec.id}: expected ${spec.dim} numbers from the model, found ${vector.length}.`);
      return { vector, tokens: ids.length };
    },
    dispose: () => engine.dispose(),
  };
}

export { createHashedEncoder };
