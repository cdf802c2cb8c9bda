import { isCancelled } from '../core/base/errors';
import type { EncoderId } from '../core/embedding/types';
import type { GeometryOverTime, GeometryReport, SelectReport, SelectSettings } from '../core/selection/types';
import type { LabPart, LabReport, LabSettings } from '../core/selection/lab';
import type { EncodingName } from '../core/trace/blocks-types';
import type { LineRef, Message } from '../core/trace/model';
import type { SourceChoice, UseByAge } from '../core/evidence/evidence-by-age';
import type { ManagerAudit } from '../core/workspace/audit';
import type { LossOfOp } from '../core/workspace/loss';
import type { RenderTarget, RenderedPrompt, Replay, ReplayRequest } from '../core/workspace/types';
import type { ObservableRepository } from '../storage/repository';
import { lineKey } from '../storage/rows';
import type {
  EmbeddingState, FirstSteps, ImportFilesOptions, ImportInput, ImportOutcome, InvariantOutcome, InvariantsOptions, JobOptions, Library, OpenLine, Progress, ReplayManyOptions, ReplayOutcome, Scenarios, SearchHit, SearchQuery, Workbench,
} from './api';
import { CorpusClient } from './corpus-client';
import type { EmbeddingClient } from './embedding-client';
import { LineEmbedding } from './line-embedding';
import type { SelectAnswer } from './line-vectors';
import { LineSelections } from './line-selections';
import { addressKey, addressOf } from './lines';
import { NewestWins } from './newest-wins';
import { OwnEncodersClient } from './own-encoders';
import { paced } from './pace';
import { repositoryLibrary } from './repository-library';
import type { CallOptions, RpcClient } from './rpc-client';
import { ShareRunning } from './share-running';

export interface WorkbenchParts {
  repository: ObservableRepository;
  importer: RpcClient;
  reader: RpcClient;
  analysis: RpcClient;
  selection: RpcClient;
  embedding: EmbeddingClient;
  /** One a lane of a corpus run. */
  corpus: readonly RpcClient[];
  /** Asks the browser not to evict what was stored. */
  askToPersist: () => void;
  webGpu: () => Promise<boolean>;
}

/** The page's side of all workers. Workers start when first needed; what they are asked is what their `…-handlers.ts` answer. */
export class WorkbenchClient implements Workbench {
  readonly library: Library;
  readonly scenarios: Scenarios;
  readonly corpus: CorpusClient;
  readonly persistent: boolean;
  readonly encoders: OwnEncodersClient;
  private readonly embeddings: LineEmbedding;
  private readonly selections: LineSelections;
  private readonly lanes = new NewestWins();
  private readonly sharing = new ShareRunning();

  constructor(private readonly parts: WorkbenchParts) {
    const { repository, selection, embedding, analysis } = parts;
    this.persistent = repository.persistent;
    this.library = repositoryLibrary(repository, (runIds) => this.closeRuns(runIds));
    this.corpus = new CorpusClient({ repository, embedding, workers: parts.corpus, introduce: (encoder) => this.encoders.introduce(encoder) });
    this.scenarios = {
      observe: (runId, line, onChange, onError) => repository.observeScenarios(runId, lineKey(line), onChange, onError),
      put: (row) => repository.putScenario(row),
      remove: (id) => repository.deleteScenario(id),
    };
    this.encoders = new OwnEncodersClient({ repository, selection, embedding });
    this.embeddings = new LineEmbedding({ repository, selection, embedding });
    this.selections = new LineSelections({ analysis, selection, embeddings: this.embeddings, introduce: (encoder) => this.encoders.introduce(encoder) });
  }

  async importFiles(files: ImportInput[], options: ImportFilesOptions = {}): Promise<ImportOutcome> {
    const onEvent = (name: string, value: unknown): void => {
      if (name === 'progress') options.onProgress?.(value as Progress);
      else if (name === 'first') options.onFirst?.(value as FirstSteps);
    };
    const outcome = (await this.parts.importer.call('importFiles', [files, options.format, options.join], { signal: options.signal, onEvent })) as ImportOutcome;
    // A run that was read anew as another format must not be answered from its old columns.
    if (options.format !== undefined) this.closeRuns(outcome.runs);
    if (outcome.runs.length > 0) this.parts.askToPersist();
    return outcome;
  }

  openLine(runId: string, line: LineRef | null, encoding: EncodingName, options: JobOptions = {}): Promise<OpenLine> {
    return this.ask(this.parts.analysis, 'openLine', [runId, line, encoding], {
      signal: options.signal,
      onEvent: (name, value) => name === 'progress' && options.onProgress?.(value as Progress),
    });
  }

