import * as ort from 'onnxruntime-web/webgpu';
import glueUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.mjs?url';
import wasmUrl from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';
import type { InferenceEngine } from '../core/embedding/types';
import { createOrtEngine } from './ort-session';

/**
 * An engine on the WebGPU build (26 MB of WebAssembly: import this file only after `hasWebGpu()`), for the float32 file.
 * One thread: operators that stay on the CPU are few.
 */
export function createWebGpuEngine(model: Uint8Array): Promise<InferenceEngine> {
  ort.env.wasm.wasmPaths = { wasm: new URL(wasmUrl, self.location.href).href, mjs: new URL(glueUrl, self.location.href).href };
  return createOrtEngine(ort, model, { threads: 1, providers: ['webgpu'] });
}
