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

describe('a database of an older page', () => {
  const older = SCHEMA_STEPS.slice(0, -1);

  it('that will not let go is waited for, then named', async () => {
    const old = new Database('contextscope', older);
    await old.open();
    // Dexie closes by itself unless a listener says it will not.
    old.on('versionchange', () => false);
    await expect(openRepository({ timeoutMs: 60 })).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('Close the other tabs and reload') });
    old.close();
    const repository = await openRepository();
    expect(repository.persistent).toBe(true);
  });

  it('opened in two tabs at once is upgraded once, and both read it', async () => {
    const old = await openDatabase({ steps: older });
    await old.runs.bulkAdd(finishedImport('aa').runs);
    old.close();
    const tabs = await Promise.all([openRepository(), openRepository()]);
    for (const tab of tabs) expect((await tab.listRuns()).map((run) => run.id)).toEqual(['aa#0']);
  });
});

describe('schema', () => {
  /** A row of each table, by the table's name. */
  function rowsOfAll(): Record<string, unknown> {
    const { file, runs, trajectories } = finishedImport('aa');
    return {
      files: { ...file, sourceKey: 't' },
      sources: { key: 't', name: 'a', blob: new Blob(['bytes']) },
      imports: { token: 'running', name: 'b', startedMs: 1, heartbeatMs: 1 },
      runs: runs[0],
      trajectories: { id: 'aa#0', fileId: 'aa', trajectory: trajectories[0] },
      derived: { runId: 'aa#0', line: 'l', encoding: 'o200k_base', version: 1 },
      vectors: { encoder: 'hashed-1024@1', hash: 'h', vector: Float32Array.of(1, 2) },
      vectorUses: { runId: 'aa#0', line: 'l', encoder: 'hashed-1024@1', version: 1, hashes: ['h'], main: 1 },
      settings: { key: 'theme', value: 'dark' },
      corpusParts: { key: 'k', fileId: 'aa', json: '[]' },
      scenarios: { id: 's', runId: 'aa#0', line: 'l', name: 'mine', operations: [{ id: 'a1', step: 1, op: 'pin', blocks: ['base:0'] }], createdMs: 1, changedMs: 1 },
      encoders: { id: 'onnx:aaaaaaaaaaaa', info: { id: 'onnx:aaaaaaaaaaaa' }, model: new Blob(['model']) },
    };
  }

  it.each(SCHEMA_STEPS.map((step) => step.version))('opens data of version %i with all of it, and every table can be written', async (version) => {
    const steps = SCHEMA_STEPS.filter((step) => step.version <= version);
    const old = new Database('contextscope', steps);
    await old.open();
    const rows = rowsOfAll();
    const had = old.tables.map((table) => table.name);
    for (const name of had) await old.table(name).add(rows[name]);
    old.close();
    const db = await openDatabase();
    expect(db.tables.map((table) => table.name).sort()).toEqual(Object.keys(rows).sort());
    for (const table of db.tables) {
      const kept = await table.toArray();
      expect([table.name, kept.length]).toEqual([table.name, had.includes(table.name) ? 1 : 0]);
      if (kept.length === 1) expect(Object.keys(kept[0] as object).sort()).toEqual(Object.keys(rows[table.name] as object).sort());
      await table.put(rows[table.name]);
      expect(await table.count()).toBe(1);
    }
    db.close();
    const repository = await openRepository();
    expect(await repository.listRuns()).toEqual([rows['runs']]);
    expect((await repository.trajectory('aa#0')).columns.n).toBe(2);
    expect(await (await repository.source('aa#0')).blob.text()).toBe('bytes');
    expect(await repository.vectors('hashed-1024@1', ['h'])).toEqual([Float32Array.of(1, 2)]);
    expect(await repository.setting('theme')).toBe('dark');
    await repository.forget('aa#0');
    expect(await repository.corpusParts(['k'])).toEqual([undefined]);
  });
});

describe('storageError', () => {
  it('names a full disk, also inside an aborted transaction', () => {
    const inner = new DOMException('no space', 'QuotaExceededError');
    const aborted = Object.assign(new Error('aborted'), { name: 'AbortError', inner });
    for (const error of [inner, aborted]) expect(storageError(error)).toMatchObject({ code: 'storage', message: expect.stringContaining('full') });
  });
});
