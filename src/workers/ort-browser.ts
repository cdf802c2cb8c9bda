import type { EngineFactory } from './embedding-models';
import type { BackendInfo } from './embedding-protocol';
import { hasWebGpu, withFallback } from './ort-fallback';

/** Encoder whose file suits WebGPU: int8 products would fall back to the CPU there (models/README). */
const WEBGPU_ENCODER = 'minilm-l6-v2-f32@1';

/**
 * Engines in a browser worker: WASM for everything that is stored and compared, WebGPU for the float32 file where there is
 * an adapter. Each build of the runtime is loaded on demand. Without WebGPU, or when its device fails in the middle, the
 * same file runs on WASM; `info()` then says so.
 */
export const browserEngine: EngineFactory = async (spec, model) => {
  const wasm = async () => {
    const { createWasmEngine, wasmThreads } = await import('./ort-wasm');
    return { engine: await createWasmEngine(model), info: { backend: 'wasm', threads: wasmThreads() } satisfies BackendInfo };
  };
  if (spec.id === WEBGPU_ENCODER && (await hasWebGpu())) {
    try {
      const { createWebGpuEngine } = await import('./ort-webgpu');
      let current: BackendInfo = { backend: 'webgpu', threads: 1 };
      const second = async () => {
        const made = await wasm();
        current = made.info;
        return made.engine;
      };
      const engine = withFallback(await createWebGpuEngine(model), second, (reason) => console.warn('WebGPU failed, going on with WebAssembly:', reason));
      return { engine, info: () => current };
    } catch (reason) {
      console.warn('WebGPU could not be used, going on with WebAssembly:', reason);
    }
  }
  const { engine, info } = await wasm();
  return { engine, info: () => info };
};
