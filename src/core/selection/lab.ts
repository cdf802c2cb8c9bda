/**
 * One part of the laboratory at one checkpoint, as the Selectors tab shows it and `select --lab` prints it: the K sweep,
 * the τ sweep, the ablations, the controlled replacement, or what would be added next (gem.md §6, §11, §14; paper Tables 2, D.2–D.4).
 */
import { columnMeans } from '../numerics/column-means';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { capacityAt, type Capacity } from './capacity';
import { naturalCore, type CheckpointView } from './checkpoint-view';
import { measure } from './measured';
import { nextUp, type NextUp } from './next-up';
import type { EffectName } from './replacement';
import { ablationTable, capacitySweep, chosen, replacementAt, targetSweep, SWEPT_CAPACITIES, type AblationRow, type CapacitySweepRow, type TargetSweepRow } from './sweeps';
import type { EncoderInfo, SelectionMetrics, StopReason } from './types';

export const LAB_PARTS = ['capacity', 'target', 'ablation', 'replacement', 'ranking'] as const;
export type LabPart = (typeof LAB_PARTS)[number];

export interface LabSettings {
  /** First N interaction blocks. */
  checkpoint: number;
  /** Message position of the model call whose action is measured; absent = the call of the next block. */
  call?: number;
  /** Of ablations and replacement: as many blocks, or the natural size at τ and K. */
  k: number | 'auto';
  tau: number;
  capacity?: Capacity;
  seed: number;
  /** Of the K sweep. */
  selectors: string[];
  /** Sweep K up to ⌈0.45 n⌉ instead of the paper's 8…20. */
  wide?: boolean;
}

/** Values of τ on the page: the paper's three and their neighbours, so that a curve can be drawn. */
export const LAB_TARGETS: readonly number[] = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99];
/** Blocks of the residual ranking. */
const RANKED = 12;
/** Values of K in a wide sweep, at most so many. */
const WIDE_POINTS = 16;

/** A block of the replacement: what it is matched by, and its text. */
export interface ComparedBlock { index: number; alpha: number; age: number; chars: number; similarity: number; text?: string }

export interface ReplacementPart {
  part: 'replacement';
  /** Size of gem's set and why it stopped; 'fixed' at a given k. */
  k: number;
  stop: StopReason;
  r90: number;
  /** Median alignment of the kept blocks: the matched block lies at or below it. */
  medianAlpha: number | null;
  targeted: ComparedBlock | null;
  matched: ComparedBlock | null;
  replacement: ComparedBlock | null;
  effects: Record<EffectName, number> | null;
  arms: { targeted: Record<EffectName, number>; matched: Record<EffectName, number> } | null;
  /** Metrics of the whole set, before anything is removed. */
  before: SelectionMetrics;
  /** Why there is no pair; null = there is one. */
  reason: string | null;
}

export type LabContent =
  | { part: 'capacity'; rows: CapacitySweepRow[] }
  | { part: 'target'; capacity: number; rows: TargetSweepRow[] }
  | { part: 'ablation'; k: number; rows: AblationRow[] }
  | ReplacementPart
  /** `k`, `stop`: of gem's set; `candidates`: blocks that would still add a direction. */
  | { part: 'ranking'; k: number; stop: StopReason; coverage: number; candidates: number; rows: NextUp[] };

export type LabReport = { encoder: EncoderInfo; checkpoint: number; protected: number } & LabContent;

/** Capacities of a K sweep: the paper's, or up to ⌈0.45 n⌉ (at least 20) in even steps. */
export function labCapacities(n: number, wide = false): number[] {
  const most = Math.max(20, capacityAt('scaled', n));
  if (!wide || most <= 20) return [...SWEPT_CAPACITIES];
  const steps = Array.from({ length: WIDE_POINTS }, (_, i) => Math.round(8 + (i * (most - 8)) / (WIDE_POINTS - 1)));
  return [...new Set([...steps, 16])].sort((a, b) => a - b);
}

/** `textOf`: selection text of a block, for the two that are shown side by side. Throws RangeError for an unknown selector. */
export function buildLab(view: CheckpointView, encoder: EncoderInfo, part: LabPart, settings: LabSettings, textOf?: (index: number) => string | undefined): LabReport {
  const n = view.rows.rows;
  const head = { encoder, checkpoint: n, protected: view.protection.all.length };
  const capacity = capacityAt(settings.capacity, n);
  if (part === 'capacity') return { ...head, part, rows: capacitySweep(view, settings.selectors, labCapacities(n, settings.wide)) };
  if (part === 'target') return { ...head, part, capacity, rows: targetSweep(view, LAB_TARGETS, capacity) };
  const core = naturalCore(view, capacity, settings.tau);
  const k = settings.k === 'auto' ? core.kept.length : Math.min(settings.k, n);
  if (part === 'ablation') return { ...head, part, k, rows: ablationTable(view, k) };
  const kept = settings.k === 'auto' ? core.kept : chosen(view, 'gem', k);
  const stop = settings.k === 'auto' ? core.stop : 'fixed';
  if (part === 'ranking') {
    const { rows, coverage, candidates } = nextUp(view.rows, kept, RANKED);
    return { ...head, part, k: kept.length, stop, coverage, candidates, rows };
  }
  return { ...head, ...replacementPart(view, kept, stop, textOf) };
}

function replacementPart(view: CheckpointView, kept: readonly number[], stop: StopReason, textOf?: (index: number) => string | undefined): ReplacementPart {
  const { rows, sizes } = view;
  const found = replacementAt(view, kept);
  const similarities = rowsTimesVector(rows, columnMeans(rows), new Float64Array(rows.rows));
  const block = (index: number | null | undefined): ComparedBlock | null => {
    if (index === null || index === undefined || !found) return null;
    const text = textOf?.(index);
    return { index, alpha: found.alpha[index]!, age: rows.rows - 1 - index, chars: sizes[index]!.chars, similarity: similarities[index]!, ...(text === undefined ? {} : { text }) };
  };
  const alphas = found ? kept.map((i) => found.alpha[i]!).sort((a, b) => a - b) : [];
  const half = alphas.length >> 1;
  return {
    part: 'replacement', k: kept.length, stop, r90: found?.r90 ?? 0,
    medianAlpha: alphas.length === 0 ? null : alphas.length % 2 === 1 ? alphas[half]! : (alphas[half - 1]! + alphas[half]!) / 2,
    targeted: block(found?.targeted), matched: block(found?.matched), replacement: block(found?.replacement),
    effects: found?.effects ?? null, arms: found?.arms ?? null, before: measure(view, kept),
    reason: noPair(found, kept.length),
  };
}

function noPair(found: ReturnType<typeof replacementAt>, kept: number): string | null {
  if (!found) return kept === 0 ? 'Nothing is kept here.' : 'There is no next action with a vector here, so nothing can be aligned with it.';
  if (found.matched === null) return 'No other kept block lies at or below the median alignment.';
  if (found.replacement === null) return 'Every block that could take the place is kept already or among the nearest three to the next action.';
  return null;
}
