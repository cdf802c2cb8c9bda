import { importVectors, summariseVectors, type VectorsCoverage, type VectorsSummary } from '../core/embedding/imported-vectors';
import { unregisterEncoder } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';
import type { LineSelection } from '../core/selection/line-selection';
import type { GeometryOverTime, GeometryReport, SelectReport, SelectSettings } from '../core/selection/types';
import type { LabPart, LabReport, LabSettings } from '../core/selection/lab';
import { rowsOfLine } from '../core/trace/line';
import { lineKey } from '../storage/rows';
import type { Repository } from '../storage/repository';
import type { EmbedTextItem } from './embedding-protocol';
import { LineVectors, type EmbeddingPlan, type SelectAnswer } from './line-vectors';
import { hashBlob } from './hash-blob';
import { addressKey, type LineAddress } from './lines';
import { Lru } from './lru';
import type { OpenRuns } from './read-service';

/** The line looked at and the one it is compared with. */
const OPEN_LINES = 2;

/** Embedding plans, selections and geometry: heavy arithmetic, hence apart from the replays that a playhead waits for. */
export class SelectionService {
  private readonly opened = new Lru<LineVectors>(OPEN_LINES);

  /** `loadCounter`: exact o200k counts, whatever the page counts with, so that numbers equal the command line's. */
  constructor(
    private readonly repository: Repository,
    private readonly runs: OpenRuns,
    private readonly loadCounter: () => Promise<(text: string) => number>,
  ) {}

  /** Texts in the order in which they should be embedded, as hashes, without those that have vectors. */
  async embeddingPlan(address: LineAddress, encoder: EncoderId, firstBlocks: number[], signal?: AbortSignal): Promise<EmbeddingPlan> {
    return (await this.open(address)).plan(encoder, firstBlocks, signal);
  }

  /** Reads a file of vectors as far as it can be without a run. */
  async readVectors(name: string, file: Blob): Promise<VectorsSummary & { sha256: string }> {
    const imported = await importVectors(name, new Uint8Array(await file.arrayBuffer()));
    return { ...summariseVectors(imported), sha256: await hashBlob(file) };
  }

  async vectorsCoverage(address: LineAddress, encoder: EncoderId): Promise<VectorsCoverage> {
    return (await this.open(address)).coverage(encoder);
  }

  /** Lines forget what they hold of it. */
  forgetEncoder(encoder: EncoderId): void {
    unregisterEncoder(encoder);
    this.opened.deleteWhere(() => true);
  }

  async textsOf(address: LineAddress, hashes: string[]): Promise<EmbedTextItem[]> {
    return (await this.open(address)).textsOf(hashes);
  }

  /** For vectors that could not be stored: held while the line is open. */
  async holdVectors(address: LineAddress, encoder: EncoderId, vectors: { hash: string; vector: Float32Array }[]): Promise<void> {
    (await this.open(address)).hold(encoder, vectors);
  }

  async select(address: LineAddress, encoder: EncoderId, settings: SelectSettings, signal?: AbortSignal): Promise<SelectAnswer<SelectReport>> {
    return (await this.open(address)).select(encoder, settings, signal);
  }

  async lab(address: LineAddress, encoder: EncoderId, part: LabPart, settings: LabSettings, signal?: AbortSignal): Promise<SelectAnswer<LabReport>> {
    return (await this.open(address)).lab(encoder, part, settings, signal);
  }

  async geometry(address: LineAddress, encoder: EncoderId, checkpoint: number, seed: number, call?: number, signal?: AbortSignal): Promise<SelectAnswer<GeometryReport>> {
    return (await this.open(address)).geometry(encoder, checkpoint, seed, call, signal);
  }

  async geometryOverTime(address: LineAddress, encoder: EncoderId, seed: number, signal?: AbortSignal): Promise<GeometryOverTime> {
    return (await this.open(address)).geometryOverTime(encoder, seed, signal);
  }

  async umap(address: LineAddress, encoder: EncoderId, checkpoint: number, seed: number, onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<number[]> {
    return (await this.open(address)).umap(encoder, checkpoint, seed, onProgress, signal);
  }

  async forwarding(address: LineAddress, encoder: EncoderId, calls: readonly number[], signal?: AbortSignal): Promise<SelectAnswer<LineSelection>> {
    return (await this.open(address)).forwarding(encoder, calls, signal);
  }

  /** The run was forgotten or read anew. */
  closeRun(runId: string): void {
    this.runs.close(runId);
    this.opened.deleteWhere((key) => key.startsWith(`${runId} `));
  }

  private open(address: LineAddress): Promise<LineVectors> {
    return this.opened.get(addressKey(address), async () => {
      const { runId, line } = address;
      const [{ trajectory, reader }, source, countTokens] = await Promise.all([this.runs.open(runId), this.repository.source(runId), this.loadCounter()]);
      const rows = rowsOfLine(trajectory, line);
      return new LineVectors({ repository: this.repository, runId, line: lineKey(line), fileName: source.name, rows, reader, countTokens });
    });
  }
}
