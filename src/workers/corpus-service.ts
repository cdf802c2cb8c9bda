import { blobSource } from '../core/base/byte-source';
import { ContextscopeError, throwIfCancelled } from '../core/base/errors';
import { blobSpool } from '../core/base/spool';
import { corpusTexts, mapRun } from '../core/corpus/map-run';
import { mapPolicies } from '../core/corpus/policy-part';
import type { CorpusSettings, RunIdentity } from '../core/corpus/types';
import { isOwnId, isVectorsId, specOfOwn } from '../core/embedding/own-encoder';
import { encoderById, registerEncoder } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';
import { yieldToEvents } from '../core/embedding/yield-to-events';
import type { ImportSource, TraceReader } from '../core/import/types';
import { SelectionLineReader, type SelectionLine } from '../core/selection/selection-line';
import type { TokenCounter } from '../core/tokens/types';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { InteractionBuilder } from '../core/trace/interaction';
import { defaultLine, rowsOfLine } from '../core/trace/line';
import type { Trajectory } from '../core/trace/model';
import type { Repository } from '../storage/repository';
import { DERIVED_VERSION } from '../storage/rows';
import type { CorpusItem } from './corpus-api';
import type { EmbedTextItem } from './embedding-protocol';
import type { HashedVector } from './embed-texts';
import { gone, ImportedTexts } from './imported-texts';
import type { CreateTraceReader } from './read-service';
import { TextHashes } from './selection-texts';

export interface CorpusServiceParts {
  repository: Pick<Repository, 'trajectory' | 'source' | 'report' | 'vectors' | 'hasVectors' | 'putVectorUse' | 'encoder'>;
  importSource: ImportSource;
  createTraceReader: CreateTraceReader;
  /** SHA-256 of all bytes, hex. */
  hash: (blob: Blob, signal?: AbortSignal) => Promise<string>;
  loadCounter: () => Promise<TokenCounter>;
}

export interface OpenedFile { sha256: string; trajectories: number[] }

interface OpenFile {
  runId: string | null;
  identity: Omit<RunIdentity, 'trajectory' | 'name'>;
  /** By index in the file. */
  trajectories: Map<number, Trajectory>;
  reader: (trajectory: Trajectory) => TraceReader;
}
interface OpenRun { index: number; line: SelectionLine; hashes: TextHashes }

/** The vectors of a forgotten run are forgotten by their use; a corpus run refers to more texts than the run page does. */
const USE = 'corpus';
const VECTORS_A_READ = 512;
const SLICE_MS = 50;

/** Maps one file after the other; holds one file and one of its runs. Runs in a worker, and in Node over any repository. */
export class CorpusService {
  private file: OpenFile | null = null;
  private run: OpenRun | null = null;
  private held = new Map<string, Float32Array>();

  private readonly imported: ImportedTexts;

  constructor(private readonly parts: CorpusServiceParts) {
    this.imported = new ImportedTexts(parts.repository);
  }

  /** Opens a run of the library, or reads a file as `corpus` does. Throws what the importer throws. */
  async open(item: CorpusItem, signal?: AbortSignal): Promise<OpenedFile> {
    this.letGo();
    this.file = 'runId' in item ? await this.openStored(item.runId, item.path) : await this.openLoose(item.path, item.blob, signal);
    throwIfCancelled(signal);
    return { sha256: this.file.identity.sha256, trajectories: [...this.file.trajectories.keys()] };
  }

  /**
   * Hashes of the texts that have no vector yet. `alone`: this file is the whole corpus. Rejects 'not-found' or
   * 'bad-argument' where the user's own encoder cannot serve this run.
   */
  async plan(index: number, encoder: EncoderId, settings: CorpusSettings, alone: boolean, signal?: AbortSignal): Promise<{ total: number; missing: string[] }> {
    await this.introduce(encoder);
    const run = await this.read(index, signal);
    const { line, hashes } = run;
    const texts = corpusTexts(line, settings);
    if (isVectorsId(encoder)) {
      // Without texts only replays are wanted, which read no vectors. Nothing can be embedded: what the file lacks stays unknown.
      if (texts.length > 0) this.hold(await this.imported.vectorsOf(encoder, run, texts, alone && this.file?.trajectories.size === 1));
      return { total: texts.length, missing: [] };
    }
    const wanted = texts.map((text) => hashes.of(text));
    const runId = this.file?.runId;
    if (runId != null) await this.parts.repository.putVectorUse({ runId, line: USE, encoder, version: DERIVED_VERSION, hashes: wanted, main: wanted.length }).catch(() => undefined);
    const stored = await this.parts.repository.hasVectors(encoder, wanted);
    return { total: wanted.length, missing: wanted.filter((_, i) => !stored[i]) };
  }

  async textsOf(index: number, settings: CorpusSettings, wanted: readonly string[]): Promise<EmbedTextItem[]> {
    const { line, hashes } = await this.read(index);
    const texts = new Map(corpusTexts(line, settings).map((text) => [hashes.of(text), text]));
    return wanted.flatMap((hash) => {
      const text = texts.get(hash);
      return text === undefined ? [] : [{ hash, text }];
    });
  }

  hold(vectors: readonly HashedVector[]): void {
    for (const { hash, vector } of vectors) this.held.set(hash, vector);
  }

