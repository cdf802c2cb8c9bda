/**
 * Online forwarding (gem.md §8, Algorithm 1) replayed over the recorded requests: what each request would have carried.
 * A request sees only what stands before it.
 */
import { sha256Hex } from '../base/sha256';
import { firstRows, type Matrix } from '../numerics/matrix';
import { complete, type Completion } from './completion';
import { CAPACITY, COVERAGE_TARGET, DELETION_GUARD, MIN_BLOCKS, RESELECT_AFTER } from './constants';
import type { BlockDetection } from './detect-block';
import { protect } from './protection';
import { PROTECTION_GROUPS, type ProtectionGroup, type SelectMode } from './types';

/** One recorded model call. */
export interface ForwardRequest {
  /** Message position of the call. */
  position: number;
  /** Blocks complete before it. */
  n: number;
  /** Code points of the messages before it that are in no block. */
  prefixChars: number;
  goalText: string;
  goal: Float64Array | null;
  stateQueryText: string;
  stateQuery: Float64Array | null;
}

export interface ForwardSettings {
  mode: SelectMode;
  capacity?: number;
  /** K grows with the run: at least this share of the blocks so far (gem.md §13); 0 = K alone. */
  capacityShare?: number;
  tau?: number;
  delta?: number;
  minBlocks?: number;
  reselectAfter?: number;
  groups?: readonly ProtectionGroup[];
}

/** 'short' = fewer than the minimum of blocks; 'append' = no selection, new blocks added; 'each' = core mode. */
export type ForwardEvent = 'short' | 'first' | 'goal' | 'count' | 'each' | 'append';

export interface ForwardStep {
  position: number;
  n: number;
  event: ForwardEvent;
  protected: number[];
  /** Selected core B in index order; null where none was made. */
  core: number[] | null;
  completion: Completion | null;
  /** Forwarded blocks S in index order. */
  forwarded: number[];
  /** L of the whole request and of what is forwarded, code points. */
  fullChars: number;
  forwardedChars: number;
}

export interface ForwardingRun {
  /** Unit rows of all blocks. */
  rows: Matrix;
  detections: readonly BlockDetection[];
  /** Uncut length of each block's text, code points. */
  sizes: readonly number[];
  requests: readonly ForwardRequest[];
}

export function replayForwarding(run: ForwardingRun, settings: ForwardSettings): ForwardStep[] {
  const forwarder = new Forwarder(run, settings);
  return run.requests.map((request) => forwarder.next(request));
}

/** Completes a start set over the first n rows; the rule of `completion.ts` where a caller has no quicker way to it. */
export type CompleteRule = (rows: Matrix, start: readonly number[], limits: { capacity: number; tau: number }) => Completion;

interface Saved { forwarded: number[]; n: number; goalHash: string; selectedAt: number }

/** The algorithm, request by request. */
export class Forwarder {
  private saved: Saved | null = null;
  private readonly settings: Required<Omit<ForwardSettings, 'delta'>> & { delta: number };

  constructor(private readonly run: Pick<ForwardingRun, 'rows' | 'detections' | 'sizes'>, settings: ForwardSettings, private readonly completeBy: CompleteRule = complete) {
    const { minBlocks = MIN_BLOCKS, reselectAfter = RESELECT_AFTER, capacity = CAPACITY, capacityShare = 0, tau = COVERAGE_TARGET, groups = PROTECTION_GROUPS, mode } = settings;
    this.settings = { mode, minBlocks, reselectAfter, capacity, capacityShare, tau, groups, delta: mode === 'core' ? 1 : (settings.delta ?? DELETION_GUARD) };
  }

  next(request: ForwardRequest): ForwardStep {
    const { run, saved } = this;
    const { mode, minBlocks, reselectAfter, capacity, capacityShare, tau, delta, groups } = this.settings;
    const { n, prefixChars: prefix } = request;
    const everything = indices(0, n);
    const length = (set: Iterable<number>): number => prefix + sum(run.sizes, set);
    const fullChars = length(everything);
    const base = { position: request.position, n, fullChars };
    if (n < minBlocks) {
      return { ...base, event: 'short', protected: [], core: null, completion: null, forwarded: everything, forwardedChars: fullChars };
    }
    const rows = firstRows(run.rows, n);
    const kept = protect({ ...request, rows, detections: run.detections }, groups).all;
    const goalHash = sha256Hex(request.goalText);
    const event = eventOf(saved, goalHash, n, reselectAfter, mode);
    let completion: Completion | null = null;
    let forwarded: Set<number>;
    if (event === 'append') {
      forwarded = new Set([...saved!.forwarded, ...indices(saved!.n, n), ...kept]);
    } else {
      completion = this.completeBy(rows, kept, { capacity: Math.max(capacity, Math.ceil(capacityShare * n)), tau });
      const from = mode === 'cumulative' && saved ? [...saved.forwarded, ...indices(saved.n, n), ...completion.kept] : everything;
      forwarded = removeWithinGuard(new Set(from), new Set(completion.kept), run.sizes, prefix, delta);
    }
    const list = [...forwarded].sort((a, b) => a - b);
    this.saved = { forwarded: list, n, goalHash, selectedAt: event === 'append' ? saved!.selectedAt : n };
    return {
      ...base, event, protected: kept, completion, forwarded: list, forwardedChars: length(list),
      core: completion ? [...completion.kept].sort((a, b) => a - b) : null,
    };
  }
}

function eventOf(saved: Saved | null, goalHash: string, n: number, reselectAfter: number, mode: SelectMode): ForwardEvent {
  if (!saved) return 'first';
  if (saved.goalHash !== goalHash) return 'goal';
  if (n - saved.selectedAt >= reselectAfter) return 'count';
  return mode === 'core' ? 'each' : 'append';
}

/**
 * Lines 9–11: takes blocks outside `core` out of `from`, largest first (ties newer first), while the length stays at
 * least (1 − δ) of what it was; a block that would go below is skipped, not the end.
 */
export function removeWithinGuard(from: ReadonlySet<number>, core: ReadonlySet<number>, sizes: readonly number[], prefixChars: number, delta: number): Set<number> {
  const left = new Set(from);
  const full = prefixChars + sum(sizes, from);
  let current = full;
  const removable = [...from].filter((i) => !core.has(i)).sort((a, b) => sizes[b]! - sizes[a]! || b - a);
  for (const i of removable) {
    if (current - sizes[i]! < (1 - delta) * full) continue;
    current -= sizes[i]!;
    left.delete(i);
  }
  return left;
}

function indices(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k);
}

function sum(sizes: readonly number[], set: Iterable<number>): number {
  let total = 0;
  for (const i of set) total += sizes[i]!;
  return total;
}
