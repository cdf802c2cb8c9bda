/** What went wrong, as a code a caller can switch on. The sentence is for people and may change. */
export type ErrorCode =
  | 'unknown-format'
  | 'bad-record'
  | 'bad-argument'
  | 'not-found'
  | 'cancelled'
  | 'too-large'
  | 'corrupt'
  | 'unsupported'
  | 'storage'
  | 'worker'
  | 'internal';

export interface ErrorPlace {
  file?: string;
  /** 1-based line in a line-based file. */
  line?: number;
  byteOffset?: number;
}

/** An error that helps: `message` says what was expected, what was found, where, and what to do. */
export class ContextscopeError extends Error {
  override readonly name = 'ContextscopeError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly place: ErrorPlace = {},
  ) {
    super(message);
  }
}

/** Throws a `cancelled` error when the signal has fired; call it between slices of long work. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ContextscopeError('cancelled', 'Cancelled.');
}

export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'cancelled');
}
