import { ContextscopeError } from '../core/base/errors';
import type { OnnxSettings } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import { dataOf, type WorkerEndpoint } from './endpoint';
import type { EmbeddingRequest, EmbeddingResponse, EmbedSummary, EmbedTextItem } from './embedding-protocol';
import type { OnnxProbe, OwnModelFiles } from './own-models';

export interface EmbedBatchOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Extract<EmbeddingResponse, { type: 'progress' }>) => void;
  /** Vectors as they come; the arrays are the receiver's. */
  onRows?: (rows: { hash: string; vector: Float32Array }[]) => void;
}

export interface EmbeddingClientOptions {
  spawn: () => WorkerEndpoint;
  /** The page's `document.baseURI`: models lie below it. */
  baseUrl: string;
  /** Without any message for so long, the worker is hung. A cold model on a slow machine must fit in. */
  silenceMs?: number;
  cancelGraceMs?: number;
}

interface Job {
  texts: EmbedTextItem[];
  options: EmbedBatchOptions;
  /** The last response that is no failure. */
  resolve(answer: Extract<EmbeddingResponse, { type: 'done' | 'probed' }>): void;
  reject(error: unknown): void;
  done(): void;
  graceTimer?: ReturnType<typeof setTimeout>;
}

const SILENCE_MS = 180_000;
const CANCEL_GRACE_MS = 15_000;

/**
 * Asks the embedding worker (embedding-protocol.ts), which starts at the first batch. Every batch settles: a worker that
 * fails, dies or falls silent is ended, its batches reject with `worker`, and the next batch starts a new one.
 */
export class EmbeddingClient {
  private worker: WorkerEndpoint | undefined;
  private readonly jobs = new Map<number, Job>();
  private nextId = 1;
  /** Own models: told to every worker that is started. */
  private readonly own = new Map<EncoderId, OwnModelFiles>();
  private silence: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: EmbeddingClientOptions) {}

  async embed(encoder: EncoderId, texts: EmbedTextItem[], options: EmbedBatchOptions = {}): Promise<EmbedSummary> {
    const answer = await this.ask((id) => ({ type: 'embed', id, encoder, texts, first: [] }), texts, options);
    if (answer.type !== 'done') throw new ContextscopeError('internal', 'The embedding worker answered another question.');
    return answer.summary;
  }

  /** The trial run of a model that is not stored yet. */
  async probe(model: Blob, tokenizer: Blob, settings: OnnxSettings | null, options: Pick<EmbedBatchOptions, 'signal'> = {}): Promise<OnnxProbe> {
    const answer = await this.ask((id) => ({ type: 'probe', id, model, tokenizer, settings }), [], options);
    if (answer.type !== 'probed') throw new ContextscopeError('internal', 'The embedding worker answered another question.');
    return answer.probe;
  }

  /** Makes a model that the user brought known to this and every later worker. */
  define(files: OwnModelFiles): void {
    if (this.own.has(files.info.id)) return;
    this.own.set(files.info.id, files);
    this.worker?.postMessage({ type: 'define', files } satisfies EmbeddingRequest);
  }

  forget(encoder: EncoderId): void {
    if (this.own.delete(encoder)) this.worker?.postMessage({ type: 'forget', encoder } satisfies EmbeddingRequest);
  }

  private ask(request: (id: number) => EmbeddingRequest, texts: EmbedTextItem[], options: EmbedBatchOptions): Promise<Parameters<Job['resolve']>[0]> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      if (signal?.aborted) return reject(cancelled());
      const id = this.nextId++;
      const onAbort = (): void => this.cancel(id);
      this.jobs.set(id, { texts, options, resolve, reject, done: () => signal?.removeEventListener('abort', onAbort) });
      signal?.addEventListener('abort', onAbort);
      try {
        this.post(request(id));
      } catch (error) {
        this.settle(id, (job) => job.reject(new ContextscopeError('worker', `The embedding worker could not be asked: ${error instanceof Error ? error.message : String(error)}`)));
      }
    });
  }

  /** Ends the worker; batches in work reject with `cancelled`. */
  dispose(): void {
    this.replace(cancelled());
  }

  private post(request: EmbeddingRequest): void {
    if (!this.worker) {
      this.worker = this.start();
      this.worker.postMessage({ type: 'init', baseUrl: this.options.baseUrl } satisfies EmbeddingRequest);
      for (const files of this.own.values()) this.worker.postMessage({ type: 'define', files } satisfies EmbeddingRequest);
    }
    this.worker.postMessage(request);
    this.listen();
  }

  private start(): WorkerEndpoint {
    const worker = this.options.spawn();
    const fail = (event: Event): void => {
      if (worker !== this.worker) return;
      event.preventDefault();
      const said = (event as ErrorEvent).message;
      this.replace(new ContextscopeError('worker', `The embedding worker stopped${said ? `: ${said}` : ''}. What was embedded is kept; try again to go on.`));
    };
    worker.addEventListener('error', fail);
    worker.addEventListener('messageerror', fail);
    worker.addEventListener('message', (event) => {
      if (worker === this.worker) this.receive(dataOf(event) as EmbeddingResponse);
    });
    return worker;
  }

  private receive(response: EmbeddingResponse): void {
    this.listen();
    const job = this.jobs.get(response.id);
    if (!job) return;
    if (response.type === 'progress') job.options.onProgress?.(response);
    else if (response.type === 'rows') {
      const { dim, vectors } = response;
      job.options.onRows?.(Array.from(response.indices, (index, i) => ({ hash: job.texts[index]?.hash ?? '', vector: vectors.slice(i * dim, (i + 1) * dim) })));
    } else if (response.type === 'done' || response.type === 'probed') this.settle(response.id, () => job.resolve(response));
    else if (response.type === 'failed') this.settle(response.id, () => job.reject(new ContextscopeError(response.code, response.message)));
  }

  private cancel(id: number): void {
    const job = this.jobs.get(id);
    if (!job || job.graceTimer !== undefined) return;
    job.graceTimer = setTimeout(() => {
      this.settle(id, () => job.reject(cancelled()));
      this.replace(new ContextscopeError('worker', 'The embedding worker did not stop when asked and was ended. What was embedded is kept; try again to go on.'));
    }, this.options.cancelGraceMs ?? CANCEL_GRACE_MS);
    this.worker?.postMessage({ type: 'cancel', id } satisfies EmbeddingRequest);
  }

  /** Restarts the watch over the worker's silence; it ends with the last batch. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
    if (this.jobs.size === 0) return;
    this.silence = setTimeout(
      () => this.replace(new ContextscopeError('worker', 'The embedding worker has not answered for minutes and was ended. What was embedded is kept; try again to go on.')),
      this.options.silenceMs ?? SILENCE_MS,
    );
  }

  private replace(error: ContextscopeError): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const id of [...this.jobs.keys()]) this.settle(id, (job) => job.reject(error));
  }

  private settle(id: number, how: (job: Job) => void): void {
    const job = this.jobs.get(id);
    if (!job) return;
    this.jobs.delete(id);
    clearTimeout(job.graceTimer);
    job.done();
    if (this.jobs.size === 0) this.listen();
    how(job);
  }
}

function cancelled(): ContextscopeError {
  return new ContextscopeError('cancelled', 'Cancelled.');
}
