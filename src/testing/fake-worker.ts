import { serveRpc, type Handlers } from '../workers/rpc-server';
import type { Endpoint, WorkerEndpoint } from '../workers/endpoint';

type Listener = (event: Event) => void;

export interface FakeWorker extends WorkerEndpoint {
  readonly terminated: boolean;
  /** The script threw outside a call, or did not load. */
  crash(message: string): void;
  /** A message that could not be deserialised arrived at the page. */
  garble(): void;
  close(): void;
}

/** A worker on this thread: messages go through a real channel and are cloned. `serve` runs on the far side. */
export function fakeWorker(serve: (scope: Endpoint) => void): FakeWorker {
  const { port1, port2 } = new MessageChannel();
  const listeners: Record<string, Listener[]> = { error: [], messageerror: [] };
  let terminated = false;
  serve({
    postMessage: (message, transfer) => port2.postMessage(message, transfer ?? []),
    addEventListener: (type, listener) => port2.addEventListener(type, listener),
  });
  port2.start();
  port1.start();
  const raise = (type: string, extra: object): void => {
    const event = Object.assign(new Event(type, { cancelable: true }), extra);
    listeners[type]?.forEach((listener) => listener(event));
  };
  const close = (): void => {
    port1.close();
    port2.close();
  };
  return {
    get terminated() {
      return terminated;
    },
    postMessage: (message, transfer) => port1.postMessage(message, transfer ?? []),
    addEventListener: (type, listener) => {
      if (type === 'message') port1.addEventListener('message', listener);
      else listeners[type]?.push(listener);
    },
    terminate: () => {
      terminated = true;
      close();
    },
    crash: (message) => raise('error', { message }),
    garble: () => raise('messageerror', {}),
    close,
  };
}

export function fakeRpcWorker(handlers: Handlers): FakeWorker {
  return fakeWorker((scope) => serveRpc(scope, handlers));
}

/** A worker that takes everything and answers nothing. */
export function hungWorker(): FakeWorker {
  return fakeWorker(() => undefined);
}
