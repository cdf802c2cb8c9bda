/** Long work in hand: what the status region "Progress" lists. A job leaves the list when it settles. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isCancelled } from '../core/base/errors';
import type { JobOptions, Progress } from '../workers/api';

export interface Job {
  id: number;
  /** What it was started as; its progress may say more. */
  name: string;
  progress: Progress;
  startedMs: number;
  cancel: () => void;
  cancelling: boolean;
}
export interface JobsState { jobs: Job[] }
export type JobsStore = StoreApi<JobsState>;

export function createJobsStore(): JobsStore {
  return createStore<JobsState>(() => ({ jobs: [] }));
}

let nextId = 1;

/**
 * Runs `work` as a listed, cancellable job. An outer signal cancels it too. Resolves to undefined when cancelled;
 * other errors pass through.
 */
export async function runJob<T>(store: JobsStore, label: string, work: (options: Required<JobOptions>) => Promise<T>, outer?: AbortSignal): Promise<T | undefined> {
  const id = nextId++;
  const controller = new AbortController();
  const cancel = (): void => {
    controller.abort();
    update({ cancelling: true });
  };
  const update = (change: Partial<Job>): void =>
    store.setState(({ jobs }) => ({ jobs: jobs.map((job) => (job.id === id ? { ...job, ...change } : job)) }));
  if (outer?.aborted) return undefined;
  outer?.addEventListener('abort', cancel, { once: true });
  const progress: Progress = { label, done: 0, total: NaN, unit: 'bytes' };
  store.setState(({ jobs }) => ({ jobs: [...jobs, { id, name: label, progress, startedMs: Date.now(), cancel, cancelling: false }] }));
  try {
    return await work({ signal: controller.signal, onProgress: (now) => update({ progress: now }) });
  } catch (error) {
    if (isCancelled(error)) return undefined;
    throw error;
  } finally {
    outer?.removeEventListener('abort', cancel);
    store.setState(({ jobs }) => ({ jobs: jobs.filter((job) => job.id !== id) }));
  }
}
