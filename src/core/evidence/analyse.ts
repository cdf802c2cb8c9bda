import { throwIfCancelled } from '../base/errors';
import { BlockTableBuilder } from '../trace/blocks';
import { LineFactsBuilder } from '../trace/blocks-facts';
import { estimatingCounter } from '../trace/blocks-tokens';
import type { BlockCounter } from '../trace/blocks-tokens';
import type { BlockTable, EncodingName, LineFacts } from '../trace/blocks-types';
import { InteractionBuilder } from '../trace/interaction';
import { rowsOfLine, threadOf } from '../trace/line';
import type { LineRef, Message, Trajectory } from '../trace/model';
import { EvidenceBuilder } from './evidence-builder';
import type { EvidenceIndex } from './types';

/** What an analysis reads messages through (import's TraceReader). */
export interface LineReader {
  readMessages(rows: ArrayLike<number>, onMessage: (message: Message) => void | Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** Everything columnar of one line except its recorded operations. */
export interface LineAnalysis {
  rows: Uint32Array;
  blocks: BlockTable;
  facts: LineFacts;
  evidence: EvidenceIndex;
  interactionBlocks: number[][];
  checkpointOfStep: Uint32Array;
  /** Two calls of the line share an id: selectors leave the request unchanged. */
  idsClash: boolean;
}

export interface AnalyseOptions {
  /** Messages done and in all; called after each slice of work. */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  /** Sees every message once, in order (recorded operations are gathered so). */
  onMessage?: (message: Message) => void;
  /** Characters of text between two breaths: the worker answers other requests then. */
  sliceCharacters?: number;
}

/** About 50 ms of counting: a cancel is seen soon, and the breaths (4 ms each in a browser) stay below a tenth. */
const SLICE_CHARACTERS = 500_000;

/**
 * Reads a line once and derives its blocks, facts, evidence and interaction blocks on the way; no text is kept.
 * `counter` null = token counts are estimated from bytes. Throws 'cancelled' within one slice of the signal.
 */
export async function analyseLine(
  reader: LineReader,
  trajectory: Trajectory,
  line: LineRef,
  counter: (BlockCounter & { readonly encoding: EncodingName }) | null,
  options: AnalyseOptions = {},
): Promise<LineAnalysis> {
  const { onProgress, signal, onMessage, sliceCharacters = SLICE_CHARACTERS } = options;
  const thread = threadOf(trajectory, line.thread);
  const rows = rowsOfLine(trajectory, line);
  const counting = counter ? { counter } : {};
  const blocks = new BlockTableBuilder({ countsReasoning: thread.countsReasoning, encoding: counter?.encoding ?? 'o200k_base', ...counting });
  const facts = new LineFactsBuilder();
  const interaction = new InteractionBuilder();
  const evidence = new EvidenceBuilder();
  let sinceBreath = 0;
  await reader.readMessages(
    rows,
    async (message) => {
      facts.add(message);
      interaction.add(message);
      onMessage?.(message);
      blocks.add(message, (block) => {
        sinceBreath += block.text.length;
        evidence.add(block);
      });
      if (sinceBreath < sliceCharacters) return;
      sinceBreath = 0;
      throwIfCancelled(signal);
      onProgress?.(message.index + 1, rows.length);
      await breathe();
    },
    signal,
  );
  throwIfCancelled(signal);
  onProgress?.(rows.length, rows.length);
  const { blocks: interactionBlocks, checkpointOfStep, idsClash } = interaction.finish();
  return {
    rows,
    blocks: blocks.finish(),
    facts: facts.finish(thread, blocks.systemTokens, counter ?? estimatingCounter),
    evidence: evidence.finish(facts.steps),
    interactionBlocks,
    checkpointOfStep,
    idsClash,
  };
}

/** Lets messages in: a cancel is seen only between tasks. */
const breathe = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
