import { liveQuery } from 'dexie';
import { compactViews } from './compact';
import type { EncoderId } from '../core/embedding/types';
import { beginImport, cleanUp, dropImport, finishImport } from './dexie-imports';
import { forget, forgetAll, sourceOf, trajectoryOf, updateRun, usage } from './dexie-runs';
import { newestFirst, oldestFirst } from './library';
import type { OwnerLocks } from './owner-locks';
import type { FinishedImport, ObservableRepository } from './repository';
import { DERIVED_VERSION, type CorpusPartRow, type DerivedKey, type DerivedRow, type LibraryRun, type OwnEncoderRow, type ScenarioRow, type VectorUseRow } from './rows';
import type { Database } from './schema';
import { asStorage, storageError } from './storage-errors';

/** Rows a bulk write: two million in one transaction killed a browser, and chunks let reads in between. */
const VECTORS_PER_TRANSACTION = 500;

/** Two tabs may hold one each over the same database; what one writes the other observes. */
export class DexieRepository implements ObservableRepository {
  readonly persistent = true;

  constructor(private readonly db: Database, private readonly locks: OwnerLocks) {}

  beginImport = (token: string, name: string, blob: Blob) => asStorage(() => beginImport(this.db, token, name, blob));
  touchImport = (token: string) => asStorage(async () => void (await this.db.imports.update(token, { heartbeatMs: Date.now() })));
  finishImport = (token: string, finished: FinishedImport) => asStorage(() => finishImport(this.db, token, finished));
  dropImport = (token: string) => asStorage(() => dropImport(this.db, token));
  cleanUp = () => asStorage(() => cleanUp(this.db, this.locks, Date.now()));
  hasFileOfSize = (sizeBytes: number) => asStorage(async () => (await this.db.files.where('sizeBytes').equals(sizeBytes).count()) > 0);
  runsOfFile = (fileId: string) => asStorage(() => this.db.runs.where('fileId').equals(fileId).primaryKeys());

  listRuns = () => asStorage(async () => newestFirst(await this.db.runs.toArray()));
  updateRun = (id: string, patch: Partial<LibraryRun>) => asStorage(() => updateRun(this.db, id, patch));
  trajectory = (runId: string) => asStorage(() => trajectoryOf(this.db, runId));
  source = (runId: string) => asStorage(() => sourceOf(this.db, runId));
  forget = (runId: string) => asStorage(() => forget(this.db, runId));
  forgetAll = () => asStorage(() => forgetAll(this.db));
  usage = () => asStorage(() => usage(this.db));
  report = (runId: string) =>
    asStorage(async () => {
      const run = await this.db.runs.get(runId);
      return (run && (await this.db.files.get(run.fileId))?.report) ?? null;
    });

  observeRuns(onChange: (runs: LibraryRun[]) => void, onError?: (error: unknown) => void): () => void {
    const subscription = liveQuery(() => this.db.runs.toArray()).subscribe({
      next: (runs) => onChange(newestFirst(runs)),
      error: (error) => onError?.(storageError(error)),
    });
    return () => subscription.unsubscribe();
  }

  derived = (key: DerivedKey) =>
    asStorage(async () => {
      const row = await this.db.derived.get([key.runId, key.line, key.encoding]);
      return row?.version === DERIVED_VERSION ? row : undefined;
    });
  /** Refuses rows of a run that was forgotten meanwhile: nothing would ever delete them. */
  putDerived = (row: DerivedRow) =>
    asStorage(() =>
      this.db.transaction('rw', this.db.derived, this.db.runs, async () => {
        if (await this.db.runs.get(row.runId)) await this.db.derived.put(compactViews(row));
      }),
    );

  vectors = (encoder: EncoderId, hashes: string[]) =>
    asStorage(async () => (await this.db.vectors.bulkGet(hashes.map((hash): [EncoderId, string] => [encoder, hash]))).map((row) => row?.vector));
  hasVectors = (encoder: EncoderId, hashes: string[]) =>
    asStorage(async () => {
      const keys = await this.db.vectors.where('[encoder+hash]').between([encoder, ''], [encoder, '\uffff']).primaryKeys();
      const have = new Set(keys.map(([, hash]) => hash));
      return hashes.map((hash) => have.has(hash));
    });
  putVectors = (encoder: EncoderId, vectors: { hash: string; vector: Float32Array }[]) =>
    asStorage(async () => {
      for (let from = 0; from < vectors.length; from += VECTORS_PER_TRANSACTION) {
        const rows = vectors.slice(from, from + VECTORS_PER_TRANSACTION).map(({ hash, vector }) => ({ encoder, hash, vector: compactViews(vector) }));
        await this.db.vectors.bulkPut(rows);
      }
    });
  putVectorUse = (use: VectorUseRow) =>
    asStorage(() =>
      this.db.transaction('rw', this.db.vectorUses, this.db.runs, async () => {
        if (await this.db.runs.get(use.runId)) await this.db.vectorUses.put(use);
      }),
    );

  vectorUse = (runId: string, line: string, encoder: EncoderId) =>
    asStorage(async () => {
      const use = await this.db.vectorUses.get([runId, line, encoder]);
      return use?.version === DERIVED_VERSION ? use : undefined;
    });

  corpusParts = (keys: string[]) => asStorage(() => this.db.corpusParts.bulkGet(keys));
  hasCorpusParts = (keys: string[]) =>
    asStorage(async () => {
      const have = new Set(await this.db.corpusParts.where('key').anyOf(keys).primaryKeys());
      return keys.map((key) => have.has(key));
    });
  putCorpusPart = (row: CorpusPartRow) => asStorage(async () => void (await this.db.corpusParts.put(row)));

  putScenario = (row: ScenarioRow) =>
    asStorage(() =>
      this.db.transaction('rw', this.db.scenarios, this.db.runs, async () => {
        if (await this.db.runs.get(row.runId)) await this.db.scenarios.put(row);
      }),
    );
  deleteScenario = (id: string) => asStorage(() => this.db.scenarios.delete(id));
  observeScenarios(runId: string, line: string, onChange: (rows: ScenarioRow[]) => void, onError?: (error: unknown) => void): () => void {
    const subscription = liveQuery(() => this.db.scenarios.where('[runId+line]').equals([runId, line]).toArray()).subscribe({
      next: (rows) => onChange(oldestFirst(rows)),
      error: (error) => onError?.(storageError(error)),
    });
    return () => subscription.unsubscribe();
  }
  encoders = () => asStorage(async () => (await this.db.encoders.toArray()).map((row) => row.info).sort((a, b) => a.addedMs - b.addedMs));
  encoder = (id: string) => asStorage(() => this.db.encoders.get(id));
  putEncoder = (row: OwnEncoderRow) => asStorage(async () => void (await this.db.encoders.put(row)));
  deleteEncoder = (id: string) =>
    asStorage(() =>
      this.db.transaction('rw', this.db.encoders, this.db.vectors, this.db.vectorUses, async () => {
        await this.db.encoders.delete(id);
        await this.db.vectors.where('[encoder+hash]').between([id, ''], [id, '\uffff']).delete();
        await this.db.vectorUses.filter((use) => use.encoder === id).delete();
      }),
    );

  setting = (key: string) => asStorage(async () => (await this.db.settings.get(key))?.value);
  putSetting = (key: string, value: unknown) => asStorage(async () => void (await this.db.settings.put({ key, value })));

  close(): void {
    this.db.close();
  }
}
