import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { blobSource } from '../core/base/byte-source';
import { importFiles } from '../core/import/import-files';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import type { ImportSource } from '../core/import/types';
import { DexieRepository } from '../storage/dexie-repository';
import { MemoryRepository } from '../storage/memory-repository';
import { openDatabase } from '../storage/open';
import { localLocks, type OwnerLocks } from '../storage/owner-locks';
import type { Repository } from '../storage/repository';
import type { Database } from '../storage/schema';
import { gzip, zip, zipMember } from '../testing/archives';
import { openaiChatBlob, openaiChatText } from '../testing/sample-files';
import type { FirstSteps, Progress } from './api';
import { hashBlob } from './hash-blob';
import { ImportService } from './import-service';

/** Every test has a database of its own. */
let databases = 0;
let databaseName = '';
beforeEach(() => {
  databaseName = `test-${++databases}`;
});

function serviceOver(repository: Repository, locks: OwnerLocks = localLocks(), source: ImportSource = importSource): ImportService {
  return new ImportService({ repository, locks, importSource: source, importTogether: importFiles, createTraceReader, hash: hashBlob });
}
async function open(): Promise<{ db: Database; locks: OwnerLocks; repository: DexieRepository; service: ImportService }> {
  const db = await openDatabase({ name: databaseName });
  const locks = localLocks();
  const repository = new DexieRepository(db, locks);
  return { db, locks, repository, service: serviceOver(repository, locks) };
}
async function rowCounts(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries(await Promise.all(db.tables.map(async (table) => [table.name, await table.count()] as const)));
}

