import { describe, expect, it } from 'vitest';
import { ContextscopeError, throwIfCancelled } from '../core/base/errors';
import { createJobsStore, runJob } from './jobs';

describe('jobs', () => {
  it('are listed while they run, with their newest progress', async () => {
    const store = createJobsStore();
    let finish = (): void => undefined;
    const done = runJob(store, 'Work', async ({ onProgress }) => {
      onProgress({ label: 'Work', done: 3, total: 10, unit: 'steps' });
      await new Promise<void>((resolve) => { finish = resolve; });
      return 'result';
    });
    expect(store.getState().jobs).toMatchObject([{ progress: { done: 3, total: 10 }, cancelling: false }]);
    finish();
    expect(await done).toBe('result');
    expect(store.getState().jobs).toEqual([]);
  });

  it('cancel resolves to undefined and takes the job off the list', async () => {
    const store = createJobsStore();
    const done = runJob(store, 'Work', async ({ signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throwIfCancelled(signal);
      return 'never';
    });
    store.getState().jobs[0]?.cancel();
    expect(store.getState().jobs[0]?.cancelling).toBe(true);
    expect(await done).toBeUndefined();
    expect(store.getState().jobs).toEqual([]);
  });

  it('a failure passes through and leaves nothing behind', async () => {
    const store = createJobsStore();
    await expect(runJob(store, 'Work', () => Promise.reject(new ContextscopeError('corrupt', 'broken')))).rejects.toThrow('broken');
    expect(store.getState().jobs).toEqual([]);
  });
});
