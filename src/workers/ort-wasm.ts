import * as ort from 'onnxruntime-web/wasm';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import type { InferenceEngine } from '../core/embedding/types';
import { openOwnModel, type OwnModel } from './ort-own';
import { createOrtEngine, type OrtOptions } from './ort-session';

/** Two threads where shared memory is allowed (cross-origin isolation headers), else one; the numbers are the same. */
export function wasmThreads(): number {
  return globalThis.crossOriginIsolated ? Math.min(2, navigator.hardwareConcurrency || 1) : 1;
}

/** An engine on the CPU build of the runtime, served from our own origin. */
export function createWasmEngine(model: Uint8Array): Promise<InferenceEngine> {
  return createOrtEngine(served(), model, options());
}

/** The same for a model that the user brought. */
export function openOwnWasmModel(model: Uint8Array): Promise<OwnModel> {
  return openOwnModel(served(), model, options());
}

const options = (): OrtOptions => ({ threads: wasmThreads(), providers: ['wasm'] });

function served(): typeof ort {
  // Both files must be named: without `mjs` the threads of the production build start from the bundled worker and hang.
  ort.env.wasm.wasmPaths = { wasm: new URL(wasmUrl, self.location.href).href, mjs: new URL(glueUrl, self.location.href).href };
  return ort;
}
