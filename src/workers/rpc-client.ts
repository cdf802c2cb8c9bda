import { ContextscopeError } from '../core/base/errors';
import { dataOf, type WorkerEndpoint } from './endpoint';
import { NewestWins } from './newest-wins';
import { PieceCollector } from './pieces';
import { fromWireError, type FromWorker, type ToWorker } from './protocol';

export interface CallOptions {
  signal?: AbortSignal;
  onEvent?: (name: string, value: unknown) => void;
  transfer?: Transferable[];
  /** Calls of one lane: at most one runs and one waits; a newer one makes the older reject with `cancelled`. */
  lane?: string;
}

export interface RpcClientOptions {
  /** For messages, e.g. "analysis". */
  name: string;
  spawn: () => WorkerEndpoint;
  /** A worker that answers no ping for so long is hung. A long stretch of honest work must fit in. */
  hangMs?: number;
  /** After a cancel the worker must answer the call within this time, or it is replaced. */
  cancelGraceMs?: number;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onEvent?: (name: string, value: unknown) => void;
  graceTimer?: ReturnType<typeof setTimeout>;
  pieces?: PieceCollector;
  done(): void;
}

const HANG_MS = 60_000;
const CANCEL_GRACE_MS = 15_000;
const PINGS_TO_HANG = 4;

/**
 * Calls methods of one worker. Every call settles: when the worker fails to load, dies, hangs or cannot be understood,
 * all pending calls reject with `worker` and the next call starts a new worker. The worker starts at the first call.
 */
export class RpcClient {
  private worker: WorkerEndpoint | undefined;
  private readonly pending = new Map<number, Pending>();
  private readonly lanes = new NewestWins();
  private nextId = 1;
  /** Pings in a row without an answer. Counted, not timed: a laptop that slept must not end its workers. */
  private missedPings = 0;
  private watch: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: RpcClientOptions) {}

  call(method: string, args: unknown[], options: CallOptions = {}): Promise<unknown> {
    const { lane, signal } = options;
    return lane === undefined ? this.send(method, args, options) : this.lanes.run(lane, (newer) => this.send(method, args, { ...options, signal: signal ? AbortSignal.any([signal, newer]) : newer }));
  }

  /** Has a worker that may hold state? */
  get started(): boolean {
    return this.worker !== undefined;
  }

  /** Ends the worker; pending calls reject with `cancelled`. A later call starts a new one. */
  dispose(): void {
    this.replace(new ContextscopeError('cancelled', `The ${this.options.name} worker was closed.`));
  }

  private send(method: string, args: unknown[], { signal, onEvent, transfer = [] }: CallOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      const id = this.nextId++;
      const onAbort = (): void => this.cancel(id);
      this.pending.set(id, { resolve, reject, onEvent, done: () => signal?.removeEventListener('abort', onAbort) });
      signal?.addEventListener('abort', onAbort);
      try {
        this.post({ type: 'call', id, method, args }, transfer);
      } catch (error) {
        // Arguments that cannot be cloned, or a worker that cannot be started.
        this.settle(id, (call) => call.reject(new ContextscopeError('worker', `The ${this.options.name} worker could not be asked: ${error instanceof Error ? error.message : String(error)}`)));
      }
    });
  }

  private post(message: ToWorker, transfer: Transferable[]): void {
    if (!this.worker) this.start();
    this.worker!.postMessage(message, transfer);
    this.watch ??= setInterval(() => this.checkLife(), Math.max(10, (this.options.hangMs ?? HANG_MS) / PINGS_TO_HANG));
  }

  private start(): void {
    const worker = this.options.spawn();
    this.worker = worker;
    this.missedPings = 0;
    const fail = (what: string) => (event: Event): void => {
      if (worker !== this.worker) return;
      event.preventDefault();
      const said = (event as ErrorEvent).message;
      this.replace(new ContextscopeError('worker', `The ${this.options.name} worker ${what}${said ? `: ${said}` : ''}. A new one will take over; try again.`));
    };
    worker.addEventListener('error', fail('stopped'));
    worker.addEventListener('messageerror', fail('sent a message that could not be read'));
    worker.addEventListener('message', (event) => {
      if (worker === this.worker) this.receive(dataOf(event) as FromWorker);
    });
  }

  private receive(message: FromWorker): void {
    this.missedPings = 0;
    switch (message.type) {
      case 'result':
        return this.settle(message.id, (call) => call.resolve(call.pieces ? call.pieces.join(message.value) : message.value));
      case 'piece': {
        const call = this.pending.get(message.id);
        if (call) (call.pieces ??= new PieceCollector()).add(message.piece);
        return;
      }
      case 'error':
        return this.settle(message.id, (call) => call.reject(fromWireError(message.error)));
      case 'event':
        return this.pending.get(message.id)?.onEvent?.(message.name, message.value);
      case 'unreadable':
        return this.replace(new ContextscopeError('worker', `The ${this.options.name} worker could not read a request.`));
      case 'pong':
    }
  }

  /** Asks the worker to end a call; if it does not, the worker is hung and replaced. */
  private cancel(id: number): void {
    const call = this.pending.get(id);
    if (!call || call.graceTimer !== undefined) return;
    call.graceTimer = setTimeout(() => this.replace(new ContextscopeError('worker', `The ${this.options.name} worker did not stop when asked and was ended.`), id), this.options.cancelGraceMs ?? CANCEL_GRACE_MS);
    this.worker?.postMessage({ type: 'cancel', id } satisfies ToWorker);
  }

  private checkLife(): void {
    if (this.pending.size === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
      return;
    }
    const hangMs = this.options.hangMs ?? HANG_MS;
    if (++this.missedPings > PINGS_TO_HANG) {
      this.replace(new ContextscopeError('worker', `The ${this.options.name} worker has not answered for ${Math.round(hangMs / 1000)} s and was ended. Try again.`));
    } else this.worker?.postMessage({ type: 'ping' } satisfies ToWorker);
  }

  /** Ends the worker and settles everything: the call that was cancelled with `cancelled`, the others with `error`. */
  private replace(error: ContextscopeError, cancelledId?: number): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const id of [...this.pending.keys()]) this.settle(id, (call) => call.reject(id === cancelledId ? cancelled() : error));
  }

  private settle(id: number, how: (call: Pending) => void): void {
    const call = this.pending.get(id);
    if (!call) return;
    this.pending.delete(id);
    clearTimeout(call.graceTimer);
    call.done();
    how(call);
    if (this.pending.size === 0) {
      clearInterval(this.watch);
      this.watch = undefined;
    }
  }
}

function cancelled(): ContextscopeError {
  return new ContextscopeError('cancelled', 'Cancelled.');
}
