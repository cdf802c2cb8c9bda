import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ReplayRequest } from '../../core/workspace/types';
import type { OpenLine, ReplayOutcome } from '../../workers/api';
import { runJob } from '../jobs';
import { useApp } from './app-context';
import { lineKey } from './use-run-data';

/** One of the replays wanted; `slot` is where its result stands, whatever the budget. */
export interface WantedReplay { slot: string; request: ReplayRequest }
export interface HeldOutcome { outcome: ReplayOutcome; /** Is it of the request that is wanted now? */ current: boolean }

export interface Replays {
  /** By slot: the newest there is, so that nothing is empty while newer ones are computed. */
  outcomes: ReadonlyMap<string, HeldOutcome>;
  state: 'running' | 'done' | 'cancelled' | 'failed';
  error: Error | null;
  /** Goes on after a cancel or failure; what was finished is not computed again. */
  resume: () => void;
}

interface Held { scope: string; outcomes: Map<string, { key: string; outcome: ReplayOutcome }>; settled: { key: string; how: 'done' | 'cancelled' | 'failed'; error: Error | null } | null }
const NONE: Held['outcomes'] = new Map();
const nothing = (scope: string): Held => ({ scope, outcomes: NONE, settled: null });

/** A dragged dial asks for dozens of budgets; only one it rests on is computed. */
const REST_MS = 140;
/** Results that arrive within one frame or two are drawn together. */
const GATHER_MS = 50;

/** Many replays as one listed, cancellable job; results come in as they are made, newest request wins. */
export function useReplays(line: OpenLine, label: string, wanted: readonly WantedReplay[], strips: boolean): Replays {
  const { workbench, jobs } = useApp();
  const scope = lineKey(line);
  const key = JSON.stringify(wanted.map(({ request }) => request));
  const [attempt, setAttempt] = useState(0);
  const [stored, setHeld] = useState<Held>(() => nothing(scope));
  const held = stored.scope === scope ? stored : nothing(scope);

  const run = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    const change = (next: (before: Held) => Held): void => setHeld((before) => next(before.scope === scope ? before : nothing(scope)));
    let waiting: [string, { key: string; outcome: ReplayOutcome }][] = [];
    let timer: ReturnType<typeof setTimeout> | null = null;
    const flush = (): void => {
      const arrived = waiting;
      waiting = [];
      timer = null;
      if (arrived.length > 0 && !signal.aborted) change((before) => ({ ...before, outcomes: new Map([...before.outcomes, ...arrived]) }));
    };
    const settle = (how: 'done' | 'cancelled' | 'failed', error: Error | null = null): void => {
      if (timer !== null) clearTimeout(timer);
      flush();
      if (!signal.aborted) change((before) => ({ ...before, settled: { key, how, error } }));
    };
    // What is here already is not asked for again: the order may change, or a cancelled job go on.
    const missing = wanted.filter(({ slot, request }) => held.outcomes.get(slot)?.key !== JSON.stringify(request));
    if (missing.length === 0) return settle('done');
    change((before) => ({ ...before, settled: null }));
    try {
      const done = await runJob(jobs, label, (options) => workbench.replayMany(line, missing.map(({ request }) => request), {
        strips, signal: options.signal,
        onProgress: (progress) => options.onProgress({ ...progress, label }),
        onOutcome: (index, outcome) => {
          const slot = missing[index]?.slot;
          if (slot === undefined) return;
          waiting.push([slot, { key: JSON.stringify(outcome.request), outcome }]);
          timer ??= setTimeout(flush, GATHER_MS);
        },
      }), signal);
      settle(done === undefined ? 'cancelled' : 'done');
    } catch (error) {
      settle('failed', error instanceof Error ? error : new Error(String(error)));
    }
  });
  const isIdle = wanted.length === 0;
  const isFirst = held.outcomes.size === 0;
  const restMs = useEffectEvent(() => (isFirst ? 0 : REST_MS));
  useEffect(() => {
    if (isIdle) return;
    const controller = new AbortController();
    const timer = setTimeout(() => void run(controller.signal), restMs());
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [scope, key, strips, attempt, isIdle]);

  const { outcomes: heldOutcomes } = held;
  const outcomes = useMemo(() => {
    const wantedKeys = new Map(wanted.map(({ slot, request }) => [slot, JSON.stringify(request)]));
    return new Map([...heldOutcomes].flatMap(([slot, { key: of, outcome }]) => {
      const now = wantedKeys.get(slot);
      return now === undefined ? [] : [[slot, { outcome, current: of === now }] as const];
    }));
  }, [heldOutcomes, wanted]);
  const settled = held.settled?.key === key ? held.settled : null;
  const resume = useCallback(() => setAttempt((n) => n + 1), []);
  return { outcomes, state: isIdle ? 'done' : (settled?.how ?? 'running'), error: settled?.error ?? null, resume };
}
