/** Where an analysis on vectors stands: each state is drawn, with a sentence and the next action (design.md "Charts"). */
export type AnalysisStatus =
  | { state: 'ready' }
  | { state: 'loading' }
  /** Not enough vectors yet: blocks embedded so far. */
  | { state: 'no-vectors'; done: number; total: number; secondsLeft?: number }
  /** Fewer interaction blocks than GEM selects on. */
  | { state: 'too-small'; blocks: number }
  | { state: 'failed'; message: string }
  | { state: 'cancelled'; done: number; total: number };
