import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import Dexie from 'dexie';
import { beforeEach, describe, expect, it } from 'vitest';
import { finishedImport } from '../testing/stored-run';
import { importLockName } from './dexie-imports';
import { DexieRepository } from './dexie-repository';
import { MemoryRepository } from './memory-repository';
import { openDatabase } from './open';
import { localLocks } from './owner-locks';
import type { ObservableRepository } from './repository';
import { DERIVED_VERSION, type DerivedRow, type LibraryRun, type ScenarioRow } from './rows';

beforeEach(() => {
  Dexie.dependencies.indexedDB = new IDBFactory();
});

const blob = (text: string): Blob => new Blob([text]);
const derivedRow = (runId: string, version = DERIVED_VERSION): DerivedRow => ({
  runId, line: 'l', encoding: 'o200k_base', version, blocks: {} as DerivedRow['blocks'], facts: {} as DerivedRow['facts'], evidence: {} as DerivedRow['evidence'],
  recorded: [], interactionBlocks: [[1, 2]], checkpointOfStep: Uint32Array.of(0, 1),
});
async function store(repository: ObservableRepository, fileId: string, text = 'bytes'): Promise<'stored' | 'already'> {
  const token = `${fileId}-${Math.random()}`;
  await repository.beginImport(token, 'run.jsonl', blob(text));
  return repository.finishImport(token, finishedImport(fileId));
}

const kinds = {
  IndexedDB: async () => new DexieRepository(await openDatabase(), localLocks()),
  memory: async () => new MemoryRepository(),
};

