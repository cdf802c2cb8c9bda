import type { InferenceEngine } from '../core/embedding/types';

/** The part of WebGPU that is asked here; the DOM library of this TypeScript has no types for it everywhere. */
interface GpuAdapter { isFallbackAdapter?: boolean; info?: { isFallbackAdapter?: boolean } }
interface GpuNavigator { gpu?: { requestAdapter(): Promise<GpuAdapter | null> } }

/**
 * Is there a WebGPU adapter of a real device? False where asking fails, and for an adapter in software, on which one
 * window takes seconds (measured: 50 times as long as WASM).
 */
export async function hasWebGpu(from: GpuNavigator = globalThis.navigator as GpuNavigator): Promise<boolean> {
  try {
    const adapter = (await from.gpu?.requestAdapter()) ?? null;
    return adapter !== null && !(adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false);
  } catch {
    return false;
  }
}

/**
 * An engine that moves to `makeSecond` for good when a run of `first` fails (device lost, out of memory), and repeats
 * that run there: the caller sees slower numbers, not an error. `onFallback` hears the reason once.
 */
export function withFallback(first: InferenceEngine, makeSecond: () => Promise<InferenceEngine>, onFallback: (reason: unknown) => void): InferenceEngine {
  let broken = false;
  let second: Promise<InferenceEngine> | null = null;
  const secondEngine = (): Promise<InferenceEngine> => {
    if (second === null) {
      const made = makeSecond();
      second = made;
      // Never keep a rejected promise: the next run tries again.
      made.catch(() => {
        second = null;
      });
    }
    return second;
  };
  return {
    run: async (ids) => {
      if (!broken) {
        try {
          return await first.run(ids);
        } catch (reason) {
          if (!broken) {
            broken = true;
            onFallback(reason);
            // A lost device may refuse to be released too; nothing is left to free there then.
            void first.dispose().catch(() => undefined);
          }
        }
      }
      return (await secondEngine()).run(ids);
    },
    dispose: async () => {
      if (!broken) await first.dispose();
      else if (second !== null) await (await second).dispose();
    },
  };
}