/** Reads the whole file, then waits until told to go on. */
function stalled(): { source: ImportSource; reached: Promise<void> } {
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return {
    reached,
    source: async (bytes, options = {}) => {
      await importSource(bytes, options);
      reach();
      return new Promise((_, reject) => options.signal?.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError'))));
    },
  };
}

describe('importFiles', () => {
  it('puts a file into the library, with its report and bytes', async () => {
    const { repository, service } = await open();
    const blob = openaiChatBlob(3);
    const progress: Progress[] = [];
    const outcome = await service.importFiles([{ name: 'chat.json', blob, example: true }], { onProgress: (p) => progress.push(p) });
    expect(outcome).toMatchObject({ alreadyStored: [], failures: [] });
    const [run] = await repository.listRuns();
    expect(run).toMatchObject({ id: outcome.runs[0], fileName: 'chat.json', format: 'openai-chat', steps: 4, messages: 9, threads: 1, sizeBytes: blob.size, peakTokens: null, example: true });
    expect(run!.fileId).toBe(await hashBlob(blob));
    expect(await (await repository.source(run!.id)).blob.text()).toBe(await blob.text());
    expect((await repository.report(run!.id))?.matchedPairs).toBe(3);
    expect(progress.at(-1)).toMatchObject({ label: 'Importing chat.json', done: blob.size, total: blob.size, unit: 'bytes' });
    expect(await repository.cleanUp()).toBe(0);
  });

  it('stores the same bytes once, under any name, and says so', async () => {
    const { db, service } = await open();
    const first = await service.importFiles([{ name: 'a.json', blob: openaiChatBlob(2) }]);
    const again = await service.importFiles([{ name: 'b.json', blob: openaiChatBlob(2) }, { name: 'c.json', blob: openaiChatBlob(2, '!') }]);
    expect(again.alreadyStored).toEqual(['b.json']);
    expect(again.runs[0]).toBe(first.runs[0]);
    expect(again.reports).toHaveLength(2);
    expect(await rowCounts(db)).toMatchObject({ files: 2, sources: 2, runs: 2, trajectories: 2, imports: 0 });
  });

  it('goes on after a file it cannot read', async () => {
    const { db, service } = await open();
    const outcome = await service.importFiles([{ name: 'x.txt', blob: new Blob(['not a trace at all']) }, { name: 'empty', blob: new Blob([]) }, { name: 'a.json', blob: openaiChatBlob(1) }]);
    expect(outcome.failures.map((failure) => failure.file)).toEqual(['x.txt', 'empty']);
    expect(outcome.failures[0]!.message).toContain('x.txt');
    expect(outcome.runs).toHaveLength(1);
    expect(await rowCounts(db)).toMatchObject({ files: 1, sources: 1, imports: 0 });
  });

  it('keeps nothing of a file that is cancelled in the middle, and all of those before it', async () => {
    const { db, repository, locks, service } = await open();
    await service.importFiles([{ name: 'kept.json', blob: openaiChatBlob(1) }]);
    const before = await rowCounts(db);
    const { source, reached } = stalled();
    const controller = new AbortController();
    const running = serviceOver(repository, locks, source).importFiles([{ name: 'a.json', blob: openaiChatBlob(4) }], { signal: controller.signal });
    await reached;
    expect((await rowCounts(db))['sources']).toBe(2);
    expect(await repository.listRuns()).toHaveLength(1);
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await rowCounts(db)).toEqual(before);
  });

  it('leaves to the next start what a killed worker left behind', async () => {
    const { db, repository, locks } = await open();
    const { source, reached } = stalled();
    void serviceOver(repository, locks, source).importFiles([{ name: 'a.json', blob: openaiChatBlob(4) }]).catch(() => undefined);
    await reached;
    // The other context: its own locks cannot see the dead one, whose last sign of life is long ago.
    await db.imports.toCollection().modify({ heartbeatMs: Date.now() - 3_600_000 });
    const next = new DexieRepository(await openDatabase({ name: databaseName }), localLocks());
    expect(await next.listRuns()).toEqual([]);
    expect(await next.cleanUp()).toBe(1);
    expect(await rowCounts(db)).toMatchObject({ files: 0, sources: 0, imports: 0, runs: 0, trajectories: 0 });
  });

  it('says that storage is full, and keeps nothing', async () => {
    const { db, service } = await open();
    // The last write of the final transaction finds no space.
    db.runs.hook('creating', () => {
      throw new DOMException('no space', 'QuotaExceededError');
    });
    const outcome = await service.importFiles([{ name: 'a.json', blob: openaiChatBlob(2) }]);
    expect(outcome.failures[0]?.message).toContain('full');
    expect(await rowCounts(db)).toMatchObject({ files: 0, sources: 0, imports: 0, runs: 0, trajectories: 0 });
  });

  it('reads stored bytes again when another format is forced', async () => {
    const { repository, service } = await open();
    const blob = openaiChatBlob(2);
    const first = await service.importFiles([{ name: 'a.json', blob }]);
    const same = await service.importFiles([{ name: 'a.json', blob }], { format: 'openai-chat' });
    expect(same.alreadyStored).toEqual(['a.json']);
    const renamed: ImportSource = async (source, options) => {
      const imported = await importSource(source, { ...options, format: 'openai-chat' });
      return { ...imported, report: { ...imported.report, format: 'other' } };
    };
    const forced = await serviceOver(repository, localLocks(), renamed).importFiles([{ name: 'a.json', blob }], { format: 'other' });
    expect(forced.alreadyStored).toEqual([]);
    expect((await repository.report(first.runs[0]!))?.format).toBe('other');
    expect(await repository.listRuns()).toHaveLength(1);
  });

  it('reads a session and the files of its sub-agents as one run, others by themselves', async () => {
    const { db, repository, service } = await open();
    const base = { sessionId: 's1', version: '1.0', cwd: '/w', timestamp: '2026-01-01T00:00:00.000Z' };
    const lines = (...records: object[]): Blob => new Blob([records.map((record) => JSON.stringify(record)).join('\n')]);
    const session = lines(
      { ...base, type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'Ask a helper.' } },
      { ...base, type: 'assistant', uuid: 'u2', parentUuid: 'u1', message: { id: 'm1', role: 'assistant', model: 'm', content: [{ type: 'tool_use', id: 't1', name: 'Task', input: { description: 'help', prompt: 'Count the files.' } }] } },
      { ...base, type: 'user', uuid: 'u3', parentUuid: 'u2', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '3 files' }] } },
    );
    const agent = lines(
      { ...base, type: 'user', uuid: 'a1', parentUuid: null, isSidechain: true, agentId: 'x1', message: { role: 'user', content: 'Count the files.' } },
      { ...base, type: 'assistant', uuid: 'a2', parentUuid: 'a1', isSidechain: true, agentId: 'x1', message: { id: 'm2', role: 'assistant', model: 'm', content: [{ type: 'text', text: '3 files' }] } },
    );
    const files = [{ name: 'agent-x1.jsonl', blob: agent }, { name: 'chat.json', blob: openaiChatBlob(2) }, { name: 's1.jsonl', blob: session }];
    const outcome = await service.importFiles(files);
    expect(outcome.failures).toEqual([]);
    expect((await repository.listRuns()).map((run) => [run.fileName, run.threads, run.sizeBytes]).sort()).toEqual([
      ['chat.json', 1, files[1]!.blob.size],
      ['s1.jsonl', 2, session.size + agent.size],
    ]);
    const run = (await repository.listRuns()).find(({ threads }) => threads === 2)!;
    const { name, blob } = await repository.source(run.id);
    const trajectory = await repository.trajectory(run.id);
    const helper = trajectory.threads.find((thread) => thread.parentThread !== undefined)!;
    const message = await createTraceReader(blobSource(name, blob), trajectory).readMessage(helper.main[1]!);
    expect(message.parts).toEqual([{ type: 'text', text: '3 files' }]);

    const again = await service.importFiles(files);
    expect(again.alreadyStored.sort()).toEqual(['agent-x1.jsonl', 'chat.json', 's1.jsonl']);
    expect(await rowCounts(db)).toMatchObject({ files: 2, sources: 2, runs: 2, imports: 0 });
  });

  it('shows the first steps of a long file before it is stored', async () => {
    const repository = new MemoryRepository();
    const first: { steps: FirstSteps; stored: number }[] = [];
    const lines = Array.from({ length: 600 }, (_, i) => JSON.stringify({ messages: [{ role: 'user', content: `Question ${i} ${'x'.repeat(7000)}` }, { role: 'assistant', content: `Answer ${i}` }] }));
    const slices: ImportSource = (source, options) => importSource(source, { ...options, sliceBytes: 1 << 16 });
    await serviceOver(repository, localLocks(), slices).importFiles([{ name: 'long.jsonl', blob: new Blob([lines.join('\n')]) }], {
      onFirst: async (steps) => first.push({ steps, stored: (await repository.listRuns()).length }),
    });
    expect(first).toHaveLength(1);
    expect(first[0]!.stored).toBe(0);
    expect(first[0]!.steps.messages[0]!.parts[0]).toMatchObject({ type: 'text', text: expect.stringContaining('Question 0') });
  });
});

