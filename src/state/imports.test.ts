import { describe, expect, it } from 'vitest';
import { ContextscopeError } from '../core/base/errors';
import { fakeWorkbench } from '../testing/fake-workbench';
import type { FirstSteps, ImportFilesOptions, ImportInput, ImportOutcome } from '../workers/api';
import { createImportsStore, importFiles, type ImportServices } from './imports';
import { createJobsStore } from './jobs';

const file = (name: string) => ({ name, blob: new Blob([name]) });

interface Call { files: ImportInput[]; options: ImportFilesOptions | undefined; finish: (change?: Partial<ImportOutcome>) => void; fail: (error: Error) => void }

/** A workbench whose imports end when the test says so. */
function services(): ImportServices & { calls: Call[] } {
  const calls: Call[] = [];
  const workbench = {
    ...fakeWorkbench({}),
    importFiles: (files: ImportInput[], options?: ImportFilesOptions) => new Promise<ImportOutcome>((resolve, reject) => {
      calls.push({ files, options, fail: reject, finish: (change) => resolve({ reports: [], runs: files.map(({ name }) => `run of ${name}`), alreadyStored: [], failures: [], overlaps: [], ...change }) });
    }),
  };
  return { workbench, jobs: createJobsStore(), imports: createImportsStore(), calls };
}

const settled = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 0); });

describe('imports', () => {
  it('a drop during an import waits, and the report holds both', async () => {
    const all = services();
    const one = importFiles(all, [file('a')]);
    const two = importFiles(all, [file('b'), file('c')]);
    await settled();
    expect(all.calls).toHaveLength(1);
    expect(all.imports.getState()).toMatchObject({ running: true, waiting: 2 });
    expect(all.imports.getState().files.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    all.calls[0]?.finish();
    expect((await one)?.runs).toEqual(['run of a']);
    await settled();
    expect(all.imports.getState()).toMatchObject({ running: true, waiting: 0 });
    all.calls[1]?.finish({ failures: [{ file: 'c', message: 'no' }] });
    expect((await two)?.runs).toEqual(['run of b', 'run of c']);
    expect(all.imports.getState()).toMatchObject({ running: false, outcome: { runs: ['run of a', 'run of b', 'run of c'], failures: [{ file: 'c', message: 'no' }] } });
  });

  it('one that fails or is cancelled takes nothing from the others', async () => {
    const all = services();
    const results = ['a', 'b', 'c'].map((name) => importFiles(all, [file(name)]));
    all.calls[0]?.fail(new Error('broken'));
    await results[0];
    await settled();
    all.calls[1]?.fail(new ContextscopeError('cancelled', 'Cancelled.'));
    expect(await results[1]).toBeNull();
    await settled();
    all.calls[2]?.finish();
    await results[2];
    const { outcome, cancelled, running } = all.imports.getState();
    expect(outcome).toMatchObject({ runs: ['run of c'], failures: [{ file: 'a', message: 'broken' }] });
    expect(cancelled.map(({ name }) => name)).toEqual(['b']);
    expect(running).toBe(false);
  });

  it('the next drop after all is done begins a new report; another format replaces one file in it', async () => {
    const all = services();
    const [a, b] = [file('a'), file('b')];
    const first = importFiles(all, [a, b]);
    all.calls[0]?.finish({ failures: [{ file: 'a', message: 'unknown' }, { file: 'b', message: 'unknown' }], runs: [] });
    await first;
    const again = importFiles(all, [a], 'pi');
    expect(all.calls[1]?.options?.format).toBe('pi');
    all.calls[1]?.finish();
    await again;
    expect(all.imports.getState()).toMatchObject({ outcome: { runs: ['run of a'], failures: [{ file: 'b' }] } });
    const later = importFiles(all, [file('d')]);
    expect(all.imports.getState().outcome).toBeNull();
    all.calls[2]?.finish();
    await later;
    expect(all.imports.getState().outcome?.runs).toEqual(['run of d']);
  });

  it('first steps are there while the rest arrives, and gone at its end', async () => {
    const all = services();
    const steps: FirstSteps = { file: 'a', format: 'pi', name: 'a', model: null, messages: [] };
    const done = importFiles(all, [file('a')]);
    all.calls[0]?.options?.onFirst?.(steps);
    expect(all.imports.getState().first).toBe(steps);
    all.calls[0]?.finish();
    await done;
    expect(all.imports.getState().first).toBeNull();
  });
});
