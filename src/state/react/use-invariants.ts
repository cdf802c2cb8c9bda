import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import type { ReplayRequest } from '../../core/workspace/types';
import type { InvariantOutcome, OpenLine } from '../../workers/api';
import { runJob } from '../jobs';
import { useApp } from './app-context';
import { lineKey } from './use-run-data';

export interface Invariants {
  /** By policy; those of the requests wanted now. */
  outcomes: ReadonlyMap<string, InvariantOutcome>;
  state: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  error: Error | null;
  /** Goes on after a cancel or failure; what was finished is known to the worker. */
  resume: () => void;
}

interface Held { key: string; outcomes: Map<string, InvariantOutcome>; settled: { how: 'done' | 'cancelled' | 'failed'; error: Error | null } | null }

/** The invariants report of some policies as one listed, cancellable job. `enabled` false asks for nothing. */
export function useInvariants(line: OpenLine, requests: readonly ReplayRequest[], everyStep: boolean, enabled: boolean): Invariants {
  const { workbench, jobs } = useApp();
  const key = lineKey(line) + JSON.stringify([requests, everyStep]);
  const [attempt, setAttempt] = useState(0);
  const [stored, setHeld] = useState<Held>({ key: '', outcomes: new Map(), settled: null });
  const held = stored.key === key ? stored : { key, outcomes: new Map<string, InvariantOutcome>(), settled: null };

  const run = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const change = (next: (before: Held) => Held): void => {
      if (!signal.aborted) setHeld((before) => next(before.key === key ? before : { key, outcomes: new Map(), settled: null }));
    };
    const settle = (how: 'done' | 'cancelled' | 'failed', error: Error | null = null): void => change((before) => ({ ...before, settled: { how, error } }));
    change((before) => ({ ...before, settled: null }));
    try {
      const done = await runJob(jobs, 'Checking invariants', (options) => workbench.invariants(line, requests, {
        everyStep, signal: options.signal, onProgress: options.onProgress,
        onOutcome: (_, outcome) => change((before) => ({ ...before, outcomes: new Map([...before.outcomes, [outcome.request.policy, outcome]]) })),
      }), signal);
      settle(done === undefined ? 'cancelled' : 'done');
    } catch (error) {
      settle('failed', error instanceof Error ? error : new Error(String(error)));
    }
  });
  useEffect(() => {
    if (!enabled) return;
    const controller = new AbortController();
    void run(controller.signal);
    return () => controller.abort();
  }, [key, attempt, enabled]);
  const resume = useCallback(() => setAttempt((n) => n + 1), []);
  return { outcomes: held.outcomes, state: !enabled ? 'idle' : (held.settled?.how ?? 'running'), error: held.settled?.error ?? null, resume };
}
