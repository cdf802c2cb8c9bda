import { ContextscopeError } from '../core/base/errors';
import { analyseLine } from '../core/evidence/analyse';
import { loadTokenCounter } from '../core/tokens/counter';
import { TokenCache } from '../core/tokens/token-cache';
import type { EncodingName } from '../core/trace/blocks-types';
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
    const { blocks, facts, evidence, interactionBlocks, checkpointOfStep } = await analyseLine(reader, trajectory, line, await counterOf(encoding), { signal, onProgress });
    return { blocks, facts, evidence, recorded: [], interactionBlocks, checkpointOfStep };
  },
  replay: async (input, request) => {
    const counter = await counterOf(input.blocks.encoding);
    return replay(input, request, (text) => counter.count(text));
  },
  render: () => Promise.reject(new ContextscopeError('unsupported', 'Prompts cannot be rendered yet.')),
};
