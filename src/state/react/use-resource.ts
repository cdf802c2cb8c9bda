import { startTransition, useCallback, useEffect, useEffectEvent, useState } from 'react';
import { isCancelled } from '../../core/base/errors';

export interface Resource<T> {
  status: 'idle' | 'loading' | 'ready' | 'failed';
  /** The newest finished value; while a newer one loads it is the previous one, so that nothing jumps. */
  value: T | undefined;
  /** Does `value` belong to the current key? */
  current: boolean;
  error: Error | null;
  retry: () => void;
}

interface Settled<T> { key: string; value: T | undefined; error: Error | null }

/**
 * A value that is loaded for a key, newest wins: results of older keys are dropped and their signal is aborted.
 * `scope` is what a previous value may outlive: when it changes (another run), the old value goes at once.
 * `load` may change every render; only `key` starts it again. A null key loads nothing. `inParts`: what is made of the
 * value takes long (columns of a whole run), so React renders it in slices and other events come in between.
 */
export function useResource<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>, scope = '', inParts = false): Resource<T> {
  const [settled, setSettled] = useState<(Settled<T> & { scope: string }) | null>(null);
  const [attempt, setAttempt] = useState(0);
  const start = useEffectEvent((signal: AbortSignal) => load(signal));
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    start(signal).then(
      (value) => {
        if (signal.aborted) return;
        const settle = (): void => setSettled({ key, scope, value, error: null });
        if (inParts) startTransition(settle);
        else settle();
      },
      (error: unknown) => {
        if (signal.aborted || isCancelled(error)) return;
        setSettled((before) => ({
          key,
          scope,
          value: before?.scope === scope ? before.value : undefined,
          error: error instanceof Error ? error : new Error(String(error)),
        }));
      },
    );
    return () => controller.abort();
  }, [key, scope, attempt, inParts]);
  const retry = useCallback(() => setAttempt((n) => n + 1), []);
  const kept = settled !== null && settled.scope === scope ? settled : null;
  const current = key !== null && kept?.key === key;
  const status = key === null ? 'idle' : !current ? 'loading' : kept?.error ? 'failed' : 'ready';
  return { status, value: kept?.value, current: current && kept?.error === null, error: current ? (kept?.error ?? null) : null, retry };
}
