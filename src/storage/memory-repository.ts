import type { OwnEncoderInfo } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { Trajectory } from '../core/trace/model';
import { newestFirst, noSuchRun, oldestFirst } from './library';
import type { FinishedImport, ObservableRepository } from './repository';
import { DERIVED_VERSION, type CorpusPartRow, type DerivedKey, type DerivedRow, type FileRow, type LibraryRun, type OwnEncoderRow, type ScenarioRow, type SourceRow, type StorageUsage, type VectorUseRow } from './rows';

const derivedName = (key: DerivedKey): string => JSON.stringify([key.runId, key.line, key.encoding]);
const vectorName = (encoder: EncoderId, hash: string): string => `${encoder} ${hash}`;

/**
 * The same store until the page is closed. What it is given it keeps without copying: callers must not change it
 * afterwards. Every method is async so that a worker can reach it by messages.
 */
export class MemoryRepository implements ObservableRepository {
  readonly persistent = false;
  private readonly files = new Map<string, FileRow>();
  private readonly sources = new Map<string, SourceRow>();
  private readonly runs = new Map<string, LibraryRun>();
  private readonly trajectories = new Map<string, Trajectory>();
  private readonly derivedRows = new Map<string, DerivedRow>();
  private readonly vectorRows = new Map<string, Float32Array>();
  private readonly vectorUses = new Map<string, VectorUseRow>();
  private readonly parts = new Map<string, CorpusPartRow>();
  private readonly ownEncoders = new Map<string, OwnEncoderRow>();
  private readonly settings = new Map<string, unknown>();
  private readonly scenarios = new Map<string, ScenarioRow>();
  private readonly scenarioObservers = new Set<() => void>();
  private readonly observers = new Set<(runs: LibraryRun[]) => void>();

  beginImport = async (token: string, name: string, blob: Blob): Promise<void> => void this.sources.set(token, { key: token, name, blob });
  touchImport = async (): Promise<void> => undefined;
  async finishImport(token: string, finished: FinishedImport): Promise<'stored' | 'already'> {
    if (this.files.has(finished.file.id)) {
      if (!finished.replaces) {
        this.sources.delete(token);
        return 'already';
      }
      this.forgetFile(finished.file.id);
    }
    this.files.set(finished.file.id, { ...finished.file, sourceKey: token });
    for (const trajectory of finished.trajectories) this.trajectories.set(trajectory.id, trajectory);
    for (const run of finished.runs) this.runs.set(run.id, run);
    this.changed();
    return 'stored';
  }
  dropImport = async (token: string): Promise<void> => void this.sources.delete(token);
  /** Memory ends with its owner: there is never anything to clean. */
  cleanUp = async (): Promise<number> => 0;
  hasFileOfSize = async (sizeBytes: number): Promise<boolean> => [...this.files.values()].some((file) => file.sizeBytes === sizeBytes);
  runsOfFile = async (fileId: string): Promise<string[]> => [...this.runs.values()].filter((run) => run.fileId === fileId).map((run) => run.id);

  listRuns = async (): Promise<LibraryRun[]> => newestFirst([...this.runs.values()]);
  async updateRun(id: string, patch: Partial<LibraryRun>): Promise<void> {
    this.runs.set(id, { ...this.run(id), ...patch });
    this.changed();
  }
  async trajectory(runId: string): Promise<Trajectory> {
    const trajectory = this.trajectories.get(runId);
    if (!trajectory) throw noSuchRun(runId);
    return trajectory;
  }
  async source(runId: string): Promise<{ name: string; blob: Blob }> {
    const source = this.sources.get(this.files.get(this.run(runId).fileId)?.sourceKey ?? '');
    if (!source) throw noSuchRun(runId);
    return { name: source.name, blob: source.blob };
  }
  report = async (runId: string) => this.files.get(this.runs.get(runId)?.fileId ?? '')?.report ?? null;

  async forget(runId: string): Promise<void> {
    const fileId = this.runs.get(runId)?.fileId;
    if (fileId === undefined) return;
    for (const [id, row] of this.scenarios) if (this.runs.get(row.runId)?.fileId === fileId) this.scenarios.delete(id);
    this.forgetFile(fileId);
    this.changed();
    this.scenariosChanged();
  }
  private forgetFile(fileId: string): void {
    const gone = new Set([...this.runs.values()].filter((run) => run.fileId === fileId).map((run) => run.id));
    for (const id of gone) {
      this.runs.delete(id);
      this.trajectories.delete(id);
    }
    for (const [name, row] of this.derivedRows) if (gone.has(row.runId)) this.derivedRows.delete(name);
    for (const [name, use] of this.vectorUses) if (gone.has(use.runId)) this.vectorUses.delete(name);
    const used = new Set([...this.vectorUses.values()].flatMap((use) => use.hashes.map((hash) => vectorName(use.encoder, hash))));
    for (const name of this.vectorRows.keys()) if (!used.has(name)) this.vectorRows.delete(name);
    for (const [key, row] of this.parts) if (row.fileId === fileId) this.parts.delete(key);
    this.sources.delete(this.files.get(fileId)?.sourceKey ?? '');
    this.files.delete(fileId);
  }
  async forgetAll(): Promise<void> {
    for (const file of this.files.values()) this.sources.delete(file.sourceKey);
    for (const map of [this.files, this.runs, this.trajectories, this.derivedRows, this.vectorRows, this.vectorUses, this.parts, this.scenarios]) map.clear();
    this.changed();
    this.scenariosChanged();
  }
  async usage(): Promise<StorageUsage> {
    let usedBytes = 0;
    for (const file of this.files.values()) usedBytes += file.sizeBytes;
    return { usedBytes, quotaBytes: null, persistent: false };
  }

