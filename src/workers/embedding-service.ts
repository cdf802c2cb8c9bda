import { ContextscopeError, isCancelled } from '../core/base/errors';
import type { VectorCache } from '../core/embedding/cache';
import { embedAll } from '../core/embedding/embed-all';
import { encoderById } from '../core/embedding/registry';
import { SharedResults } from '../core/embedding/share-results';
import type { Encoder, EncoderId } from '../core/embedding/types';
import type { AssetReader } from './embedding-assets';
import { EmbeddingModels, type EngineFactory, type LoadedEncoder } from './embedding-models';
import { OwnModels, probeOnnx, type OpenModel } from './own-models';
import type { BackendInfo, EmbeddingRequest, EmbeddingResponse } from './embedding-protocol';

export interface EmbeddingServiceParts {
  /** Made from the base URL of `init`. */
  readerFor: (baseUrl: string) => AssetReader;
  createEngine: EngineFactory;
  /** Opens a model that the user brought; absent where none is ever asked for. */
  openOwnModel?: OpenModel;
  cache: VectorCache | null;
  /** `transfer`: buffers that the receiver takes over. */
  post: (response: EmbeddingResponse, transfer: ArrayBuffer[]) => void;
}

interface Job {
  controller: AbortController;
  /** A wish that came before the queue was there. */
  early: ArrayLike<number>;
  prioritise: (first: ArrayLike<number>) => void;
}

/** Bytes between two progress messages while a model file arrives. */
const BYTES_A_MESSAGE = 1 << 20;

/**
 * What embedding.worker.ts does, without a worker around it: takes requests, posts responses (embedding-protocol.ts).
 * Jobs that run at once take turns text by text and share their vectors.
 */
export class EmbeddingService {
  private models: EmbeddingModels | null = null;
  private readonly jobs = new Map<number, Job>();
  private readonly shared = new Map<EncoderId, SharedResults>();

  private readonly own: OwnModels;
  private readonly openOwn: OpenModel;

  constructor(private readonly parts: EmbeddingServiceParts) {
    this.openOwn = parts.openOwnModel ?? (() => Promise.reject(new ContextscopeError('internal', 'This worker opens no models of the user.')));
    this.own = new OwnModels(this.openOwn);
  }

  /** Never rejects: errors become `failed` responses. Resolves when the request has settled. */
  async handle(request: EmbeddingRequest): Promise<void> {
    switch (request.type) {
      case 'init':
        this.models = new EmbeddingModels(this.parts.readerFor(request.baseUrl), this.parts.createEngine);
        return;
      case 'define':
        this.own.define(request.files);
        return;
      case 'forget':
        this.shared.delete(request.encoder);
        return this.own.forget(request.encoder);
      case 'probe':
        return this.settle(request.id, async () => ({ type: 'probed', id: request.id, probe: await probeOnnx(this.openOwn, request.model, request.tokenizer, request.settings) }));
      case 'cancel':
        this.jobs.get(request.id)?.controller.abort();
        return;
      case 'prioritise':
        this.jobs.get(request.id)?.prioritise(request.first);
        return;
      case 'load':
        return this.settle(request.id, async () => {
          const { info } = await this.load(request.id, request.encoder);
          return { type: 'loaded', id: request.id, info: info() };
        });
      case 'embed':
        return this.settle(request.id, (job) => this.embed(request, job));
    }
  }

  /** Posts exactly one last response: what `work` returns, or `failed`. */
  private async settle(id: number, work: (job: Job) => Promise<EmbeddingResponse>): Promise<void> {
    const job: Job = {
      controller: new AbortController(),
      early: [],
      prioritise: (first) => {
        job.early = first;
      },
    };
    this.jobs.set(id, job);
    const { signal } = job.controller;
    // A cancel settles the request at once also while a model loads, which itself goes on for the next request.
    const cancelled = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new ContextscopeError('cancelled', 'Cancelled.')), { once: true });
    });
    try {
      this.parts.post(await Promise.race([work(job), cancelled]), []);
    } catch (error) {
      const code = isCancelled(error) ? 'cancelled' : error instanceof ContextscopeError ? error.code : 'internal';
      this.parts.post({ type: 'failed', id, code, message: error instanceof Error ? error.message : String(error) }, []);
    } finally {
      this.jobs.delete(id);
    }
  }

  private load(id: number, encoder: EncoderId): Promise<LoadedEncoder> {
    if (this.models === null) throw new ContextscopeError('internal', 'The embedding worker was asked before `init` told it where the models are.');
    const spec = encoderById(encoder);
    if (this.own.owns(spec)) return this.own.load(spec);
    let posted = 0;
    return this.models.load(spec, (bytes) => {
      if (!this.jobs.has(id) || (bytes - posted < BYTES_A_MESSAGE && bytes < spec.modelBytes)) return;
      posted = bytes;
      this.parts.post({ type: 'progress', id, phase: 'loading', done: bytes, total: spec.modelBytes, secondsLeft: NaN }, []);
    });
  }

  private async embed(request: Extract<EmbeddingRequest, { type: 'embed' }>, job: Job): Promise<EmbeddingResponse> {
    const { id, texts } = request;
    const spec = encoderById(request.encoder);
    const { signal } = job.controller;
    let infoNow = (): BackendInfo => ({ backend: 'none', threads: 1 });
    let closeShared = (): void => undefined;
    const get = async (): Promise<Encoder> => {
      const loaded = await this.load(id, request.encoder);
      infoNow = loaded.info;
      const results = this.shared.get(spec.id) ?? new SharedResults();
      this.shared.set(spec.id, results);
      const { encoder, close } = results.open(loaded.encoder);
      closeShared = close;
      return encoder;
    };
    try {
      const result = await embedAll({ spec, get }, texts, {
        first: request.first,
        cache: this.parts.cache,
        signal,
        onStart: (prioritise) => {
          job.prioritise = prioritise;
          prioritise(job.early);
        },
        onVectors: (rows) => {
          if (!signal.aborted) this.postRows(id, spec.dim, rows);
        },
        onProgress: (done, total, secondsLeft) => {
          if (!signal.aborted) this.parts.post({ type: 'progress', id, phase: 'embedding', done, total, secondsLeft }, []);
        },
      });
      const { cached, computed, empty, cacheProblem } = result;
      return { type: 'done', id, summary: { encoder: spec.id, total: texts.length, cached, computed, empty, info: infoNow(), cacheProblem } };
    } finally {
      closeShared();
    }
  }

  private postRows(id: number, dim: number, rows: { index: number; vector: Float32Array }[]): void {
    const vectors = new Float32Array(rows.length * dim);
    rows.forEach(({ vector }, i) => vectors.set(vector, i * dim));
    const indices = Uint32Array.from(rows, (row) => row.index);
    this.parts.post({ type: 'rows', id, dim, indices, vectors }, [indices.buffer, vectors.buffer]);
  }
}
