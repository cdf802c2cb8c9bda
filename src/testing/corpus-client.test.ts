/** The page's corpus run against the command line: here, because it needs both. */
import 'fake-indexeddb/auto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { corpusCommand } from '../cli/corpus-command';
import type { Output } from '../cli/output';
import { DEFAULT_SETTINGS } from '../core/corpus/types';
import { DexieRepository } from '../storage/dexie-repository';
import { MemoryRepository } from '../storage/memory-repository';
import { openDatabase } from '../storage/open';
import { localLocks } from '../storage/owner-locks';
import type { ObservableRepository } from '../storage/repository';
import { localWorkbench, type LocalOptions, type LocalWorkbench } from './local-workbench';
import { toolChat } from './tool-chat';
import type { CorpusItem, CorpusItemState, CorpusOutcome, Progress } from '../workers/api';

const ENCODER = 'hashed-1024@1';
const FILES: Record<string, string> = {
  'a.json': toolChat(19, 'alpha'),
  'deep/b.json': toolChat(22, 'beta'),
  'both.jsonl': `${toolChat(18, 'gamma')}\n${toolChat(4, 'delta')}\n`,
  'notes.md': '# no run\n',
};
const open: LocalWorkbench[] = [];
let databases = 0;
let root: string;
/** What the command line writes for these files. */
let expected: Record<string, string>;

const silent: Output = { print: () => undefined, write: () => undefined, fail: () => undefined, progress: () => () => undefined, exitCode: () => 1 };
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corpus-page-'));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, 'runs', name)), { recursive: true });
    await writeFile(join(root, 'runs', name), text);
  }
  expected = await commandLine(join(root, 'runs'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
beforeEach(() => void databases++);
afterEach(() => open.splice(0).forEach((local) => local.close()));

async function commandLine(...paths: string[]): Promise<Record<string, string>> {
  const out = await mkdtemp(join(root, 'out-'));
  await corpusCommand([...paths, '--out', out, '--encoder', 'hashed'], silent);
  const names = (await readdir(out)).filter((name) => name !== 'parts').sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const)));
}

function local(repository: ObservableRepository, options?: LocalOptions): LocalWorkbench {
  const made = localWorkbench(repository, options);
  open.push(made);
  return made;
}
const stored = async (): Promise<DexieRepository> => new DexieRepository(await openDatabase({ name: `corpus-${databases}` }), localLocks());
const blobOf = (name: string): Blob => new Blob([FILES[name]!]);
const loose = (names = Object.keys(FILES)): CorpusItem[] => names.map((name) => ({ path: `runs/${name}`, size: FILES[name]!.length, blob: blobOf(name) }));
const texts = ({ files }: CorpusOutcome): Record<string, string> => Object.fromEntries(files.map(({ name, text }) => [name, text]).sort(([a], [b]) => (a! < b! ? -1 : 1)));

async function inLibrary({ workbench }: LocalWorkbench, names = ['both.jsonl', 'deep/b.json', 'a.json']): Promise<CorpusItem[]> {
  const { runs } = await workbench.importFiles(names.map((name) => ({ name: `runs/${name}`, blob: blobOf(name) })));
  const library = await workbench.library.list();
  return runs.map((runId) => {
    const { fileName, steps } = library.find((run) => run.id === runId)!;
    return { path: fileName, size: steps, runId };
  });
}

describe.each([['IndexedDB', stored], ['memory', async () => new MemoryRepository()]] as const)('a corpus over files and runs in %s', (_, make) => {
  it('gives the bytes of the command line over a folder that is not stored', async () => {
    const { workbench } = local(await make());
    const outcome = await workbench.corpus.run(loose(), ENCODER, DEFAULT_SETTINGS);
    expect(texts(outcome)).toEqual(expected);
    expect(outcome).toMatchObject({ made: 3, reused: 0, failures: [{ file: 'notes.md', code: 'unknown-format' }] });
    expect(outcome.runs.map((run) => [run.key, run.blocks])).toEqual([['a.json', 19], ['both.jsonl#0', 18], ['both.jsonl#1', 4], ['deep/b.json', 22]]);
    expect(await workbench.library.list()).toEqual([]);
  });

  it('gives them over the same runs of the library, whatever order they are chosen in', async () => {
    const here = local(await make());
    const items = await inLibrary(here);
    const outcome = await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS);
    const { 'summary.json': summary, ...tables } = texts(outcome);
    const { 'summary.json': expectedSummary, ...expectedTables } = expected;
    expect(tables).toEqual(expectedTables);
    // The folder holds a file that is no run; it was never in the library.
    expect(JSON.parse(summary!)).toEqual({ ...(JSON.parse(expectedSummary!) as object), unreadable: [] });
    expect(texts(await here.workbench.corpus.run([...items].reverse(), ENCODER, DEFAULT_SETTINGS))).toEqual(texts(outcome));
  });
});

