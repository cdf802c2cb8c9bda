import { ContextscopeError, throwIfCancelled } from '../core/base/errors';
import { blocksMissing, coverageNote, coverageOf, importedVectorOf, importVectors, type PlacedTexts, type VectorsCoverage } from '../core/embedding/imported-vectors';
import { isOwnId, isVectorsId, specOfOwn } from '../core/embedding/own-encoder';
import { encoderById, registerEncoder } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';
import { yieldToEvents } from '../core/embedding/yield-to-events';
import type { TraceReader } from '../core/import/types';
import { unitRows } from '../core/numerics/unit-rows';
import { buildGeometryOverTime, buildGeometryReport } from '../core/selection/geometry';
import { viewOfInput, type CheckpointView } from '../core/selection/checkpoint-view';
import { buildLab, type LabPart, type LabReport, type LabSettings } from '../core/selection/lab';
import { buildSelectReport } from '../core/selection/select';
import { lineSelection, textsOfForwarding, type LineSelection } from '../core/selection/line-selection';
import { selectionInput, textsNeeded } from '../core/selection/selection-input';
import { checkpointAtMessage, checkpointOfBlocks, checkpointTexts, SelectionLineReader, type Checkpoint, type SelectionLine } from '../core/selection/selection-line';
import type { EncoderInfo, GeometryOverTime, GeometryReport, SelectReport, SelectSettings } from '../core/selection/types';
import { InteractionBuilder } from '../core/trace/interaction';
import type { Repository } from '../storage/repository';
import { DERIVED_VERSION } from '../storage/rows';
import type { EmbedTextItem } from './embedding-protocol';
import { Lru } from './lru';
import { gone } from './imported-texts';
import { lineTexts, TextHashes } from './selection-texts';

export interface LineVectorsParts {
  repository: Pick<Repository, 'vectors' | 'hasVectors' | 'putVectorUse' | 'vectorUse' | 'encoder'>;
  runId: string;
  line: string;
  fileName: string;
  rows: ArrayLike<number>;
  reader: TraceReader;
  countTokens: (text: string) => number;
}

/** Either the answer, or texts of this checkpoint that must be embedded before it can be given. */
export type SelectAnswer<T> = { report: T } | { missing: EmbedTextItem[] };

/** What is to be embedded, as hashes; `note`: what cannot be (files of vectors). */
export interface EmbeddingPlan { total: number; missing: string[]; note?: string }

interface Texts { line: SelectionLine; hashes: TextHashes }

/** Which encoders are so fast that everything is embedded at once. */
const INSTANT: readonly EncoderId[] = ['static-minilm-384@1', 'hashed-1024@1'];

const SLICE_MS = 50;

/** Reports of checkpoints looked at last: going back a few steps costs nothing. */
const KEPT_REPORTS = 48;
const KEPT_MAPS = 8;
/** Checkpoints whose Gram matrix is held for the next part of the laboratory. */
const KEPT_VIEWS = 2;

/** What is asked of one open line's embeddings. Texts (at most 12 000 characters a block) are read at the first question. */
export class LineVectors {
  private texts: Promise<Texts> | undefined;
  private readonly held = new Map<EncoderId, Map<string, Float32Array>>();
  private readonly introduced = new Set<EncoderId>();
  private readonly reports = new Lru<SelectReport | GeometryReport | LabReport>(KEPT_REPORTS);
  private readonly maps = new Lru<number[]>(KEPT_MAPS);
  private readonly views = new Lru<CheckpointView>(KEPT_VIEWS);

  constructor(private readonly parts: LineVectorsParts) {}

