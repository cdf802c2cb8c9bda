/** The side of a Worker, a worker's own scope or a MessagePort that calls need. Tests use MessageChannel. */
export interface Endpoint {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: 'message' | 'messageerror' | 'error', listener: (event: Event) => void): void;
}

/** A worker that can be ended from outside. */
export interface WorkerEndpoint extends Endpoint { terminate(): void }

export function dataOf(event: Event): unknown {
  return (event as MessageEvent<unknown>).data;
}