describe('packed files', () => {
  it('stores what a gzip holds, read back through its spans', async () => {
    const { repository, service } = await open();
    const blob = new Blob([gzip(openaiChatText(3)) as Uint8Array<ArrayBuffer>]);
    const outcome = await service.importFiles([{ name: 'chat.gz', blob }]);
    expect(outcome).toMatchObject({ failures: [], reports: [{ container: 'gzip', matchedPairs: 3 }] });
    const [run] = await repository.listRuns();
    expect(run).toMatchObject({ fileName: 'chat.gz', fileId: await hashBlob(blob) });
    const stored = await repository.source(run!.id);
    expect(await stored.blob.text()).toBe(openaiChatText(3));
    const message = await createTraceReader(blobSource(stored.name, stored.blob), await repository.trajectory(run!.id)).readMessage(1);
    expect(message.parts).toEqual([{ type: 'text', text: 'Find the bug in src/app.ts' }]);
    expect((await service.importFiles([{ name: 'again.gz', blob }])).alreadyStored).toEqual(['again.gz']);
  });

  it('stores each member of an archive as a file of its own, and hashes none of them here', async () => {
    const { repository, locks } = await open();
    const hashed: number[] = [];
    const service = new ImportService({ repository, locks, importSource, importTogether: importFiles, createTraceReader, hash: (blob) => { hashed.push(blob.size); return hashBlob(blob); } });
    const members = [openaiChatText(1), openaiChatText(2)];
    const blob = new Blob([zip(members.map((text, i) => zipMember(`${i}.json`, text, 8))) as Uint8Array<ArrayBuffer>]);
    const outcome = await service.importFiles([{ name: 'all.zip', blob }, { name: 'plain.json', blob: openaiChatBlob(4) }]);
    expect(outcome.failures).toEqual([]);
    expect(outcome.reports.map(({ file }) => file).sort()).toEqual(['all.zip!0.json', 'all.zip!1.json', 'plain.json']);
    const runs = await repository.listRuns();
    expect(runs.map(({ fileName, messages }) => `${fileName} ${messages}`).sort()).toEqual(['all.zip!0.json 5', 'all.zip!1.json 7', 'plain.json 11']);
    expect(hashed.sort((a, b) => a - b)).toEqual([blob.size, ...members.map((text) => text.length), openaiChatBlob(4).size].sort((a, b) => a - b));
  });
});