  readMessages(runId: string, rows: ArrayLike<number>): Promise<Message[]> {
    return this.ask(this.parts.reader, 'readMessages', [runId, Uint32Array.from(rows)]);
  }
  readRaw(runId: string, row: number): Promise<string[]> {
    return this.ask(this.parts.reader, 'readRaw', [runId, row]);
  }
  search(line: OpenLine, query: SearchQuery): Promise<SearchHit[]> {
    return this.ask(this.parts.reader, 'search', [line.runId, line.rows, query], { lane: `search ${line.runId}` });
  }

  replay(line: OpenLine, request: ReplayRequest, laneName = request.policy): Promise<Replay> {
    const address = addressOf(line);
    const lane = `replay ${addressKey(address)} ${laneName}`;
    return this.sharing.run(`${lane} ${JSON.stringify(request)}`, async () => {
      await this.bringVectors(line, request);
      return this.ask(this.parts.analysis, 'replay', [address, request], { lane });
    });
  }
  /**
   * In no lane: a newer comparison cancels the older by its signal, and the live replay goes on beside it. Policies that
   * read vectors come last: the others need not wait for an encoder.
   */
  async replayMany(line: OpenLine, requests: readonly ReplayRequest[], { strips, onOutcome, onProgress, signal }: ReplayManyOptions): Promise<ReplayOutcome[]> {
    const outcomes: ReplayOutcome[] = [];
    const report = onProgress && paced(onProgress);
    const total = requests.length;
    let done = 0;
    const label = 'Replaying policies';
    report?.({ label, done, total, unit: 'replays' });
    const run = async (indices: readonly number[]): Promise<void> => {
      if (indices.length === 0) return;
      await this.ask(this.parts.analysis, 'replayMany', [addressOf(line), indices.map((index) => requests[index]), strips], {
        signal,
        onEvent: (_, value) => {
          const { index, outcome } = value as { index: number; outcome: ReplayOutcome };
          const at = indices[index] ?? 0;
          outcomes[at] = outcome;
          onOutcome?.(at, outcome);
          report?.({ label, done: ++done, total, unit: 'replays', detail: outcome.request.policy });
        },
      });
    };
    const of = (encoder: EncoderId | undefined): number[] => [...requests.keys()].filter((index) => requests[index]?.encoder === encoder);
    await run(of(undefined));
    for (const encoder of new Set(requests.flatMap((request) => request.encoder ?? []))) {
      // Without vectors each of its policies says so in its own row.
      await this.selections.ensure(addressOf(line), encoder, line.facts.stepMessage, {
        signal,
        onProgress: (progress) => report?.({ label, done, total, unit: 'replays', detail: `computing vectors: ${progress.done} of ${progress.total}` }),
      }).catch((error: unknown) => {
        if (isCancelled(error)) throw error;
      });
      await run(of(encoder));
    }
    return outcomes;
  }
  async lossAt(line: OpenLine, request: ReplayRequest, step: number): Promise<LossOfOp[]> {
    const address = addressOf(line);
    await this.bringVectors(line, request);
    return this.ask(this.parts.analysis, 'lossAt', [address, request, step], { lane: `loss ${addressKey(address)}` });
  }
  audit(line: OpenLine, request: ReplayRequest): Promise<ManagerAudit> {
    const args = [addressOf(line), request];
    return this.sharing.run(`audit ${JSON.stringify(args)}`, async () => {
      await this.bringVectors(line, request);
      return this.ask(this.parts.analysis, 'audit', args);
    });
  }
  evidenceByAge(line: OpenLine, source: SourceChoice): Promise<UseByAge> {
    return this.ask(this.parts.analysis, 'evidenceByAge', [addressOf(line), source]);
  }
  /** In no lane, as `replayMany`: a newer report cancels the older by its signal. */
  async invariants(line: OpenLine, requests: readonly ReplayRequest[], { everyStep, onOutcome, onProgress, signal }: InvariantsOptions): Promise<InvariantOutcome[]> {
    const outcomes: InvariantOutcome[] = [];
    const report = onProgress && paced(onProgress);
    const label = 'Checking invariants';
    report?.({ label, done: 0, total: requests.length, unit: 'policies' });
    for (const encoder of new Set(requests.flatMap((request) => request.encoder ?? []))) {
      await this.selections.ensure(addressOf(line), encoder, line.facts.stepMessage, { signal }).catch((error: unknown) => {
        if (isCancelled(error)) throw error;
      });
    }
    await this.ask(this.parts.analysis, 'invariants', [addressOf(line), requests, everyStep], {
      signal,
      onEvent: (_, value) => {
        const { index, outcome } = value as { index: number; outcome: InvariantOutcome };
        outcomes[index] = outcome;
        onOutcome?.(index, outcome);
        report?.({ label, done: index + 1, total: requests.length, unit: 'policies', detail: outcome.request.policy });
      },
    });
    return outcomes;
  }
  render(line: OpenLine, request: ReplayRequest, step: number, as: RenderTarget): Promise<RenderedPrompt> {
    const args = [addressOf(line), request, step, as];
    return this.sharing.run(`render ${JSON.stringify(args)}`, async () => {
      await this.bringVectors(line, request);
      return this.ask(this.parts.analysis, 'render', args);
    });
  }
  /** A request names an encoder where its policy reads vectors. */
  private async bringVectors(line: OpenLine, { encoder }: ReplayRequest): Promise<void> {
    if (encoder !== undefined) await this.selections.ensure(addressOf(line), encoder, line.facts.stepMessage);
  }