  async plan(encoder: EncoderId, firstBlocks: readonly number[], signal?: AbortSignal): Promise<EmbeddingPlan> {
    await this.introduce(encoder);
    if (isVectorsId(encoder)) return this.planImported(encoder, signal);
    const { repository, runId, line: lineName } = this.parts;
    // A line that was embedded before needs no look at its texts.
    const known = await repository.vectorUse(runId, lineName, encoder);
    if (known) {
      const wanted = known.hashes.slice(0, known.main);
      if ((await this.without(encoder, wanted)).length === 0) return { total: wanted.length, missing: [] };
    }
    const { line, hashes } = await this.read(signal);
    const { main, stateQueries } = lineTexts(line, hashes, firstBlocks);
    const all = [...main, ...stateQueries].map((item) => item.hash);
    const wanted = INSTANT.includes(encoder) ? all : all.slice(0, main.length);
    await repository.putVectorUse({ runId, line: lineName, encoder, version: DERIVED_VERSION, hashes: all, main: wanted.length }).catch(() => undefined);
    return { total: wanted.length, missing: await this.without(encoder, wanted) };
  }

  /** Vectors that the user brought: nothing is embedded, every block must have one. */
  private async planImported(encoder: EncoderId, signal?: AbortSignal): Promise<EmbeddingPlan> {
    const coverage = await this.coverage(encoder, signal);
    const { blocks, missingBlocks } = coverage;
    if (missingBlocks.length > 0) throw blocksMissing(encoderById(encoder).title, blocks, missingBlocks);
    const note = coverageNote(coverage);
    return { total: blocks, missing: [], ...(note === null ? {} : { note }) };
  }

  /** How far a file of vectors reaches here; every vector it has for this line is held from then on. */
  async coverage(encoder: EncoderId, signal?: AbortSignal): Promise<VectorsCoverage> {
    await this.introduce(encoder);
    const { line, hashes } = await this.read(signal);
    const file = (await this.parts.repository.encoder(encoder))?.vectors;
    if (!file) throw gone(encoder);
    const { title } = encoderById(encoder);
    const imported = await importVectors(title, new Uint8Array(await file.arrayBuffer()));
    const texts: PlacedTexts = { blocks: line.blocks.map((block) => block.text), at: (n) => checkpointTexts(line, checkpointOfBlocks(line, n)), finalText: line.finalText };
    const vectorOf = importedVectorOf(imported, texts, title);
    const { main, stateQueries } = lineTexts(line, hashes);
    this.hold(encoder, [...main, ...stateQueries].flatMap(({ hash, text }) => {
      const vector = vectorOf(text);
      return vector ? [{ hash, vector }] : [];
    }));
    return coverageOf(vectorOf, texts);
  }

  /** Tells this worker's registry of an encoder that the user brought. Rejects 'not-found' when it was removed. */
  private async introduce(encoder: EncoderId): Promise<void> {
    if (!isOwnId(encoder) || this.introduced.has(encoder)) return;
    const row = await this.parts.repository.encoder(encoder);
    if (!row) throw gone(encoder);
    registerEncoder(specOfOwn(row.info));
    this.introduced.add(encoder);
  }

  /** Those that have no vector. */
  private async without(encoder: EncoderId, wanted: string[]): Promise<string[]> {
    const stored = await this.parts.repository.hasVectors(encoder, wanted);
    const held = this.heldOf(encoder);
    return wanted.filter((hash, i) => !stored[i] && !held.has(hash));
  }

  async textsOf(wanted: readonly string[]): Promise<EmbedTextItem[]> {
    const { line, hashes } = await this.read();
    const { main, stateQueries } = lineTexts(line, hashes);
    const byHash = new Map([...main, ...stateQueries].map((item) => [item.hash, item]));
    return wanted.flatMap((hash) => byHash.get(hash) ?? []);
  }

  hold(encoder: EncoderId, vectors: readonly { hash: string; vector: Float32Array }[]): void {
    const held = this.heldOf(encoder);
    for (const { hash, vector } of vectors) held.set(hash, vector);
  }

  async select(encoder: EncoderId, settings: SelectSettings, signal?: AbortSignal): Promise<SelectAnswer<SelectReport>> {
    const texts = await this.read(signal);
    const checkpoint = placeOf(texts.line, settings.checkpoint, settings.call);
    const online = settings.mode !== 'core';
    const missing = await this.load(encoder, texts, textsNeeded(texts.line, checkpoint, online), checkpoint);
    if (missing.length > 0) return { missing };
    throwIfCancelled(signal);
    return this.kept(['select', encoder, settings], () => {
      const input = selectionInput(this.parts.fileName, encoderInfo(encoder), texts.line, checkpoint, this.vectorOf(encoder, texts), online);
      return buildSelectReport(input, settings);
    });
  }

