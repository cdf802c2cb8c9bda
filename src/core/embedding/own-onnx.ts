/** An encoder over the user's own ONNX model: windows of its length, pooled as its settings say (embedding.md §2 "yours"). */
import { ContextscopeError, throwIfCancelled } from '../base/errors';
import type { OnnxSettings } from './own-encoder';
import { unitVector } from './pooling';
import { MOST_WINDOWS } from './registry';
import type { TextTokenizer } from './text-tokenizer';
import type { Encoder, EncoderSpec, InferenceEngine } from './types';
import { wellFormed } from './well-formed';
import { windowRanges } from './windows';
import { yieldToEvents } from './yield-to-events';

/** Rows of the output tensor [1, S, d] → one vector. */
export function poolPositions(data: Float32Array, positions: number, pooling: 'mean' | 'cls' | 'last'): Float64Array {
  const d = positions > 0 ? data.length / positions : 0;
  const row = (at: number): Float64Array => Float64Array.from(data.subarray(at * d, (at + 1) * d));
  if (pooling === 'cls') return row(0);
  if (pooling === 'last') return row(positions - 1);
  const sum = new Float64Array(d);
  for (let s = 0; s < positions; s++) for (let k = 0; k < d; k++) sum[k] = sum[k]! + data[s * d + k]!;
  return sum.map((x) => x / positions);
}

/**
 * `engine.run(ids)` gives the pooled vector of one window, as long as the model makes it. A text without pieces has the
 * zero vector. Windows are averaged with their positions as weights, then brought to unit length. Throws 'worker' when
 * the model gives something that is no vector.
 */
export function createOwnEncoder(spec: EncoderSpec, settings: OnnxSettings, engine: InferenceEngine, tokenizer: TextTokenizer): Encoder {
  const before = settings.specialTokens ? tokenizer.before : [];
  const after = settings.specialTokens ? tokenizer.after : [];
  const room = settings.maxTokens - before.length - after.length;
  if (room < 1) throw new ContextscopeError('bad-argument', `A window of ${settings.maxTokens} positions has no room beside ${before.length + after.length} special tokens: choose a larger length.`);
  return {
    spec,
    embed: async (text, signal) => {
      throwIfCancelled(signal);
      if (text === '') return { vector: new Float32Array(spec.dim), tokens: 0 };
      const ids = tokenizer.encode(wellFormed(settings.prefix + text));
      if (ids.length === 0) return { vector: new Float32Array(spec.dim), tokens: 0 };
      const sum = new Float64Array(settings.dim);
      for (const { from, to } of windowRanges(ids.length, MOST_WINDOWS, room)) {
        throwIfCancelled(signal);
        const input = BigInt64Array.from([...before, ...ids.slice(from, to), ...after], BigInt);
        addWindow(sum, await engine.run(input), input.length, settings);
        await yieldToEvents();
      }
      throwIfCancelled(signal);
      return { vector: unitVector(sum), tokens: ids.length };
    },
    dispose: () => engine.dispose(),
  };
}

function addWindow(sum: Float64Array, vector: Float32Array, positions: number, { dim, normaliseWindows }: OnnxSettings): void {
  if (vector.length < dim) throw new ContextscopeError('worker', `The model gave ${vector.length} numbers, expected at least ${dim}.`);
  let squares = 0;
  for (let k = 0; k < dim; k++) squares += vector[k]! ** 2;
  if (!Number.isFinite(squares)) throw new ContextscopeError('worker', 'The model gave something that is not a finite number (NaN or infinity).');
  const weight = normaliseWindows && squares > 0 ? positions / Math.sqrt(squares) : positions;
  for (let k = 0; k < dim; k++) sum[k] = sum[k]! + vector[k]! * weight;
}