describe.each(Object.entries(kinds))('repository in %s', (_, open) => {
  it('keeps encoders of the user, in order, and deletes one with what it made', async () => {
    const repository = await open();
    const row = (id: `onnx:${string}`, addedMs: number) => ({ id, info: { id, kind: 'onnx' as const, name: id, dim: 2, sizeBytes: 4, sha256: 'x', addedMs }, model: blob(`model of ${id}`), tokenizer: blob('{}') });
    await repository.putEncoder(row('onnx:aaaaaaaaaaaa', 1));
    await repository.putEncoder(row('onnx:bbbbbbbbbbbb', 2));
    expect((await repository.encoders()).map(({ id }) => id)).toEqual(['onnx:aaaaaaaaaaaa', 'onnx:bbbbbbbbbbbb']);
    expect(await (await repository.encoder('onnx:bbbbbbbbbbbb'))?.model?.text()).toBe('model of onnx:bbbbbbbbbbbb');
    for (const id of ['onnx:aaaaaaaaaaaa', 'onnx:bbbbbbbbbbbb'] as const) await repository.putVectors(id, [{ hash: 'h', vector: Float32Array.of(1, 0) }]);
    // Forgetting runs leaves encoders alone.
    await store(repository, 'aa');
    await repository.forget('aa#0');
    await repository.deleteEncoder('onnx:aaaaaaaaaaaa');
    expect((await repository.encoders()).map(({ id }) => id)).toEqual(['onnx:bbbbbbbbbbbb']);
    expect(await repository.encoder('onnx:aaaaaaaaaaaa')).toBeUndefined();
    expect(await repository.hasVectors('onnx:aaaaaaaaaaaa', ['h'])).toEqual([false]);
  });

  it('shows a run with its bytes and columns once the import is finished, and nothing before', async () => {
    const repository = await open();
    await repository.beginImport('token', 'run.jsonl', blob('the bytes'));
    expect(await repository.listRuns()).toEqual([]);
    expect(await repository.finishImport('token', finishedImport('aa'))).toBe('stored');
    expect((await repository.listRuns()).map((run) => run.id)).toEqual(['aa#0']);
    expect(await (await repository.source('aa#0')).blob.text()).toBe('the bytes');
    expect([...(await repository.trajectory('aa#0')).threads[0]!.main]).toEqual([0, 1]);
    expect((await repository.report('aa#0'))?.sha256).toBe('aa');
    expect(await repository.hasFileOfSize(10)).toBe(true);
    expect(await repository.hasFileOfSize(11)).toBe(false);
    expect(await repository.runsOfFile('aa')).toEqual(['aa#0']);
  });

  it('stores the same bytes once, also when two imports ran side by side', async () => {
    const repository = await open();
    await repository.beginImport('one', 'a', blob('same'));
    await repository.beginImport('two', 'b', blob('same'));
    expect(await repository.finishImport('one', finishedImport('aa'))).toBe('stored');
    expect(await repository.finishImport('two', finishedImport('aa'))).toBe('already');
    expect(await repository.listRuns()).toHaveLength(1);
    expect(await repository.cleanUp()).toBe(0);
    expect(await (await repository.source('aa#0')).blob.text()).toBe('same');
  });

  it('lets the same bytes read in another way replace what was stored', async () => {
    const repository = await open();
    await store(repository, 'aa');
    await repository.putDerived(derivedRow('aa#0'));
    await repository.beginImport('again', 'run.jsonl', blob('bytes'));
    const finished = finishedImport('aa', 'second.jsonl');
    expect(await repository.finishImport('again', { ...finished, replaces: true })).toBe('stored');
    expect((await repository.listRuns()).map((run) => run.name)).toEqual(['second.jsonl']);
    expect(await repository.derived({ runId: 'aa#0', line: 'l', encoding: 'o200k_base' })).toBeUndefined();
    expect(await (await repository.source('aa#0')).blob.text()).toBe('bytes');
  });

  it('forgets a file with everything that only it used', async () => {
    const repository = await open();
    await store(repository, 'aa');
    await store(repository, 'bb');
    const encoder = 'hashed-1024@1' as const;
    for (const runId of ['aa#0', 'bb#0']) await repository.putDerived(derivedRow(runId));
    const vector = Float32Array.of(1, 2);
    await repository.putVectors(encoder, ['own', 'shared', 'other'].map((hash) => ({ hash, vector })));
    await repository.putVectorUse({ runId: 'aa#0', line: 'l', encoder, hashes: ['own', 'shared'], main: 2, version: DERIVED_VERSION });
    await repository.putVectorUse({ runId: 'bb#0', line: 'l', encoder, hashes: ['shared', 'other'], main: 1, version: DERIVED_VERSION });
    expect((await repository.vectorUse('aa#0', 'l', encoder))?.hashes).toEqual(['own', 'shared']);
    expect(await repository.vectorUse('aa#0', 'other line', encoder)).toBeUndefined();
    await repository.forget('aa#0');
    expect((await repository.listRuns()).map((run) => run.id)).toEqual(['bb#0']);
    expect(await repository.derived({ runId: 'aa#0', line: 'l', encoding: 'o200k_base' })).toBeUndefined();
    expect(await repository.derived({ runId: 'bb#0', line: 'l', encoding: 'o200k_base' })).toBeDefined();
    expect(await repository.hasVectors(encoder, ['own', 'shared', 'other'])).toEqual([false, true, true]);
    await expect(repository.source('aa#0')).rejects.toMatchObject({ code: 'not-found' });
    await expect(repository.trajectory('aa#0')).rejects.toMatchObject({ code: 'not-found' });
    await repository.forgetAll();
    expect(await repository.listRuns()).toEqual([]);
    expect(await repository.hasVectors(encoder, ['shared'])).toEqual([false]);
  });

  it('takes derived rows of older maths as absent, and none for a run that is gone', async () => {
    const repository = await open();
    await store(repository, 'aa');
    const key = { runId: 'aa#0', line: 'l', encoding: 'o200k_base' as const };
    await repository.putDerived(derivedRow('aa#0', DERIVED_VERSION - 1));
    expect(await repository.derived(key)).toBeUndefined();
    await repository.putDerived(derivedRow('aa#0'));
    expect((await repository.derived(key))?.interactionBlocks).toEqual([[1, 2]]);
    await repository.forget('aa#0');
    await repository.putDerived(derivedRow('aa#0'));
    expect(await repository.derived(key)).toBeUndefined();
  });

  it('keeps vectors by encoder and hash, in the order asked for', async () => {
    const repository = await open();
    await repository.putVectors('hashed-1024@1', [{ hash: 'h1', vector: Float32Array.of(1) }, { hash: 'h2', vector: Float32Array.of(2) }]);
    const found = await repository.vectors('hashed-1024@1', ['h2', 'absent', 'h1']);
    expect(found.map((vector) => vector?.[0])).toEqual([2, undefined, 1]);
    expect(await repository.vectors('static-minilm-384@1', ['h1'])).toEqual([undefined]);
  });

  it('keeps parts of a corpus run by key, and forgets them with their file', async () => {
    const repository = await open();
    await store(repository, 'aa');
    await repository.putCorpusPart({ key: 'k1', fileId: 'aa', json: '[1]' });
    await repository.putCorpusPart({ key: 'k2', fileId: 'loose', json: '[2]' });
    await repository.putCorpusPart({ key: 'k2', fileId: 'loose', json: '[3]' });
    expect((await repository.corpusParts(['k2', 'none', 'k1'])).map((row) => row?.json)).toEqual(['[3]', undefined, '[1]']);
    expect(await repository.hasCorpusParts(['k2', 'none', 'k1'])).toEqual([true, false, true]);
    await repository.forget('aa#0');
    expect((await repository.corpusParts(['k1', 'k2'])).map((row) => row?.json)).toEqual([undefined, '[3]']);
    await repository.forgetAll();
    expect(await repository.corpusParts(['k2'])).toEqual([undefined]);
  });

  it('keeps scenarios by line, tells of each change, and forgets them with their run but not when its file is read anew', async () => {
    const repository = await open();
    await store(repository, 'aa');
    const row = (id: string, changedMs: number, line = 'l'): ScenarioRow => ({ id, runId: 'aa#0', line, name: id, operations: [{ id: 'a1', step: 1, op: 'pin', blocks: ['base:2'] }], createdMs: id === 'first' ? 1 : 2, changedMs });
    let seen: ScenarioRow[] | undefined;
    const stop = repository.observeScenarios('aa#0', 'l', (rows) => void (seen = rows));
    await repository.putScenario(row('second', 2));
    await repository.putScenario(row('first', 1));
    await repository.putScenario(row('elsewhere', 1, 'branch'));
    await repository.putScenario({ ...row('first', 3), name: 'renamed' });
    await repository.putScenario({ ...row('lost', 1), runId: 'absent#0' });
    await expect.poll(() => seen?.map(({ name }) => name)).toEqual(['renamed', 'second']);
    expect(seen?.[0]?.operations).toEqual([{ id: 'a1', step: 1, op: 'pin', blocks: ['base:2'] }]);
    await repository.deleteScenario('second');
    await expect.poll(() => seen?.map(({ name }) => name)).toEqual(['renamed']);
    await repository.beginImport('again', 'run.jsonl', blob('bytes'));
    await repository.finishImport('again', { ...finishedImport('aa'), replaces: true });
    await repository.putScenario(row('third', 4));
    await expect.poll(() => seen?.map(({ name }) => name)).toEqual(['renamed', 'third']);
    await repository.forget('aa#0');
    await expect.poll(() => seen).toEqual([]);
    stop();
    await repository.putScenario(row('fourth', 5));
    expect(seen).toEqual([]);
  });

  it('tells observers at once and after each change', async () => {
    const repository = await open();
    const seen: LibraryRun[][] = [];
    const stop = repository.observeRuns((runs) => seen.push(runs));
    await expect.poll(() => seen.length).toBe(1);
    await store(repository, 'aa');
    await expect.poll(() => seen.at(-1)?.length).toBe(1);
    await repository.updateRun('aa#0', { name: 'renamed', pinned: true });
    await expect.poll(() => seen.at(-1)?.[0]?.name).toBe('renamed');
    stop();
    await expect(repository.updateRun('zz#0', { name: 'x' })).rejects.toMatchObject({ code: 'not-found' });
  });

  it('remembers settings', async () => {
    const repository = await open();
    await repository.putSetting('theme', { dark: true });
    expect(await repository.setting('theme')).toEqual({ dark: true });
    expect(await repository.setting('absent')).toBeUndefined();
  });
});

describe('abandoned imports', () => {
  it('are cleaned by the next start, but not while their owner lives', async () => {
    const locks = localLocks();
    const first = new DexieRepository(await openDatabase(), locks);
    const release = await locks.hold(importLockName('running'));
    await first.beginImport('running', 'a', blob('a'));
    const db = await openDatabase();
    await db.imports.add({ token: 'dead', name: 'b', startedMs: 0, heartbeatMs: 0 });
    await db.sources.add({ key: 'dead', name: 'b', blob: blob('b') });
    await db.sources.add({ key: 'orphan', name: 'c', blob: blob('c') });

    const second = new DexieRepository(db, locks);
    expect(await second.cleanUp()).toBe(2);
    expect(await db.sources.toCollection().primaryKeys()).toEqual(['running']);
    release();
    // Its lock is gone and nobody can say more: the heartbeat is fresh, so it is left alone for a while.
    expect(await second.cleanUp()).toBe(0);
    await db.imports.update('running', { heartbeatMs: 0 });
    expect(await second.cleanUp()).toBe(1);
    expect(await db.sources.count()).toBe(0);
  });
});