  /** One part of the laboratory. Its view of the checkpoint is held, so that the other parts start from it. */
  async lab(encoder: EncoderId, part: LabPart, settings: LabSettings, signal?: AbortSignal): Promise<SelectAnswer<LabReport>> {
    const texts = await this.read(signal);
    const { line } = texts;
    const checkpoint = placeOf(line, settings.checkpoint, settings.call);
    const missing = await this.load(encoder, texts, textsNeeded(line, checkpoint), checkpoint);
    if (missing.length > 0) return { missing };
    throwIfCancelled(signal);
    const info = encoderInfo(encoder);
    const view = await this.views.get(JSON.stringify([encoder, checkpoint, settings.seed]), () =>
      Promise.resolve(viewOfInput(selectionInput(this.parts.fileName, info, line, checkpoint, this.vectorOf(encoder, texts)), settings.seed)));
    return this.kept(['lab', encoder, part, settings], () => buildLab(view, info, part, settings, (index) => line.blocks[index]?.text));
  }

  async geometry(encoder: EncoderId, blocks: number, seed: number, call?: number, signal?: AbortSignal): Promise<SelectAnswer<GeometryReport>> {
    const texts = await this.read(signal);
    const checkpoint = placeOf(texts.line, blocks, call);
    const { action } = checkpointTexts(texts.line, checkpoint);
    const missing = await this.load(encoder, texts, [...blockTexts(texts.line, checkpoint.n), ...(action === '' ? [] : [action])], checkpoint);
    if (missing.length > 0) return { missing };
    throwIfCancelled(signal);
    return this.kept(['geometry', encoder, checkpoint, seed], () => {
      const vectors = this.matrix(encoder, texts.line, checkpoint.n);
      return buildGeometryReport(encoderInfo(encoder), vectors, checkpoint.n, action === '' ? null : this.vectorOf(encoder, texts)(action), seed);
    });
  }

