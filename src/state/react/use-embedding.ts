import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { encoderById, isBundled } from '../../core/embedding/registry';
import type { BundledEncoderId, EncoderId } from '../../core/embedding/types';
import type { OpenLine } from '../../workers/api';
import { runJob } from '../jobs';
import { useApp } from './app-context';
import { lineKey } from './use-run-data';

/** Instant; shown until the chosen encoder has finished. */
const FIRST: EncoderId = 'static-minilm-384@1';
export const STAND_IN_ENCODER = FIRST;

export interface Embedding {
  /** The best encoder whose vectors are complete: the chosen one, else the static one, else null. */
  ready: EncoderId | null;
  chosen: EncoderId;
  /** Texts (blocks, goals, actions) of the encoder that is running now or ran last. */
  done: number;
  total: number;
  running: boolean;
  /** Bytes of the encoder's model read so far, while it is loaded; null = it is there, or not asked for. */
  model: { done: number; total: number } | null;
  /** Cancelled by the user: what was finished is kept; `resume` goes on. */
  paused: boolean;
  error: Error | null;
  /** What the encoder has no vectors for, in words; null = nothing. */
  note: string | null;
  resume: () => void;
}

interface State { key: string; ready: EncoderId | null; done: number; total: number; running: boolean; model: Embedding['model']; paused: boolean; error: Error | null; note: string | null }

/**
 * Embeds the open line: the static encoder first (seconds), then the chosen one in the background. Vectors are cached
 * by the workbench, so switching back costs nothing. `start` false waits, so that the first replay comes first.
 */
export function useEmbedding(line: OpenLine | undefined, chosen: EncoderId, firstBlocks: number[], start: boolean): Embedding {
  const { workbench, jobs } = useApp();
  const [attempt, setAttempt] = useState(0);
  const key = line === undefined ? '' : `${lineKey(line)} ${chosen}`;
  const total = line?.interactionBlocks.length ?? 0;
  const fresh: State = { key, ready: null, done: 0, total, running: start, model: null, paused: false, error: null, note: null };
  const [state, setState] = useState<State>(fresh);
  // An effect event: firstBlocks is only a hint of where to begin, a moved playhead must not start the work again.
  const run = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    if (line === undefined) return;
    const update = (change: Partial<State>): void => {
      if (!signal.aborted) setState((before) => ({ ...(before.key === key ? before : { ...fresh, key }), ...change }));
    };
    try {
      for (const encoder of chosen === FIRST ? [FIRST] : [FIRST, chosen]) {
        update({ done: 0, total, running: true, model: null, paused: false, error: null });
        const result = await runJob(jobs, `Embedding blocks · ${encoderTitle(encoder)}`, (options) => workbench.embed(line, encoder, firstBlocks, {
          signal: options.signal,
          onProgress: (progress) => {
            options.onProgress({ ...progress, label: `${progress.label} · ${encoderTitle(encoder)}` });
            // Loading the model comes first and counts bytes; only texts say how far the vectors are.
            if (progress.unit === 'bytes') update({ model: { done: progress.done, total: progress.total } });
            else update({ model: null, done: progress.done, total: Number.isNaN(progress.total) ? total : progress.total });
          },
        }), signal);
        if (result === undefined) return update({ running: false, model: null, paused: true });
        update({ ready: encoder, model: null, done: result.done, total: result.total, note: result.note ?? null });
      }
      update({ running: false });
    } catch (error) {
      update({ running: false, model: null, error: error instanceof Error ? error : new Error(String(error)) });
    }
  });
  useEffect(() => {
    if (key === '' || !start || total === 0) return;
    const controller = new AbortController();
    void run(controller.signal);
    return () => controller.abort();
  }, [key, start, attempt, total]);
  const now = state.key === key ? state : fresh;
  const resume = useCallback(() => setAttempt((n) => n + 1), []);
  const { ready, done, total: of, model, paused, error, note } = now;
  const running = now.running && total > 0;
  return useMemo(() => ({ ready, chosen, done, total: of, running, model, paused, error, note, resume }), [ready, chosen, done, of, running, model, paused, error, note, resume]);
}

const TITLES: Record<BundledEncoderId, string> = {
  'static-minilm-384@1': 'static',
  'minilm-l6-v2-int8@1': 'MiniLM int8',
  'minilm-l6-v2-f32@1': 'MiniLM f32',
  'minilm-l6-v2-int8-all@1': 'MiniLM int8, all layers',
  'hashed-1024@1': 'hashed',
};

export function encoderTitle(id: EncoderId): string {
  if (isBundled(id)) return TITLES[id];
  try {
    return encoderById(id).title;
  } catch {
    // In a link, from another browser.
    return `${id}, not here`;
  }
}
