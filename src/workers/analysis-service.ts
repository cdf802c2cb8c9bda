import { ContextscopeError, isCancelled, throwIfCancelled } from '../core/base/errors';
import type { EncoderId } from '../core/embedding/types';
import type { LineSelection } from '../core/selection/line-selection';
import type { BlockTable, EncodingName } from '../core/trace/blocks-types';
import { defaultLine, rowsOfLine } from '../core/trace/line';
import type { LineRef, Trajectory } from '../core/trace/model';
import type { LossOfOp } from '../core/workspace/loss';
import { summarise, type ReplaySummary } from '../core/workspace/summary';
import type { RenderTarget, RenderedPrompt, Replay, ReplayInput, ReplayRequest } from '../core/workspace/types';
import type { Repository } from '../storage/repository';
import { DERIVED_VERSION, lineKey, type LineAnalysis } from '../storage/rows';
import type { AnalysisCore } from './analysis-core';
import type { InvariantOutcome, OpenLine, Progress, ReplayOutcome } from './api';
import { evidenceByAge, type SourceChoice, type UseByAge } from '../core/evidence/evidence-by-age';
import { auditOf, type ManagerAudit } from '../core/workspace/audit';
import type { InvariantReport } from '../core/workspace/invariants';
import { addressKey, type LineAddress } from './lines';
import { Lru } from './lru';
import { paced } from './pace';
import { ReplaySummaries } from './replay-summaries';
import type { OpenRuns } from './read-service';

export interface AnalysisJob { signal?: AbortSignal; onProgress?: (progress: Progress) => void }

interface Opened extends LineAnalysis {
  address: LineAddress;
  trajectory: Trajectory;
  rows: Uint32Array;
  replays: Lru<Replay>;
  summaries: ReplaySummaries;
  /** Finished reports by request and thoroughness: small. */
  invariants: Map<string, InvariantReport>;
  peakNoted: { done: boolean };
  /** Vectors by encoder, brought by the page; kept for as long as the line is open. */
  selections: Map<string, LineSelection>;
}

/** The line looked at and the one it is compared with. */
const OPEN_LINES = 2;
/** A playhead moves over one replay; comparing policies goes through a few. */
const KEPT_REPLAYS = 6;

/** Blocks, evidence and replays of one line of a stored run. Columns are held for two lines; texts are read when asked for. */
export class AnalysisService {
  private readonly opened = new Lru<Opened>(OPEN_LINES);

  constructor(private readonly repository: Repository, private readonly runs: OpenRuns, private readonly core: AnalysisCore) {}

  /** `line` null = the first thread. From the stored analysis, else by counting (progress in messages), which is then stored. */
  async openLine(runId: string, line: LineRef | null, encoding: EncodingName, job: AnalysisJob = {}): Promise<OpenLine> {
    const { trajectory } = await this.runs.open(runId);
    const opened = await this.open({ runId, line: line ?? defaultLine(trajectory), encoding }, job);
    const { address, rows, blocks, facts, evidence, recorded, interactionBlocks, checkpointOfStep } = opened;
    return { runId, line: address.line, trajectory, rows, blocks: shownBlocks(blocks), facts, evidence, recorded, interactionBlocks, checkpointOfStep };
  }

  async replay(address: LineAddress, request: ReplayRequest): Promise<Replay> {
    return this.replayOf(await this.open(address), request);
  }

  /** Which of the encoders' vectors must be brought before a policy that reads them can be replayed? */
  async lacksSelection(address: LineAddress, encoder: EncoderId): Promise<boolean> {
    return !(await this.open(address)).selections.has(encoder);
  }

  async bringSelection(address: LineAddress, selection: LineSelection): Promise<void> {
    (await this.open(address)).selections.set(selection.encoder.id, selection);
  }