  async derived(key: DerivedKey): Promise<DerivedRow | undefined> {
    const row = this.derivedRows.get(derivedName(key));
    return row?.version === DERIVED_VERSION ? row : undefined;
  }
  async putDerived(row: DerivedRow): Promise<void> {
    if (this.runs.has(row.runId)) this.derivedRows.set(derivedName(row), row);
  }
  vectors = async (encoder: EncoderId, hashes: string[]): Promise<(Float32Array | undefined)[]> => hashes.map((hash) => this.vectorRows.get(vectorName(encoder, hash)));
  hasVectors = async (encoder: EncoderId, hashes: string[]): Promise<boolean[]> => hashes.map((hash) => this.vectorRows.has(vectorName(encoder, hash)));
  async putVectors(encoder: EncoderId, vectors: { hash: string; vector: Float32Array }[]): Promise<void> {
    for (const { hash, vector } of vectors) this.vectorRows.set(vectorName(encoder, hash), vector);
  }
  async putVectorUse(use: VectorUseRow): Promise<void> {
    if (this.runs.has(use.runId)) this.vectorUses.set(JSON.stringify([use.runId, use.line, use.encoder]), use);
  }
  vectorUse = async (runId: string, line: string, encoder: EncoderId): Promise<VectorUseRow | undefined> => this.vectorUses.get(JSON.stringify([runId, line, encoder]));
  corpusParts = async (keys: string[]): Promise<(CorpusPartRow | undefined)[]> => keys.map((key) => this.parts.get(key));
  hasCorpusParts = async (keys: string[]): Promise<boolean[]> => keys.map((key) => this.parts.has(key));
  putCorpusPart = async (row: CorpusPartRow): Promise<void> => void this.parts.set(row.key, row);
  async putScenario(row: ScenarioRow): Promise<void> {
    if (this.runs.has(row.runId)) this.scenarios.set(row.id, row);
    this.scenariosChanged();
  }
  async deleteScenario(id: string): Promise<void> {
    this.scenarios.delete(id);
    this.scenariosChanged();
  }
  observeScenarios(runId: string, line: string, onChange: (rows: ScenarioRow[]) => void): () => void {
    const tell = (): void => onChange(oldestFirst([...this.scenarios.values()].filter((row) => row.runId === runId && row.line === line)));
    this.scenarioObservers.add(tell);
    void Promise.resolve().then(() => this.scenarioObservers.has(tell) && tell());
    return () => void this.scenarioObservers.delete(tell);
  }
  encoders = async (): Promise<OwnEncoderInfo[]> => [...this.ownEncoders.values()].map((row) => row.info);
  encoder = async (id: string): Promise<OwnEncoderRow | undefined> => this.ownEncoders.get(id);
  putEncoder = async (row: OwnEncoderRow): Promise<void> => void this.ownEncoders.set(row.id, row);
  async deleteEncoder(id: string): Promise<void> {
    this.ownEncoders.delete(id);
    for (const name of this.vectorRows.keys()) if (name.startsWith(`${id} `)) this.vectorRows.delete(name);
    for (const [name, use] of this.vectorUses) if (use.encoder === id) this.vectorUses.delete(name);
  }
  setting = async (key: string): Promise<unknown> => this.settings.get(key);
  putSetting = async (key: string, value: unknown): Promise<void> => void this.settings.set(key, value);

  observeRuns(onChange: (runs: LibraryRun[]) => void): () => void {
    this.observers.add(onChange);
    void this.listRuns().then((runs) => this.observers.has(onChange) && onChange(runs));
    return () => void this.observers.delete(onChange);
  }
  close(): void {
    this.scenarioObservers.clear();
    this.observers.clear();
  }

  private run(id: string): LibraryRun {
    const run = this.runs.get(id);
    if (!run) throw noSuchRun(id);
    return run;
  }
  private scenariosChanged(): void {
    for (const tell of this.scenarioObservers) tell();
  }
  private changed(): void {
    for (const onChange of this.observers) onChange(newestFirst([...this.runs.values()]));
  }
}
