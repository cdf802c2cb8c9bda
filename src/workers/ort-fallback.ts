import type { InferenceEngine } from '../core/embedding/types';

/** The part of WebGPU that is asked here; the DOM library of this TypeScript has no types for it everywhere. */
interface GpuNavigator { gpu?: { requestAdapter(): Promise<object | null> } }

/** Is there a WebGPU adapter? False where asking fails. */
export async function hasWebGpu(from: GpuNavigator = globalThis.navigator as GpuNavigator): Promise<boolean> {
  try {
    return from.gpu !== undefined && (await from.gpu.requestAdapter()) !== null;
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
