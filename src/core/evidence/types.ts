/**
 * Evidence lineage (evidence.md §1): what each action demonstrably used, by verbatim reuse of rare lexemes.
 * A lower bound on dependence. Compressed rows: step t (1-based) has demands [demandStart[t-1], demandStart[t]);
 * demand d has source blocks [sourceStart[d], sourceStart[d+1]).
 */
export interface EvidenceIndex {
  steps: number;
  blocks: number;
  demandStart: Uint32Array;
  /** Index into `lexemes`. */
  demandLexeme: Uint32Array;
  /** ln(n / df). */
  demandWeight: Float64Array;
  /** 1 = satisfied by the system prompt or task: counted apart (`promptWeight`). */
  demandInPrompt: Uint8Array;
  /** Blocks that held it before the step; the sources listed are at most 64 of them (the first, then the newest). */
  demandDf: Uint32Array;
  sourceStart: Uint32Array;
  /** Base block indices, ascending. */
  sources: Uint32Array;
  /** 1 = the source is an assistant block that merely repeated it. */
  sourceIsEcho: Uint8Array;
  lexemes: string[];
  /** Per base block: last step that used it, 0 = never; number of steps that used it. */
  lastUse: Uint32Array;
  uses: Uint32Array;
  /** Per base block: 1 = system prompt or task. */
  isPrompt: Uint8Array;
}
