/** Calls into a worker that works on one thing at a time: method and arguments in, a value or an error's text out. */
interface Call { call: string; args: unknown[] }
interface Answer { value?: unknown; error?: string }
type Handlers = Record<string, (...args: never[]) => unknown>;

interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<Call>) => void): void;
  postMessage(answer: Answer): void;
}

export function answerCalls(handlers: Handlers): void {
  // The DOM library types `self` as a window.
  const scope = self as unknown as Scope;
  scope.addEventListener('message', ({ data: { call, args } }) => {
    const run = async (): Promise<unknown> => handlers[call]!(...(args as never[]));
    run().then(
      (value) => scope.postMessage({ value }),
      (error: unknown) => scope.postMessage({ error: error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error) }),
    );
  });
}

/** One call after the other. */
export function askWorker(worker: Worker): (call: string, args: unknown[]) => Promise<unknown> {
  return (call, args) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Answer>) => (data.error === undefined ? resolve(data.value) : reject(new Error(data.error)));
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage({ call, args } satisfies Call);
    });
}
