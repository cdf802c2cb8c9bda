import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import Dexie from 'dexie';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { finishedImport } from '../testing/stored-run';
import { openDatabase, openRepository } from './open';
import { Database, SCHEMA_STEPS, SCHEMA_VERSION, type SchemaStep } from './schema';
import { storageError } from './storage-errors';

const NEWER: SchemaStep[] = [...SCHEMA_STEPS, { version: SCHEMA_VERSION + 1, stores: { notes: 'id' } }];

beforeEach(() => {
  const factory = new IDBFactory();
  Dexie.dependencies.indexedDB = factory;
  vi.stubGlobal('indexedDB', factory);
});
afterEach(() => vi.unstubAllGlobals());

describe('openRepository', () => {
  it('works in memory where IndexedDB is missing', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const repository = await openRepository();
    expect(repository.persistent).toBe(false);
    await repository.beginImport('t', 'a', new Blob(['x']));
    expect(await repository.finishImport('t', finishedImport('aa'))).toBe('stored');
    expect(await repository.listRuns()).toHaveLength(1);
  });

  it('works in memory where opening is refused', async () => {
    const factory = new IDBFactory();
    factory.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Dexie.dependencies.indexedDB = factory;
    expect((await openRepository()).persistent).toBe(false);
  });

  it('works in memory where IndexedDB never answers', async () => {
    const factory = new IDBFactory();
    factory.open = () => ({ addEventListener() {}, removeEventListener() {} }) as unknown as IDBOpenDBRequest;
    Dexie.dependencies.indexedDB = factory;
    expect((await openRepository({ timeoutMs: 30 })).persistent).toBe(false);
  });

  it('refuses a database of a newer page and leaves it untouched', async () => {
    const newer = await openDatabase({ steps: NEWER });
    newer.close();
    await expect(openRepository()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('newer version of this page') });
    const again = await openDatabase({ steps: NEWER });
    expect(again.tables.map((table) => table.name)).toContain('notes');
    again.close();
  });

  it('lets another tab upgrade, and afterwards says to reload', async () => {
    const repository = await openRepository();
    expect(await repository.listRuns()).toEqual([]);
    const newer = await openDatabase({ steps: NEWER, timeoutMs: 2000 });
    await expect(repository.listRuns()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('Reload this page') });
    newer.close();
  });

  it('says to reload when the database is deleted under it', async () => {
    const repository = await openRepository();
    await new Promise((resolve) => (indexedDB.deleteDatabase('contextscope').onsuccess = resolve));
    await expect(repository.listRuns()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('Reload this page') });
  });

  it('sees what another tab wrote', async () => {
    const [one, two] = [await openRepository(), await openRepository()];
    await one.beginImport('t', 'a', new Blob(['x']));
    await one.finishImport('t', finishedImport('aa'));
    expect((await two.listRuns()).map((run) => run.id)).toEqual(['aa#0']);
  });
});

describe('schema', () => {
  it.each(SCHEMA_STEPS.map((step) => step.version))('opens data of version %i with all of it', async (version) => {
    const old = new Database('contextscope', SCHEMA_STEPS.filter((step) => step.version <= version));
    await old.open();
    const finished = finishedImport('aa');
    await old.files.add({ ...finished.file, sourceKey: 't' });
    await old.sources.add({ key: 't', name: 'a', blob: new Blob(['bytes']) });
    await old.runs.bulkAdd(finished.runs);
    await old.trajectories.add({ id: 'aa#0', fileId: 'aa', trajectory: finished.trajectories[0]! });
    old.close();
    const repository = await openRepository();
    expect(await repository.listRuns()).toEqual(finished.runs);
    expect((await repository.trajectory('aa#0')).columns.n).toBe(2);
    expect(await (await repository.source('aa#0')).blob.text()).toBe('bytes');
  });
});

describe('storageError', () => {
  it('names a full disk, also inside an aborted transaction', () => {
    const inner = new DOMException('no space', 'QuotaExceededError');
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortError', inner });
    for (const error of [inner, aborted]) expect(storageError(error)).toMatchObject({ code: 'storage', message: expect.stringContaining('full') });
  });
});
