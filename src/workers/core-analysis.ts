import { loadTokenCounter } from '../core/tokens/counter';
import { withCounter } from '../core/tokens/lazy-counter';
import { TokenCache } from '../core/tokens/token-cache';
import type { EncodingName } from '../core/trace/blocks-types';
import { threadOf } from '../core/trace/line';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { blockText } from '../core/trace/block-text';
import { checkInvariants } from '../core/workspace/invariants';
import { lossAt, lossMessages } from '../core/workspace/loss';
import { readMessagesAt, readPromptMessages } from '../core/workspace/prompt-messages';
import { renderPrompt } from '../core/workspace/render';
import { replay } from '../core/workspace/replay';
import type { AnalysisCore } from './analysis-core';

/** Exact counts; equal texts of a session are counted once. */
const caches = new Map<EncodingName, TokenCache>();

async function counterOf(encoding: EncodingName): Promise<{ encoding: EncodingName; count(text: string): number; countHashed(hash: string, text: string): number }> {
  const counter = await loadTokenCounter(encoding);
  let cache = caches.get(encoding);
  if (!cache) caches.set(encoding, (cache = new TokenCache(counter)));
  const hashed = cache;
  return { encoding, count: (text) => counter.count(text), countHashed: (hash, text) => hashed.count(hash, text) };
}

/** `core` as it is, with exact token counts. */
export const coreAnalysis: AnalysisCore = {
  analyse: async (reader, trajectory, line, encoding, { signal, onProgress }) => {
    const { blocks, facts, evidence, recorded, interactionBlocks, checkpointOfStep } = await analyseRecordedLine(reader, trajectory, line, await counterOf(encoding), { signal, onProgress });
    return { blocks, facts, evidence, recorded, interactionBlocks, checkpointOfStep };
  },
  // A recorded run counts no text: reopening it must not wait for the token table.
  replay: (input, request) => withCounter(input.blocks.encoding, (count) => replay(input, request, count)),
  render: async ({ blocks, facts, trajectory, line, rows, reader }, replayed, step, as) => {
    const counter = await counterOf(blocks.encoding);
    const message = await readPromptMessages(reader, rows, replayed, step, blocks.messageIndex);
    return renderPrompt(replayed, step, { blocks, facts, message, tools: threadOf(trajectory, line.thread).tools, count: (text) => counter.count(text) }, as);
  },
  invariants: async (input, replayed, request, options) => {
    const { blocks, trajectory, line, rows, reader } = input;
    const counter = await counterOf(blocks.encoding);
    return checkInvariants({
      input, replay: replayed, tools: threadOf(trajectory, line.thread).tools, count: (text) => counter.count(text),
      again: (other) => coreAnalysis.replay({ ...input, ...other }, request),
      messagesAt: (step) => readPromptMessages(reader, rows, replayed, step, blocks.messageIndex),
      textsOf: async (bases) => {
        const positions = [...new Set(bases.map((base) => blocks.messageIndex[base] ?? 0))].sort((a, b) => a - b);
        const message = await readMessagesAt(reader, rows, positions);
        return (base) => blockText(message(blocks.messageIndex[base] ?? 0), blocks.partFrom[base] ?? 0, blocks.partTo[base] ?? 0);
      },
    }, { ...options, breathe: () => new Promise((resolve) => setTimeout(resolve, 0)) });
  },
  lossAt: async ({ blocks, evidence, rows, reader }, replayed, step) => {
    const message = await readMessagesAt(reader, rows, lossMessages(replayed, step, blocks.messageIndex));
    return lossAt(replayed, step, blocks, evidence, message);
  },
};