  /** The run's part as JSON text. `onProgress`: checkpoints. */
  async map(index: number, encoder: EncoderId, settings: CorpusSettings, onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<string> {
    const { line, hashes } = await this.read(index, signal);
    const { file } = this;
    const trajectory = file?.trajectories.get(index);
    if (!file || !trajectory) throw lost();
    const vectors = await this.vectors(encoder, corpusTexts(line, settings).map((text) => hashes.of(text)));
    const { id, dim, sha256 } = encoderById(encoder);
    const run: RunIdentity = { ...file.identity, trajectory: index, name: trajectory.name };
    let sinceMs = performance.now();
    const part = await mapRun({ run, line, encoder: { id, dim, sha256 }, vectorOf: (text) => vectors.get(hashes.of(text)) ?? null }, settings, async (done, total) => {
      throwIfCancelled(signal);
      if (performance.now() - sinceMs < SLICE_MS && done < total) return;
      onProgress(done, total);
      await yieldToEvents();
      throwIfCancelled(signal);
      sinceMs = performance.now();
    });
    if (settings.tables.includes('policies')) {
      const counter = await this.parts.loadCounter();
      const analysed = await analyseRecordedLine(file.reader(trajectory), trajectory, defaultLine(trajectory), counter, { signal });
      part.policies = await mapPolicies(analysed, settings, (text) => counter.count(text), async () => {
        await yieldToEvents();
        throwIfCancelled(signal);
      });
    }
    return JSON.stringify(part);
  }

  /** Lets go of everything. */
  close(): void {
    this.letGo();
    this.imported.forget();
  }

  private letGo(): void {
    this.file = null;
    this.run = null;
    this.held = new Map();
  }

  /** Tells this worker's registry of an encoder that the user brought; asked each time, for it may have been removed. */
  private async introduce(encoder: EncoderId): Promise<void> {
    if (!isOwnId(encoder)) return;
    const row = await this.parts.repository.encoder(encoder);
    if (!row) throw gone(encoder);
    registerEncoder(specOfOwn(row.info));
  }

  private async openStored(runId: string, path: string): Promise<OpenFile> {
    const { repository, createTraceReader } = this.parts;
    const [trajectory, { blob }, report] = await Promise.all([repository.trajectory(runId), repository.source(runId), repository.report(runId)]);
    const at = runId.lastIndexOf('#');
    return {
      runId,
      identity: { file: path, sha256: runId.slice(0, at), format: report?.format ?? trajectory.format },
      trajectories: new Map([[Number(runId.slice(at + 1)), trajectory]]),
      reader: (of) => createTraceReader(blobSource(path, blob), of),
    };
  }

  private async openLoose(path: string, blob: Blob, signal?: AbortSignal): Promise<OpenFile> {
    const { importSource, createTraceReader, hash } = this.parts;
    const source = blobSource(path, blob);
    const digest = hash(blob, signal);
    digest.catch(() => undefined);
    const { report, trajectories, content } = await importSource(source, { signal, createSpool: blobSpool, createHasher: () => ({ update: () => undefined, digest: () => digest, readsItself: true }) });
    return {
      runId: null,
      identity: { file: path, sha256: report.sha256, format: report.format },
      trajectories: new Map([...trajectories.entries()].filter(([, { threads }]) => threads.length > 0)),
      reader: (of) => createTraceReader(content ?? source, of),
    };
  }

  private async read(index: number, signal?: AbortSignal): Promise<OpenRun> {
    if (this.run?.index === index) return this.run;
    const trajectory = this.file?.trajectories.get(index);
    if (!this.file || !trajectory) throw lost();
    const counter = await this.parts.loadCounter();
    const line = await readLine(this.file.reader(trajectory), trajectory, (text) => counter.count(text), signal);
    this.held = new Map();
    return (this.run = { index, line, hashes: new TextHashes(line) });
  }

  private async vectors(encoder: EncoderId, hashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const out = new Map(this.held);
    const absent = hashes.filter((hash) => !out.has(hash));
    for (let from = 0; from < absent.length; from += VECTORS_A_READ) {
      const some = absent.slice(from, from + VECTORS_A_READ);
      (await this.parts.repository.vectors(encoder, some)).forEach((vector, i) => {
        if (vector) out.set(some[i]!, vector);
      });
    }
    return out;
  }
}

/** Two passes, so that no more than the messages of open blocks are held. Tokens are counted in slices: the worker answers in between. */
async function readLine(reader: TraceReader, trajectory: Trajectory, countTokens: (text: string) => number, signal?: AbortSignal): Promise<SelectionLine> {
  const rows = rowsOfLine(trajectory, defaultLine(trajectory));
  const builder = new InteractionBuilder();
  await reader.readMessages(rows, (message) => builder.add(message), signal);
  const lines = new SelectionLineReader(builder.finish().blocks, () => 0);
  await reader.readMessages(rows, (message) => lines.add(message), signal);
  const line = lines.finish();
  let sinceMs = performance.now();
  for (const block of line.blocks) {
    block.tokens = countTokens(block.text);
    if (performance.now() - sinceMs < SLICE_MS) continue;
    await yieldToEvents();
    throwIfCancelled(signal);
    sinceMs = performance.now();
  }
  return line;
}

/** The worker that had opened the file died, and this is the one that took over. */
function lost(): ContextscopeError {
  return new ContextscopeError('worker', 'The corpus worker was replaced while it held this run. Run the corpus again: what was finished is kept.');
}