  /**
   * Summaries in order, told one by one. Between two replays other requests are answered and a cancel is seen; a full
   * replay that is held already is not made again, and none made here pushes out those the page looks at.
   */
  async replayMany(
    address: LineAddress, requests: readonly ReplayRequest[], strips: boolean, onOutcome: (index: number, outcome: ReplayOutcome) => void, signal?: AbortSignal,
  ): Promise<void> {
    const opened = await this.open(address, { signal });
    for (const [index, request] of requests.entries()) {
      const key = JSON.stringify(request);
      let summary = opened.summaries.get(key, strips);
      let failure = '';
      if (!summary) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        throwIfCancelled(signal);
        try {
          summary = await this.summaryOf(opened, request, key, strips);
        } catch (error) {
          failure = error instanceof Error ? error.message : String(error);
        }
      }
      onOutcome(index, summary ? { request, summary } : { request, error: failure });
    }
  }

  private async summaryOf(opened: Opened, request: ReplayRequest, key: string, strips: boolean): Promise<ReplaySummary> {
    const replay = await (opened.replays.peek(key) ?? this.core.replay(withSelection(opened, request), request));
    const summary = summarise(replay, strips);
    opened.summaries.put(key, summary);
    return summary;
  }

  async lossAt(address: LineAddress, request: ReplayRequest, step: number): Promise<LossOfOp[]> {
    const opened = await this.open(address);
    const replay = await this.replayOf(opened, request);
    const { reader } = await this.runs.open(address.runId);
    return this.core.lossAt({ ...opened, line: address.line, reader }, replay, step);
  }

  async audit(address: LineAddress, request: ReplayRequest): Promise<ManagerAudit> {
    const opened = await this.open(address);
    return auditOf(await this.replayOf(opened, request), opened.evidence, opened.blocks);
  }

  async evidenceByAge(address: LineAddress, source: SourceChoice): Promise<UseByAge> {
    const { evidence, blocks } = await this.open(address);
    return evidenceByAge(evidence, blocks, source);
  }

  /** As `replayMany`: told one by one, other requests are answered in between. */
  async invariants(
    address: LineAddress, requests: readonly ReplayRequest[], everyStep: boolean, onOutcome: (index: number, outcome: InvariantOutcome) => void, signal?: AbortSignal,
  ): Promise<void> {
    const opened = await this.open(address, { signal });
    const { reader } = await this.runs.open(address.runId);
    for (const [index, request] of requests.entries()) {
      const key = JSON.stringify([request, everyStep]);
      try {
        let report = opened.invariants.get(key);
        if (!report) {
          await new Promise((resolve) => setTimeout(resolve, 0));
          throwIfCancelled(signal);
          const replay = await (opened.replays.peek(JSON.stringify(request)) ?? this.core.replay(withSelection(opened, request), request));
          report = await this.core.invariants({ ...withSelection(opened, request), trajectory: opened.trajectory, rows: opened.rows, line: address.line, reader }, replay, request, { signal, ...(everyStep ? { sampleSteps: Infinity } : {}) });
          opened.invariants.set(key, report);
        }
        onOutcome(index, { request, report });
      } catch (error) {
        if (isCancelled(error)) throw error;
        onOutcome(index, { request, error: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  async render(address: LineAddress, request: ReplayRequest, step: number, as: RenderTarget): Promise<RenderedPrompt> {
    const opened = await this.open(address);
    const replay = await this.replayOf(opened, request);
    if (!(step >= 1 && step <= replay.steps.n)) throw new ContextscopeError('bad-argument', `Step ${step} is outside of 1 to ${replay.steps.n}.`);
    const { reader } = await this.runs.open(address.runId);
    return this.core.render({ ...opened, line: address.line, reader }, replay, step, as);
  }

  /** The run was forgotten or read anew. */
  closeRun(runId: string): void {
    this.runs.close(runId);
    this.opened.deleteWhere((key) => key.startsWith(`${runId} `));
  }

  private async open(address: LineAddress, job: AnalysisJob = {}): Promise<Opened> {
    for (;;) {
      try {
        return await this.opened.get(addressKey(address), () => this.load(address, job));
      } catch (error) {
        // Shared with a caller that gave up: this one goes on by itself.
        if (!isCancelled(error) || job.signal?.aborted) throw error;
      }
    }
  }

  private async load(address: LineAddress, job: AnalysisJob): Promise<Opened> {
    const { runId, line, encoding } = address;
    const { trajectory } = await this.runs.open(runId);
    const rows = rowsOfLine(trajectory, line);
    const key = { runId, line: lineKey(line), encoding };
    const stored = await this.repository.derived(key);
    throwIfCancelled(job.signal);
    const analysis = stored ?? (await this.analyse(trajectory, address, job));
    // A full disk costs the next opening some time, not this one its result.
    if (!stored) await this.repository.putDerived({ ...key, version: DERIVED_VERSION, ...analysis }).catch(() => undefined);
    return { ...analysis, address, trajectory, rows, replays: new Lru<Replay>(KEPT_REPLAYS), summaries: new ReplaySummaries(), invariants: new Map(), peakNoted: { done: false }, selections: new Map() };
  }

  private async analyse(trajectory: Trajectory, { runId, line, encoding }: LineAddress, job: AnalysisJob): Promise<LineAnalysis> {
    const { reader } = await this.runs.open(runId);
    const report = job.onProgress && paced(job.onProgress);
    const onProgress = (done: number, total: number): void => report?.({ label: `Counting tokens of ${trajectory.name}`, done, total, unit: 'messages' });
    return this.core.analyse(reader, trajectory, line, encoding, { signal: job.signal, onProgress });
  }

  private replayOf(opened: Opened, request: ReplayRequest): Promise<Replay> {
    return opened.replays.get(JSON.stringify(request), async () => {
      const replay = await this.core.replay(withSelection(opened, request), request);
      await this.notePeak(opened, replay);
      return replay;
    });
  }

  /** The library's "peak tokens": the largest context of the first thread as recorded, which no budget binds. */
  private async notePeak({ address, trajectory, peakNoted }: Opened, replay: Replay): Promise<void> {
    if (replay.policy !== 'recorded' || peakNoted.done || lineKey(address.line) !== lineKey(defaultLine(trajectory))) return;
    peakNoted.done = true;
    // A number in a list: when it cannot be stored, the replay itself is still an answer.
    await this.repository.updateRun(address.runId, { peakTokens: replay.totals.peakContext }).catch(() => undefined);
  }
}

/** The replay's input with the vectors of the encoder that the request names. */
function withSelection(opened: Opened, { encoder }: ReplayRequest): ReplayInput {
  const selection = encoder === undefined ? undefined : opened.selections.get(encoder);
  return selection ? { ...opened, selection } : opened;
}

/** Without the words that only replays read: stand-ins are most of the bytes of a line. */
function shownBlocks(blocks: BlockTable): BlockTable {
  return { ...blocks, gist: [], head: [] };
}
