/**
 * Selection (gem.md): which interaction blocks each selector keeps at a checkpoint, and the geometry of the history.
 * `SelectReport` is the JSON of `select` (cli.md) field by field; the page shows the same object.
 */
import type { Capacity } from './capacity';

export interface EncoderInfo { id: string; dim: number; sha256: string | null }

export interface InteractionBlockInfo {
  index: number;
  messageIndices: number[];
  chars: number;
  tokens: number;
  /** SHA-256 of the selection text. */
  hash: string;
  selectionText?: string;
}

export interface ControlBand { erank: number[]; r90: number[]; seed: number }

export interface SpectrumReport {
  /** σ² of the centred matrix, descending. */
  energy: number[];
  erank: number;
  erankSingular: number;
  r90: number;
  r90Share: number;
  featureShift: ControlBand;
  gaussian: ControlBand;
}

export type ProtectionGroup = 'recent' | 'goal' | 'state' | 'error' | 'source';
export const PROTECTION_GROUPS: readonly ProtectionGroup[] = ['recent', 'goal', 'state', 'error', 'source'];

export interface Pick { index: number; residual: number; coverage: number }

export interface SelectionMetrics {
  top3: number | null;
  /** Top-3 among the blocks older than the newest W_r: it cannot be had by keeping the newest. */
  top3Older: number | null;
  actionProjection: number | null;
  finalProjection: number | null;
  goalProjection: number | null;
  centroid: number | null;
  coverage: number;
  tokens: number;
  chars: number;
}

export type StopReason = 'coverage' | 'capacity' | 'exhausted' | 'fixed' | 'unchanged';

export interface SelectorResult {
  selector: string;
  kept: number[];
  picks: Pick[];
  stop: StopReason;
  reason: string | null;
  metrics: SelectionMetrics;
}

export interface SelectReport {
  file: string;
  encoder: EncoderInfo;
  checkpoint: number;
  /** Effective k used for every selector at the matched budget. */
  k: number;
  /** Most tokens of every selector but gem; only where matched by tokens. */
  matchedTokens?: number;
  blocks: InteractionBlockInfo[];
  spectrum: SpectrumReport | null;
  protected: Record<ProtectionGroup, number[]>;
  /** Why a block is protected: index → one sentence a rule. */
  protectedWhy: Record<string, string[]>;
  /** Indices nearest to the recorded next action; used for measuring only. */
  nextActionTop3: number[];
  selectors: SelectorResult[];
}

/** `tokens`: at most as many as gem's set holds (token-match.ts). */
export type SelectMatch = 'count' | 'tokens';

export type SelectMode = 'core' | 'guarded' | 'cumulative';

export interface SelectSettings {
  /** First N interaction blocks. */
  checkpoint: number;
  /** Message position of the model call whose action is measured (`--step`); absent = the call of the next block. */
  call?: number;
  k: number | 'auto';
  tau: number;
  selectors: string[];
  mode: SelectMode;
  seed: number;
  texts?: boolean;
  /** Nominal capacity K of gem with `k: 'auto'`; 16 when absent, ⌈0.45 n⌉ when 'scaled'. */
  capacity?: Capacity;
  /** What the others have in common with gem: the number of blocks (absent) or the tokens of their texts. */
  match?: SelectMatch;
  /** Also return a request unchanged when a call in it has no result. */
  strict?: boolean;
}

/** Least and largest value over the control draws at each rank (index 0 = the strongest direction), share of energy 0 … 1. */
export interface CurveBand { low: number[]; high: number[] }

/** Geometry of the history up to a checkpoint, for the Geometry tab. */
export interface GeometryReport {
  encoder: EncoderInfo;
  checkpoint: number;
  spectrum: SpectrumReport;
  /** Greedy coverage E after 1, 2, … picks, and the Eckart–Young ceiling at the same ranks. */
  coverage: number[];
  ceiling: number[];
  /** Share of next-action energy by rank band 0–10, 10–25, 25–50, 50–75, 75–100 %; null when there is no next action. */
  rankBands: number[] | null;
  /** First two principal coordinates of every block (row-major, n × 2). */
  map: number[];
  /** Cumulative share of energy of the control draws; absent = only their effective ranks and r90 are known. */
  controlCurves?: { featureShift: CurveBand; gaussian: CurveBand };
}

/** Effective rank and r90/n at growing prefixes, for the chart over time. */
export interface GeometryOverTime { checkpoints: number[]; erank: number[]; r90Share: number[]; shiftErank: number[] }
