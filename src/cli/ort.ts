import * as ort from 'onnxruntime-web';
import type { InferenceEngine } from '../core/embedding/types';
import { openOwnModel, type OwnModel } from '../workers/ort-own';
import { createOrtEngine } from '../workers/ort-session';

/**
 * An engine in Node on the same runtime as the page: the package's main entry, because its `/wasm` entry with two
 * threads fails in Node 20. One and two threads give the same bits.
 */
export function createNodeEngine(model: Uint8Array, threads: number): Promise<InferenceEngine> {
  return createOrtEngine(ort, model, { threads, providers: ['wasm'] });
}

/** The same for a model that the user brought. */
export function openOwnNodeModel(model: Uint8Array, threads: number): Promise<OwnModel> {
  return openOwnModel(ort, model, { threads, providers: ['wasm'] });
}
