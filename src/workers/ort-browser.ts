import type { InferenceEngine } from '../core/embedding/types';
import type { EngineFactory } from './embedding-models';
import type { BackendInfo } from './embedding-protocol';
import type { OpenModel } from './own-models';
import { hasWebGpu, withFallback } from './ort-fallback';

/** Encoder whose file suits WebGPU: int8 products would fall back to the CPU there (models/README). */
const WEBGPU_ENCODER = 'minilm-l6-v2-f32@1';

interface Made { engine: InferenceEngine; info: BackendInfo }

async function onWasm(model: Uint8Array): Promise<Made> {
  const { createWasmEngine, wasmThreads } = await import('./ort-wasm');
  return { engine: await createWasmEngine(model), info: { backend: 'wasm', threads: wasmThreads() } };
}

/** Keeps the model bytes: they are needed again when the device is lost. */
async function onWebGpu(model: Uint8Array): ReturnType<EngineFactory> {
  const { createWebGpuEngine } = await import('./ort-webgpu');
  let info: BackendInfo = { backend: 'webgpu', threads: 1 };
  const second = async (): Promise<InferenceEngine> => {
    const made = await onWasm(model);
    info = made.info;
    return made.engine;
  };
  const engine = withFallback(await createWebGpuEngine(model), second, (reason) => console.warn('WebGPU failed, going on with WebAssembly:', reason));
  return { engine, info: () => info };
}

/** Apart from the factory, so that `info` does not hold on to the model bytes. */
const unchanging = ({ engine, info }: Made): Awaited<ReturnType<EngineFactory>> => ({ engine, info: () => info });

/**
 * Engines in a browser worker: WASM for everything that is stored and compared, WebGPU for the float32 file where there is
 * an adapter. Each build of the runtime is loaded on demand. Without WebGPU, or when its device fails in the middle, the
 * same file runs on WASM; `info()` then says so.
 */
export const browserEngine: EngineFactory = async (spec, model) => {
  if (spec.id === WEBGPU_ENCODER && (await hasWebGpu())) {
    try {
      return await onWebGpu(model);
    } catch (reason) {
      console.warn('WebGPU could not be used, going on with WebAssembly:', reason);
    }
  }
  return unchanging(await onWasm(model));
};

/** Own models run on the CPU: whatever they are, page and command line then agree. */
export const browserOwnModel: OpenModel = async (model) => {
  const { openOwnWasmModel, wasmThreads } = await import('./ort-wasm');
  return { opened: await openOwnWasmModel(model), info: { backend: 'wasm', threads: wasmThreads() } };
};