  /** Coordinates of the first blocks by UMAP, n × 2. Kept like a report; a cancelled one is not. */
  async umap(encoder: EncoderId, n: number, seed: number, onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<number[]> {
    const texts = await this.read(signal);
    await this.load(encoder, texts, blockTexts(texts.line, n), { n, position: texts.line.messages });
    throwIfCancelled(signal);
    const { dim } = encoderById(encoder);
    return this.maps.get(JSON.stringify([encoder, n, seed]), async () => {
      const { umapMap } = await import('../core/selection/umap-map');
      return umapMap(unitRows(this.matrix(encoder, texts.line, n), n, dim), seed, { signal, onProgress });
    });
  }

  private async kept<T extends SelectReport | GeometryReport | LabReport>(key: readonly unknown[], make: () => T): Promise<SelectAnswer<T>> {
    return { report: (await this.reports.get(JSON.stringify(key), () => Promise.resolve().then(make))) as T };
  }

  async geometryOverTime(encoder: EncoderId, seed: number, signal?: AbortSignal): Promise<GeometryOverTime> {
    const texts = await this.read(signal);
    const n = texts.line.blocks.length;
    await this.load(encoder, texts, blockTexts(texts.line, n), { n, position: texts.line.messages });
    throwIfCancelled(signal);
    return buildGeometryOverTime(encoderInfo(encoder), this.matrix(encoder, texts.line, n), n, seed, { signal });
  }

  /** What forwarding policies read of the whole line. `calls`: message position of each model call. */
  async forwarding(encoder: EncoderId, calls: readonly number[], signal?: AbortSignal): Promise<SelectAnswer<LineSelection>> {
    const texts = await this.read(signal);
    const missing = await this.load(encoder, texts, textsOfForwarding(texts.line, calls), { n: texts.line.blocks.length, position: texts.line.messages });
    if (missing.length > 0) return { missing };
    throwIfCancelled(signal);
    return { report: lineSelection(texts.line, encoderInfo(encoder), calls, this.vectorOf(encoder, texts)) };
  }

  /** Rows of the first n blocks; a block without text is the zero row. */
  private matrix(encoder: EncoderId, line: SelectionLine, n: number): Float32Array {
    const { dim } = encoderById(encoder);
    const held = this.heldOf(encoder);
    const out = new Float32Array(n * dim);
    line.blocks.slice(0, n).forEach((block, i) => {
      const vector = held.get(block.hash);
      if (vector) out.set(vector, i * dim);
    });
    return out;
  }

  private vectorOf(encoder: EncoderId, { hashes }: Texts): (text: string) => Float32Array | null {
    const held = this.heldOf(encoder);
    return (text) => held.get(hashes.of(text)) ?? null;
  }

  /**
   * Brings the vectors of `needed` into memory; returns the texts that have none yet. Where blocks are among them, the
   * run has not been embedded: rejects 'not-found' with how far it has come.
   */
  private async load(encoder: EncoderId, { line, hashes }: Texts, needed: readonly string[], checkpoint: Checkpoint): Promise<EmbedTextItem[]> {
    await this.introduce(encoder);
    if (isVectorsId(encoder) && !this.held.has(encoder)) await this.coverage(encoder);
    const held = this.heldOf(encoder);
    const items = needed.map((text) => ({ text, hash: hashes.of(text) }));
    const absent = items.filter((item) => !held.has(item.hash));
    // What a file of vectors leaves out stays unknown: there is nothing to embed it with.
    if (isVectorsId(encoder)) absent.length = 0;
    const found = await this.parts.repository.vectors(encoder, absent.map((item) => item.hash));
    const missing = absent.filter((item, i) => {
      const vector = found[i];
      if (vector) held.set(item.hash, vector);
      return !vector;
    });
    const blocks = line.blocks.slice(0, checkpoint.n).filter((block) => block.text !== '');
    const done = blocks.filter((block) => held.has(block.hash)).length;
    if (done < blocks.length) throw new ContextscopeError('not-found', `Embedded so far: ${done} of the ${blocks.length} blocks before this step (${encoderById(encoder).title}). Wait for the rest, or choose another encoder.`);
    return missing;
  }

  private heldOf(encoder: EncoderId): Map<string, Float32Array> {
    let held = this.held.get(encoder);
    if (!held) this.held.set(encoder, (held = new Map()));
    return held;
  }

  private async read(signal?: AbortSignal): Promise<Texts> {
    this.texts ??= this.readTexts();
    const texts = await this.texts.catch((error: unknown) => {
      this.texts = undefined;
      throw error;
    });
    throwIfCancelled(signal);
    return texts;
  }

  private async readTexts(): Promise<Texts> {
    const { reader, rows } = this.parts;
    // Two passes, so that no more than the messages of open blocks are held: what is a block is known at the end of the first.
    const builder = new InteractionBuilder();
    await reader.readMessages(rows, (message) => builder.add(message));
    const lineReader = new SelectionLineReader(builder.finish().blocks, () => 0);
    await reader.readMessages(rows, (message) => lineReader.add(message));
    const line = lineReader.finish();
    // Counting is most of the work: done here in slices, so that the worker answers in between.
    let sinceMs = performance.now();
    for (const block of line.blocks) {
      block.tokens = this.parts.countTokens(block.text);
      if (performance.now() - sinceMs < SLICE_MS) continue;
      await yieldToEvents();
      sinceMs = performance.now();
    }
    return { line, hashes: new TextHashes(line) };
  }
}

function placeOf(line: SelectionLine, blocks: number, call: number | undefined): Checkpoint {
  return call === undefined ? checkpointOfBlocks(line, blocks) : checkpointAtMessage(line, call);
}

function blockTexts(line: SelectionLine, n: number): string[] {
  return line.blocks.slice(0, n).map((block) => block.text).filter((text) => text !== '');
}

function encoderInfo(encoder: EncoderId): EncoderInfo {
  const { id, dim, sha256 } = encoderById(encoder);
  return { id, dim, sha256 };
}
