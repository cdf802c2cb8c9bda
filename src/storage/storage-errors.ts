import { ContextscopeError } from '../core/base/errors';

function names(error: unknown): string[] {
  const found: string[] = [];
  for (let at = error; at instanceof Error || at instanceof DOMException; at = (at as { inner?: unknown }).inner) {
    found.push(at.name);
    if (found.length > 5) break;
  }
  return found;
}

function isQuotaError(error: unknown): boolean {
  // A bulk operation or an aborted transaction carries the reason in its text or its failures.
  const text = error instanceof Error ? error.message : String(error);
  return names(error).includes('QuotaExceededError') || text.includes('QuotaExceededError');
}

/** A storage failure as a sentence for people; our own errors pass unchanged. */
export function storageError(error: unknown): ContextscopeError {
  if (error instanceof ContextscopeError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (isQuotaError(error)) {
    return new ContextscopeError('storage', 'The browser’s storage for this page is full. Forget runs you no longer need, or free disk space, and try again; nothing half-written was kept.');
  }
  if (names(error).some((name) => name === 'DatabaseClosedError' || name === 'InvalidStateError')) {
    return new ContextscopeError('storage', 'The database was closed, because it was deleted or because another tab runs a newer version of the page. Reload this page.');
  }
  return new ContextscopeError('storage', `Storage failed: ${text}`);
}

/** Runs a storage operation; whatever it rejects with becomes a ContextscopeError. */
export async function asStorage<T>(operation: () => PromiseLike<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw storageError(error);
  }
}
