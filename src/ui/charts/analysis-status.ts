/** Where an analysis on vectors stands: each state is drawn, with a sentence and the next action (design.md "Charts"). */
export type AnalysisStatus =
  | { state: 'ready' }
  /** `coming`: a better encoder that is not ready, and how far it is. */
  | { state: 'loading'; coming?: string }
  /** Not enough vectors yet: blocks embedded so far. */
  | { state: 'no-vectors'; done: number; total: number; secondsLeft?: number; /** Bytes of the encoder itself, while it is loaded. */ model?: { done: number; total: number } | null }
  /** Fewer interaction blocks than GEM selects on. */
  | { state: 'too-small'; blocks: number }
  | { state: 'failed'; message: string }
  | { state: 'cancelled'; done: number; total: number };
