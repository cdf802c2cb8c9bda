/** Settings of gem.md §9 with their defaults; "ours" where the paper's table is lost. */
export const MIN_BLOCKS = 16;
/** Coverage target τ. */
export const COVERAGE_TARGET = 0.9;
/** Nominal capacity K. */
export const CAPACITY = 16;
/** New blocks after which a selection is made again. */
export const RESELECT_AFTER = 256;
/** Deletion guard δ: a selection removes at most this share of the request. */
export const DELETION_GUARD = 0.05;

export interface ProtectionSettings {
  /** Newest blocks kept (ours). */
  recency: number;
  /** Blocks nearest to the goal. */
  goals: number;
  /** Blocks a written path: newest write, newest later read (ours). */
  statePerPath: number;
  /** State blocks in all (ours). */
  stateTotal: number;
  /** Age below which an error is fresh, in blocks (ours). */
  errorAge: number;
  errorTotal: number;
  sources: number;
  /** Share of source blocks from which sources are protected (ours). */
  sourceShare: number;
}

export const PROTECTION: ProtectionSettings = {
  recency: 4, goals: 1, statePerPath: 2, stateTotal: 6, errorAge: 8, errorTotal: 3, sources: 4, sourceShare: 0.3,
};

/** Residuals at or below this are zero: the block lies in the span (embedding.md §3). */
export const RESIDUAL_FLOOR = 1e-10;
/** An energy below this share of the largest is zero. */
export const ENERGY_FLOOR = 1e-12;