  async embed(line: OpenLine, encoder: EncoderId, firstBlocks: number[], options: JobOptions = {}): Promise<EmbeddingState> {
    await this.encoders.introduce(encoder);
    return this.embeddings.embedLine(addressOf(line), encoder, firstBlocks, options);
  }
  select(line: OpenLine, encoder: EncoderId, settings: SelectSettings): Promise<SelectReport> {
    const { selectors, mode, match = 'count' } = settings;
    return this.answer(line, encoder, `select ${mode} ${match} ${selectors.join()}`, 'select', [settings]);
  }
  lab(line: OpenLine, encoder: EncoderId, part: LabPart, settings: LabSettings): Promise<LabReport> {
    return this.answer(line, encoder, `lab ${part}`, 'lab', [part, settings]);
  }
  geometry(line: OpenLine, encoder: EncoderId, checkpoint: number, seed: number, call?: number): Promise<GeometryReport> {
    return this.answer(line, encoder, 'geometry', 'geometry', [checkpoint, seed, call]);
  }
  umap(line: OpenLine, encoder: EncoderId, checkpoint: number, seed: number, { onProgress, signal }: JobOptions = {}): Promise<number[]> {
    const address = addressOf(line);
    return this.ask(this.parts.selection, 'umap', [address, encoder, checkpoint, seed], {
      lane: `umap ${addressKey(address)}`, signal, onEvent: (name, value) => name === 'progress' && onProgress?.(value as Progress),
    });
  }
  geometryOverTime(line: OpenLine, encoder: EncoderId, seed: number): Promise<GeometryOverTime> {
    const args = [addressOf(line), encoder, seed];
    return this.sharing.run(`over time ${JSON.stringify(args)}`, () => this.ask(this.parts.selection, 'geometryOverTime', args));
  }

  webGpu(): Promise<boolean> {
    return this.parts.webGpu();
  }

  /** Ends all workers; whatever is pending rejects with `cancelled`. */
  dispose(): void {
    for (const client of [this.parts.importer, this.parts.reader, this.parts.analysis, this.parts.selection, this.parts.embedding]) client.dispose();
    this.corpus.dispose();
    this.parts.repository.close();
  }

  private async ask<T>(client: RpcClient, method: string, args: unknown[], options?: CallOptions): Promise<T> {
    return (await client.call(method, args, options)) as T;
  }

  /** Asks for a report at a checkpoint; the few texts that only this checkpoint needs are embedded on the way. */
  private answer<T>(line: OpenLine, encoder: EncoderId, lane: string, method: string, args: unknown[]): Promise<T> {
    const address = addressOf(line);
    const place = `${lane} ${addressKey(address)} ${encoder}`;
    return this.sharing.run(`${place} ${JSON.stringify(args)}`, () =>
      this.lanes.run(place, async (signal) => {
        const askOnce = (): Promise<SelectAnswer<T>> => this.ask(this.parts.selection, method, [address, encoder, ...args], { signal });
        let answer = await askOnce();
        while ('missing' in answer) {
          await this.encoders.introduce(encoder);
          await this.embeddings.embedTexts(address, encoder, answer.missing, { signal });
          answer = await askOnce();
        }
        return answer.report;
      }),
    );
  }

  private closeRuns(runIds: readonly string[]): void {
    for (const client of [this.parts.reader, this.parts.analysis, this.parts.selection]) {
      // A worker that dies at this moment forgets the run as well.
      if (client.started) for (const id of runIds) client.call('closeRun', [id]).catch(() => undefined);
    }
  }
}