describe('a corpus run', () => {
  it('goes on where it was cancelled, also in another session, and makes nothing twice', async () => {
    const here = local(await stored());
    const items = await inLibrary(here);
    const controller = new AbortController();
    const states: [number, CorpusItemState][] = [];
    const cancelled = here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS, {
      signal: controller.signal,
      onItem: (index, state) => {
        states.push([index, state]);
        if (state.state === 'done') controller.abort();
      },
    });
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    const finished = states.filter(([, { state }]) => state === 'done').length;
    expect(finished).toBeGreaterThan(0);
    expect(finished).toBeLessThan(items.length);
    const known = await here.workbench.corpus.known(items, ENCODER, DEFAULT_SETTINGS);
    expect(known.filter(Boolean)).toHaveLength(finished);
    const part = await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS, { onlyKnown: true });
    expect(part.runs).toHaveLength(finished);

    const embedded = here.embedded.length;
    const next = local(await stored());
    const again = await next.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS);
    expect(again).toMatchObject({ reused: finished, made: items.length - finished });
    expect(texts(again)['table-1.csv']).toBe(expected['table-1.csv']);
    expect(next.embedded.filter((hash) => here.embedded.slice(0, embedded).includes(hash))).toEqual([]);
    const third = await next.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS);
    expect(third).toMatchObject({ reused: items.length, made: 0 });
    expect(texts(third)).toEqual(texts(again));
    // Another seed is another result; nothing needs to be embedded for it.
    const before = next.embedded.length;
    expect(await next.workbench.corpus.known(items, ENCODER, { ...DEFAULT_SETTINGS, seed: 1 })).toEqual(items.map(() => false));
    expect(await next.workbench.corpus.run(items, ENCODER, { ...DEFAULT_SETTINGS, seed: 1 })).toMatchObject({ made: items.length });
    expect(next.embedded).toHaveLength(before);
  });

  it('says how far each run and the whole is', async () => {
    const here = local(await stored());
    const items = await inLibrary(here);
    const phases = new Set<string>();
    const progress: Progress[] = [];
    await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS, {
      onItem: (_, state) => void phases.add(state.state === 'running' ? state.phase : state.state),
      onProgress: (now) => progress.push(now),
    });
    expect([...phases].sort()).toEqual(['done', 'embedding', 'measuring', 'reading']);
    expect(progress.at(-1)).toMatchObject({ done: items.length, total: items.length, unit: 'runs' });
  });

  it('names a run that fails and makes the tables of the others', async () => {
    const here = local(await stored());
    const items = await inLibrary(here);
    await here.workbench.library.forget('runId' in items[0]! ? items[0].runId : '');
    const outcome = await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS);
    expect(outcome.failures.map(({ file, code }) => [file, code])).toEqual([['both.jsonl', 'not-found'], ['both.jsonl', 'not-found']]);
    expect(outcome.runs.map(({ key }) => key)).toEqual(['a.json', 'deep/b.json']);
    await expect(here.workbench.corpus.run([items[0]!], ENCODER, DEFAULT_SETTINGS)).rejects.toMatchObject({ code: 'bad-record' });
    await expect(here.workbench.corpus.run([], ENCODER, DEFAULT_SETTINGS)).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(here.workbench.corpus.run([items[2]!], ENCODER, { ...DEFAULT_SETTINGS, seed: 9 }, { onlyKnown: true })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('makes its tables where nothing can be stored', async () => {
    const repository = await stored();
    vi.spyOn(repository, 'putCorpusPart').mockRejectedValue(new Error('no space'));
    const { workbench } = local(repository, { cacheFails: true });
    expect(texts(await workbench.corpus.run(loose(), ENCODER, DEFAULT_SETTINGS))).toEqual(expected);
  });

  it('outlives a worker that dies: the run in it fails, the next one has a new worker', async () => {
    const here = local(await stored());
    const items = await inLibrary(here);
    let crashed = false;
    const outcome = await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS, {
      onItem: (_, state) => {
        if (crashed || state.state !== 'running' || state.phase !== 'measuring') return;
        crashed = true;
        here.workers.find(({ name }) => name === 'corpus 1')?.worker.crash('out of memory');
      },
    });
    expect(outcome.failures).toHaveLength(1);
    expect(outcome.failures[0]).toMatchObject({ code: 'worker' });
    expect(outcome.runs).toHaveLength(items.length - 1);
    expect(await here.workbench.corpus.run(items, ENCODER, DEFAULT_SETTINGS)).toMatchObject({ failures: [], made: 1 });
  });
});
