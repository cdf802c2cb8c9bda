import { ContextscopeError } from '../core/base/errors';
import { dataOf, type Endpoint } from './endpoint';
import { splitIntoPieces } from './pieces';
import { toWireError, type FromWorker, type ToWorker } from './protocol';

/** What a handler gets besides its arguments. */
export interface CallContext {
  signal: AbortSignal;
  emit(name: string, value: unknown): void;
}
export type Handler = (context: CallContext, ...args: never[]) => unknown;
export type Handlers = Record<string, Handler>;

/** A result whose buffers move to the caller: this side loses them. */
export class Transferred {
  constructor(readonly value: unknown, readonly transfer: Transferable[]) {}
}

/** A large result: its long arrays are sent one part after the other, so that the page can draw in between. This side keeps it. */
export class InPieces {
  constructor(readonly value: unknown) {}
}

/** Answers calls. A handler may return a value, a promise, `Transferred` or `InPieces`; whatever it throws reaches the caller. */
export function serveRpc(endpoint: Endpoint, handlers: Handlers): void {
  const running = new Map<number, AbortController>();
  const post = (message: FromWorker, transfer: Transferable[] = []): void => endpoint.postMessage(message, transfer);

  async function answer(id: number, method: string, args: unknown[]): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler) throw new ContextscopeError('worker', `This worker has no method "${method}". Reload the page.`);
      const context: CallContext = { signal: controller.signal, emit: (name, value) => post({ type: 'event', id, name, value }) };
      const value = await handler(context, ...(args as never[]));
      // A result that cannot be cloned throws here and is answered as an error.
      if (value instanceof Transferred) post({ type: 'result', id, value: value.value }, value.transfer);
      else if (value instanceof InPieces) {
        const rest = splitIntoPieces(value.value, (piece) => post({ type: 'piece', id, piece }));
        post({ type: 'result', id, value: rest.value }, rest.transfer);
      } else post({ type: 'result', id, value });
    } catch (error) {
      post({ type: 'error', id, error: toWireError(error) });
    } finally {
      running.delete(id);
    }
  }

  endpoint.addEventListener('message', (event) => {
    const message = dataOf(event) as ToWorker;
    if (message.type === 'call') void answer(message.id, message.method, message.args);
    else if (message.type === 'cancel') running.get(message.id)?.abort();
    else if (message.type === 'ping') post({ type: 'pong' });
  });
  endpoint.addEventListener('messageerror', () => post({ type: 'unreadable' }));
}

/** Handlers that call the methods of an object of that name: for services whose methods take no context. */
export function handlersOf(target: object, methods: readonly string[]): Handlers {
  const object = target as Record<string, (...args: never[]) => unknown>;
  return Object.fromEntries(methods.map((name) => [name, (_context: CallContext, ...args: never[]) => object[name]!(...args)]));
}
