import { describe, expect, it } from 'vitest';
import { ContextscopeError } from '../core/base/errors';
import { DEFAULT_SETTINGS } from '../core/corpus/types';
import { fakeWorkbench } from '../testing/fake-workbench';
import type { CorpusItemState, CorpusOptions, CorpusOutcome } from '../workers/api';
import { addCorpusFiles, createCorpusStore, runCorpus, type CorpusRequest } from './corpus';
import { choiceOf, DEFAULT_CHOICE, settingsOf } from './corpus-choice';
import { createJobsStore } from './jobs';
import { createPreferencesStore } from './preferences';

const request: CorpusRequest = { entries: ['a', 'b'].map((id) => ({ id, item: { path: id, size: 1, runId: `${id}#0` } })), encoder: 'hashed-1024@1', settings: DEFAULT_SETTINGS };
const OUTCOME = { runs: [] as unknown[] } as CorpusOutcome;

function services(run: (options: CorpusOptions) => Promise<CorpusOutcome>) {
  const workbench = { ...fakeWorkbench({}), corpus: { known: async () => [], run: (_: unknown, __: unknown, ___: unknown, options: CorpusOptions = {}) => run(options) } };
  return { workbench, jobs: createJobsStore(), corpus: createCorpusStore() };
}
const done: CorpusItemState = { state: 'done', reused: false };

describe('a corpus run in hand', () => {
  it('ends with its outcome and the states of all runs', async () => {
    const here = services(async ({ onItem }) => {
      onItem?.(0, { state: 'running', phase: 'measuring', share: 0.5 });
      onItem?.(0, done);
      onItem?.(1, { state: 'failed', message: 'cut' });
      return OUTCOME;
    });
    const running = runCorpus(here, request);
    expect(here.corpus.getState().running).toBe(true);
    // A second start while one runs does nothing.
    await runCorpus(here, request);
    await running;
    const { states, ended, outcome } = here.corpus.getState();
    expect([ended, outcome, states.get('a'), states.get('b')]).toEqual(['done', OUTCOME, done, { state: 'failed', message: 'cut' }]);
    expect(here.jobs.getState().jobs).toEqual([]);
  });

  it('cancelled as a job keeps what was done, and nothing that was in work', async () => {
    const here = services(({ onItem, signal }) => new Promise((_, reject) => {
      onItem?.(0, done);
      onItem?.(1, { state: 'running', phase: 'embedding', share: 0.1 });
      signal?.addEventListener('abort', () => reject(new ContextscopeError('cancelled', 'Cancelled.')));
    }));
    const running = runCorpus(here, request);
    here.jobs.getState().jobs[0]!.cancel();
    await running;
    expect(here.corpus.getState()).toMatchObject({ ended: 'cancelled', running: false, outcome: null });
    expect([...here.corpus.getState().states]).toEqual([['a', done]]);
  });

  it('says why none could be made, and keeps the tables there were', async () => {
    const here = services(() => Promise.reject(new ContextscopeError('bad-record', 'None of 2 could be mapped.')));
    here.corpus.setState({ outcome: OUTCOME });
    await runCorpus(here, request);
    expect(here.corpus.getState()).toMatchObject({ ended: 'failed', error: 'None of 2 could be mapped.', outcome: OUTCOME });
  });
});

it('files of a folder are added to the choice, without hidden ones, and replaced by path', () => {
  const [corpus, preferences] = [createCorpusStore(), createPreferencesStore(null)];
  const file = (name: string) => ({ name, blob: new Blob([name]) });
  addCorpusFiles({ corpus, preferences }, [file('runs/a.json'), file('runs/.git/x'), file('runs/node_modules/y.json')]);
  expect(preferences.getState().corpus.chosen).toBeNull();
  preferences.setState({ corpus: { ...DEFAULT_CHOICE, chosen: ['aa#0'] } });
  addCorpusFiles({ corpus, preferences }, [file('runs/a.json'), file('runs/b.json')]);
  expect(corpus.getState().files.map(({ name }) => name)).toEqual(['runs/a.json', 'runs/b.json']);
  expect(preferences.getState().corpus.chosen).toEqual(['aa#0', 'file:runs/a.json', 'file:runs/b.json']);
  addCorpusFiles({ corpus, preferences }, [file('runs/.hidden')]);
  expect(corpus.getState()).toMatchObject({ note: expect.stringContaining('no files') });
});

describe('a saved choice', () => {
  it('comes back, and what is not understood is the default', () => {
    const choice = { chosen: ['x'], encoder: 'minilm-l6-v2-f32@1' as const, tables: ['C1' as const, 'D4' as const], seed: 3, every: 2, budget: 4000 };
    expect(choiceOf(JSON.parse(JSON.stringify(choice)))).toEqual(choice);
    expect(choiceOf({ ...choice, encoder: 'vectors:0123456789ab' }).encoder).toBe('vectors:0123456789ab');
    expect(choiceOf({ ...choice, encoder: 'vectors:no hash' }).encoder).toBe(DEFAULT_CHOICE.encoder);
    expect(choiceOf({ chosen: 'all', encoder: 'gpt', tables: ['E9'], seed: -1, every: 0, budget: 'x' })).toEqual(DEFAULT_CHOICE);
    expect(choiceOf(null)).toEqual(DEFAULT_CHOICE);
  });

  it('makes the settings of the command line, tables in their order', () => {
    expect(settingsOf({ ...DEFAULT_CHOICE, tables: ['D4', 'C1'] })).toEqual({ ...DEFAULT_SETTINGS, tables: ['C1', 'D4'] });
    expect(JSON.stringify(settingsOf(DEFAULT_CHOICE))).toBe(JSON.stringify(DEFAULT_SETTINGS));
  });
});
