/**
 * The seeds' tables over many runs (gem.md §2, §5, §6, §11): a run is mapped to a `RunPart` (JSON, a few kilobytes,
 * no text of the run), and parts are reduced to tables. Parts may be made in any order, on any machine.
 */
import type { PolicyPart } from './policy-part';
import type { SpectrumReport, EncoderInfo, StopReason } from '../selection/types';

export const TABLE_IDS = ['C1', '1', '2', 'D1', 'D2', 'D3', 'D4', 'policies'] as const;
export type TableId = (typeof TABLE_IDS)[number];

/** Raised when a part's numbers change meaning; older parts are made again. */
export const PART_VERSION = 2;

export interface CorpusSettings {
  tables: TableId[];
  /** Streams of the controls, random selectors and bootstrap. */
  seed: number;
  /** Nominal capacity K and coverage target τ of the natural core. */
  capacity: number;
  tau: number;
  /** Draws of each control. */
  controlDraws: number;
  /** Most checkpoints of one run; those of a longer run are thinned evenly, so that no run takes hours. */
  mostCheckpoints: number;
  /** Table 1: only prefixes that are a multiple of this; 1 = all of 16…N−1. `everyOf`: by selector, in addition. */
  every: number;
  everyOf: Partial<Record<string, number>>;
  /** Table 2: the same for the replacement, which needs eigenvectors. */
  replacementEvery: number;
  /** Table D3: the same for the K sweep. */
  sweepEvery: number;
  /** Table of policies: the window B, tokens. */
  budget: number;
}

export const DEFAULT_SETTINGS: CorpusSettings = {
  tables: [...TABLE_IDS], seed: 0, capacity: 16, tau: 0.9, controlDraws: 20, mostCheckpoints: 1_000, every: 1, everyOf: {}, replacementEvery: 4, sweepEvery: 1, budget: 16_000,
};

/** Draws of the bootstrap over trajectories. */
export const BOOTSTRAP_DRAWS = 2_000;

/** Names as in `select`'s JSON, and three of ours: Top-3 among older blocks, and the shares of blocks and tokens kept. */
export const METRIC_NAMES = ['top3', 'top3Older', 'actionProjection', 'finalProjection', 'goalProjection', 'centroid', 'coverage', 'retained', 'tokensKept'] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

/** Sum and number of the checkpoints where a metric exists: pooled means and per-run means both follow. */
export interface MetricSum { sum: number; count: number }
export type MetricSums = Record<MetricName, MetricSum>;

export const EFFECT_NAMES = ['actionProjection', 'top3', 'centroid', 'coverage'] as const;
export type EffectSums = Record<(typeof EFFECT_NAMES)[number], MetricSum>;

export interface RunIdentity {
  /** Path as given; names the run in every table. */
  file: string;
  sha256: string;
  format: string;
  /** Index of the trajectory in the file. */
  trajectory: number;
  name: string;
}

/** The whole run's centred spectrum with its controls, and greedy coverage from nothing to τ (uncentred). */
export interface RunSpectrum {
  n: number;
  spectrum: Omit<SpectrumReport, 'energy'>;
  /** Null where the run ends before. */
  greedyBlocks: number | null;
}

export interface PrefixMeans {
  checkpoints: number;
  protected: MetricSum;
  stops: Partial<Record<StopReason, number>>;
  selectors: Record<string, MetricSums>;
  /** The same over prefixes of at most 89 blocks, the longest of the seed's runs. */
  upTo89: Record<string, MetricSums>;
}

export interface RunPart {
  version: number;
  run: RunIdentity;
  encoder: EncoderInfo;
  settings: CorpusSettings;
  /** Complete interaction blocks N. */
  blocks: number;
  /** Why the run is in no selection table; null = it is in them. */
  leftOut: string | null;
  spectrum: RunSpectrum | null;
  prefixes: PrefixMeans | null;
  replacement: { pairs: number; checkpoints: number; effects: EffectSums } | null;
  /** Selectors at the middle and the last checkpoint. */
  compared: { checkpoints: number[]; selectors: Record<string, MetricSums> } | null;
  ablations: { checkpoints: number[]; selectors: Record<string, MetricSums> } | null;
  /** `${selector}@${K}`. */
  capacities: { checkpoints: number; selectors: Record<string, MetricSums> } | null;
  /** By τ as text. */
  targets: { checkpoints: number[]; taus: Record<string, MetricSums> } | null;
  /** Replays of the run; made apart from `mapRun`, from its context blocks. */
  policies: PolicyPart | null;
}

/** A value with its bootstrap interval over trajectories (absent = fewer than two, or a per-run value). */
export interface Cell { value: number | null; low?: number | null; high?: number | null }

/** pooled = mean over checkpoints (descriptive); runs = over trajectories; seed = as printed in the paper; run = one trajectory. */
export type RowScope = 'pooled' | 'upTo89' | 'runs' | 'effect' | 'seed' | 'run';

export interface TableColumn { key: string; title: string; digits: number }

export interface TableRow {
  scope: RowScope;
  label: string;
  /** Trajectories, or checkpoints for a pooled row. */
  n: number | null;
  cells: Record<string, Cell>;
}

export interface CorpusTest {
  table: TableId;
  columns: [string, string];
  /** Trajectories with both values, and those where they differ. */
  n: number;
  m: number;
  /** min(W+, W−), as scipy prints it. */
  statistic: number;
  wPlus: number;
  wMinus: number;
  p: number;
  pHolm: number;
  family: string;
}

export interface CorpusTable {
  id: TableId;
  title: string;
  /** Where its numbers come from; absent = from the encoder and the settings of the selection tables. */
  origin?: string;
  notes: string[];
  columns: TableColumn[];
  rows: TableRow[];
  tests: CorpusTest[];
}

export interface CorpusRun { key: string; part: RunPart }
/** The same bytes and trajectory under two paths: counted once, under the first. */
export interface Duplicate { key: string; sameAs: string }

export interface CorpusTables {
  encoder: EncoderInfo;
  settings: CorpusSettings;
  /** In the order of their keys. */
  runs: CorpusRun[];
  duplicates: Duplicate[];
  tables: CorpusTable[];
}
