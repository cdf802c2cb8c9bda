/** What the benchmark page offers as `window.bench`: each call measures inside the browser and returns numbers. */
import type { EmbeddingCalls } from './embedding.worker.ts';
import type { ComputeCalls } from './compute.worker.ts';

export interface FirstStepTimes { firstMs: number; readMs: number; fraction: number }

export interface BenchPage {
  /** Product: the chosen file into the library (parse, normalise, persist), then forgotten again outside of the time. */
  importFile(): Promise<number>;
  /** Baseline: lines of the same File's stream through JSON.parse, in a worker. */
  bareImport(): Promise<number>;
  /** Until the first steps can be shown; the import is cancelled then. */
  firstSteps(): Promise<FirstStepTimes>;
  compute<K extends keyof ComputeCalls>(call: K, ...args: Parameters<ComputeCalls[K]>): Promise<Awaited<ReturnType<ComputeCalls[K]>>>;
  embedding<K extends keyof EmbeddingCalls>(call: K, ...args: Parameters<EmbeddingCalls[K]>): Promise<Awaited<ReturnType<EmbeddingCalls[K]>>>;
  /** The chosen file, for calls whose input it is. */
  file(): File;
}

declare global {
  interface Window { bench: BenchPage }
}
