import { nobleHasher } from '../../../src/core/base/hasher.ts';
import { parseJsonAsset } from '../../../src/core/embedding/assets.ts';
import { MOST_WINDOWS, TOKENIZER_CONFIG_FILE, TOKENIZER_FILE } from '../../../src/core/embedding/registry.ts';
import type { InferenceEngine } from '../../../src/core/embedding/types.ts';
import { windowRanges } from '../../../src/core/embedding/windows.ts';
import { createWordPiece } from '../../../src/core/embedding/wordpiece.ts';
import { openRepository } from '../../../src/storage/open.ts';
import { fetchingReader } from '../../../src/workers/embedding-assets.ts';
import { repositoryCache } from '../../../src/workers/embedding-cache.ts';
import type { EmbeddingResponse, EmbedTextItem } from '../../../src/workers/embedding-protocol.ts';
import { EmbeddingService } from '../../../src/workers/embedding-service.ts';
import { browserEngine } from '../../../src/workers/ort-browser.ts';
import { answerCalls } from './calls.ts';

const ENCODER = 'minilm-l6-v2-int8@1';
let engine: InferenceEngine | null = null;
let settle: (response: EmbeddingResponse) => void = () => undefined;

/** The product's embedding worker as it is, but for the session, which the baseline is given too. */
const service = new EmbeddingService({
  readerFor: fetchingReader,
  createEngine: async (spec, model) => {
    const made = await browserEngine(spec, model);
    engine = made.engine;
    return made;
  },
  cache: repositoryCache(openRepository),
  post: (response) => settle(response),
});

async function load(baseUrl: string): Promise<void> {
  await service.handle({ type: 'init', baseUrl });
  await service.handle({ type: 'load', id: 1, encoder: ENCODER });
}

const hashOf = async (text: string): Promise<string> => {
  const hasher = nobleHasher();
  hasher.update(new TextEncoder().encode(text));
  return hasher.digest();
};

/** Texts never seen before → vectors in the database; then the same word pieces, ready, through the same session. */
async function embed(baseUrl: string, texts: string[], id: number): Promise<{ ms: number; bareMs: number; pieces: number; windows: number; threads: number }> {
  const items: EmbedTextItem[] = [];
  for (const text of texts) items.push({ text, hash: await hashOf(text) });
  let last: EmbeddingResponse | null = null;
  settle = (response) => {
    if (response.type === 'done' || response.type === 'failed') last = response;
  };
  const began = performance.now();
  await service.handle({ type: 'embed', id, encoder: ENCODER, texts: items, first: [] });
  const ms = performance.now() - began;
  const done = last as EmbeddingResponse | null;
  if (done?.type !== 'done') throw new Error(done?.type === 'failed' ? done.message : 'The service did not answer.');
  if (done.summary.computed !== texts.length || done.summary.cacheProblem !== null) throw new Error(`Embedded ${done.summary.computed} of ${texts.length} texts; ${done.summary.cacheProblem ?? 'the rest was known'}.`);

  const ready = await readyIds(baseUrl, texts);
  if (!engine) throw new Error('No session was made.');
  const bareBegan = performance.now();
  for (const ids of ready) await engine.run(ids);
  const bareMs = performance.now() - bareBegan;
  return { ms, bareMs, pieces: ready.reduce((sum, ids) => sum + ids.length, 0), windows: ready.length, threads: done.summary.info.threads };
}

async function readyIds(baseUrl: string, texts: string[]): Promise<BigInt64Array[]> {
  const read = fetchingReader(baseUrl);
  const [vocabulary, config] = await Promise.all([read(TOKENIZER_FILE), read(TOKENIZER_CONFIG_FILE)]);
  const pieces = createWordPiece(parseJsonAsset(vocabulary), parseJsonAsset(config));
  return texts.flatMap((text) => {
    const ids = pieces.encode(text);
    return windowRanges(ids.length, MOST_WINDOWS).map(({ from, to }) => BigInt64Array.from([pieces.clsId, ...ids.slice(from, to), pieces.sepId], BigInt));
  });
}

const calls = { load, embed };
export type EmbeddingCalls = typeof calls;
answerCalls(calls);
