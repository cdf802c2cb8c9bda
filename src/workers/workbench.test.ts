import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DexieRepository } from '../storage/dexie-repository';
import { MemoryRepository } from '../storage/memory-repository';
import { openDatabase } from '../storage/open';
import { localLocks } from '../storage/owner-locks';
import type { ObservableRepository } from '../storage/repository';
import { localWorkbench, type LocalOptions, type LocalWorkbench } from '../testing/local-workbench';
import { openaiChatBlob } from '../testing/sample-files';
import type { OpenLine, Progress } from './api';

const ENCODER = 'hashed-1024@1';
const open: LocalWorkbench[] = [];
/** Every test has a database of its own. */
let databases = 0;
let databaseName = '';
beforeEach(() => {
  databaseName = `test-${++databases}`;
});
afterEach(() => open.splice(0).forEach((local) => local.close()));

function local(repository: ObservableRepository, options?: LocalOptions): LocalWorkbench {
  const made = localWorkbench(repository, options);
  open.push(made);
  return made;
}
const stored = async (): Promise<DexieRepository> => new DexieRepository(await openDatabase({ name: databaseName }), localLocks());
async function opened({ workbench }: LocalWorkbench, turns = 20): Promise<OpenLine> {
  const { runs } = await workbench.importFiles([{ name: 'chat.json', blob: openaiChatBlob(turns) }]);
  return workbench.openLine(runs[0]!, null, 'o200k_base');
}
const settings = (checkpoint: number) => ({ checkpoint, k: 'auto' as const, tau: 0.9, selectors: ['gem', 'recency'], mode: 'core' as const, seed: 0 });

describe.each([['IndexedDB', stored], ['memory', async () => new MemoryRepository()]] as const)('the whole way in %s', (kind, make) => {
  it('imports, lists, opens, reads, replays, searches, embeds, selects and forgets', async () => {
    const here = local(await make());
    const { workbench } = here;
    expect(workbench.persistent).toBe(kind === 'IndexedDB');
    expect(here.workers).toHaveLength(0);

    const line = await opened(here);
    expect((await workbench.library.list()).map((run) => [run.id, run.steps, run.format])).toEqual([[line.runId, 21, 'openai-chat']]);
    expect(line.blocks).toMatchObject({ tokensAre: 'exact', n: 43 });
    expect(line.facts.steps).toBe(21);
    expect(line.interactionBlocks).toHaveLength(20);

    const messages = await workbench.readMessages(line.runId, line.rows.subarray(1, 3));
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant']);
    expect((await workbench.readRaw(line.runId, 1)).join()).toContain('Find the bug');

    const replay = await workbench.replay(line, { policy: 'keep-everything', budget: 1000 });
    expect(replay.steps.n).toBe(21);

    const recorded = await workbench.replay(line, { policy: 'recorded', budget: 1000 });
    expect((await workbench.library.list())[0]!.peakTokens).toBe(recorded.totals.peakContext);

    const prompt = await workbench.render(line, { policy: 'keep-everything', budget: 1000 }, 2, 'openai');
    expect(prompt.body['messages']).toMatchObject([{ role: 'system' }, { role: 'user' }, { role: 'assistant', tool_calls: [{ id: 'call_0' }] }, { role: 'tool', content: expect.stringContaining('value_0') }]);
    await expect(workbench.render(line, { policy: 'keep-everything', budget: 1000 }, 99, 'openai')).rejects.toMatchObject({ code: 'bad-argument' });

    const hits = await workbench.search(line, { text: 'lookup_7', regex: false, caseSensitive: true, limit: 10 });
    expect(hits[0]).toMatchObject({ messageIndex: 5, excerpt: expect.stringContaining('lookup_7') });

    await expect(workbench.select(line, ENCODER, settings(18))).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('0 of the 18 blocks') });
    const progress: Progress[] = [];
    const state = await workbench.embed(line, ENCODER, [3, 2], { onProgress: (p) => progress.push(p) });
    expect(state.done).toBe(state.total);
    expect(progress.at(-1)).toMatchObject({ done: state.total, total: state.total, unit: 'blocks' });
    const report = await workbench.select(line, ENCODER, settings(18));
    expect(report.blocks.every((block) => block.tokens > 10)).toBe(true);
    expect(report).toMatchObject({ file: 'chat.json', checkpoint: 18, encoder: { id: ENCODER, dim: 1024 } });
    expect(report.selectors.map((selector) => selector.selector)).toEqual(['gem', 'recency']);
    expect(report.selectors[1]!.kept).toEqual(Array.from({ length: report.k }, (_, i) => 18 - report.k + i));
    expect((await workbench.geometry(line, ENCODER, 18, 0)).map).toHaveLength(36);
    expect((await workbench.geometryOverTime(line, ENCODER, 0)).checkpoints.at(-1)).toBe(20);

    await workbench.library.forget(line.runId);
    expect(await workbench.library.list()).toEqual([]);
    await expect(workbench.readRaw(line.runId, 1)).rejects.toMatchObject({ code: 'not-found' });
    await expect(workbench.openLine(line.runId, null, 'o200k_base')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('policies that read vectors', () => {
  const gem = { policy: 'gem', budget: 1000, params: { form: 'core' }, encoder: ENCODER } as const;

  it.each([['IndexedDB', {}], ['a cache that fails', { cacheFails: true }]] as const)('are replayed after the run has been embedded for them: %s', async (_, options) => {
    const here = local(await stored(), options);
    const line = await opened(here);
    const replay = await here.workbench.replay(line, gem);
    expect(replay.encoder).toMatchObject({ id: ENCODER, dim: 1024 });
    expect(replay.totals.opsByKind['clear']).toBeGreaterThan(0);
    expect((await here.workbench.render(line, gem, 21, 'openai')).rows.length).toBeLessThan(43);
    const computed = here.embedded.length;
    // A new worker has no vectors: they are brought again, not computed.
    here.workers.find(({ name }) => name === 'analysis')!.worker.crash('out of memory');
    expect((await here.workbench.replay(line, { ...gem, budget: 900 })).totals.opsByKind).toEqual(replay.totals.opsByKind);
    expect(here.embedded).toHaveLength(computed);
  });

  it('come last in a comparison, in their own places, and say what they lack', async () => {
    const here = local(await stored());
    const line = await opened(here);
    const arrived: number[] = [];
    const progress: Progress[] = [];
    const requests = [gem, { policy: 'recency', budget: 1000 }, { policy: 'pace', budget: 1000, encoder: ENCODER }, { policy: 'gem', budget: 1000 }] as const;
    const outcomes = await here.workbench.replayMany(line, requests, { strips: false, onOutcome: (index) => arrived.push(index), onProgress: (p) => progress.push(p) });
    expect(arrived).toEqual([1, 3, 0, 2]);
    expect(outcomes.map((outcome) => ('summary' in outcome ? (outcome.summary.encoder?.id ?? 'none') : outcome.error))).toEqual([ENCODER, 'none', ENCODER, expect.stringContaining('choose an encoder')]);
    expect(progress.at(-1)).toMatchObject({ done: 4, total: 4, unit: 'replays' });
  });
});

describe('embeddings', () => {
  it('are computed once for a text, also in another run and another session', async () => {
    const first = local(await stored());
    const line = await opened(first);
    await first.workbench.embed(line, ENCODER, []);
    const computed = first.embedded.length;
    expect(new Set(first.embedded).size).toBe(computed);
    await first.workbench.embed(line, ENCODER, []);
    expect(first.embedded).toHaveLength(computed);

    const second = local(await stored());
    const longer = await opened(second, 22);
    await second.workbench.embed(longer, ENCODER, []);
    expect(second.embedded.length).toBeGreaterThan(0);
    expect(second.embedded.filter((hash) => first.embedded.includes(hash))).toEqual([]);
  });

  it('begin with what is looked at', async () => {
    const here = local(await stored());
    const line = await opened(here);
    await here.workbench.embed(line, ENCODER, [7, 5]);
    const report = await here.workbench.select(line, ENCODER, settings(20));
    expect(here.embedded.slice(0, 3)).toEqual([7, 5, 0].map((index) => report.blocks[index]!.hash));
  });

  it('serve the open line even where they cannot be stored', async () => {
    const here = local(await stored(), { cacheFails: true });
    const line = await opened(here);
    await here.workbench.embed(line, ENCODER, []);
    expect((await here.workbench.select(line, ENCODER, settings(18))).k).toBeGreaterThan(0);
  });

  it('stop when cancelled', async () => {
    const here = local(await stored());
    const line = await opened(here);
    await expect(here.workbench.embed(line, ENCODER, [], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('an open line', () => {
  it('is answered from the stored analysis the second time, and by a new worker', async () => {
    const first = local(await stored());
    const line = await opened(first);
    const second = local(await stored());
    const progress: Progress[] = [];
    const again = await second.workbench.openLine(line.runId, null, 'o200k_base', { onProgress: (p) => progress.push(p) });
    expect(progress).toEqual([]);
    expect(again.blocks).toEqual(line.blocks);
    expect(again.evidence).toEqual(line.evidence);

    second.workers.find(({ name }) => name === 'analysis')!.worker.crash('out of memory');
    expect((await second.workbench.replay(again, { policy: 'keep-everything', budget: 1000 })).steps.n).toBe(21);
    expect(second.workers.filter(({ name }) => name === 'analysis')).toHaveLength(2);
  });

  it('gives two callers of one replay the same answer and drops an older one of the same policy', async () => {
    const here = local(await stored());
    const line = await opened(here);
    const { workbench } = here;
    const [a, b] = [workbench.replay(line, { policy: 'keep-everything', budget: 900 }), workbench.replay(line, { policy: 'keep-everything', budget: 900 })];
    expect(await a).toBe(await b);
    const old = workbench.replay(line, { policy: 'auto-archive', budget: 901 });
    const other = workbench.replay(line, { policy: 'keep-everything', budget: 902 });
    const newest = workbench.replay(line, { policy: 'auto-archive', budget: 903 });
    await expect(old).rejects.toMatchObject({ code: 'cancelled' });
    expect((await other).budget).toBe(902);
    expect((await newest).budget).toBe(903);
  });

  it('cancelled by one caller still opens for another', async () => {
    const here = local(await stored());
    const { runs } = await here.workbench.importFiles([{ name: 'chat.json', blob: openaiChatBlob(30) }]);
    const controller = new AbortController();
    const gaveUp = here.workbench.openLine(runs[0]!, null, 'o200k_base', { signal: controller.signal });
    const stays = here.workbench.openLine(runs[0]!, null, 'o200k_base');
    controller.abort();
    await gaveUp.catch((error: unknown) => expect(error).toMatchObject({ code: 'cancelled' }));
    expect((await stays).facts.steps).toBe(31);
  });

  it('refuses a thread or branch that is not there', async () => {
    const here = local(await stored());
    const line = await opened(here, 2);
    await expect(here.workbench.openLine(line.runId, { thread: 'nowhere' }, 'o200k_base')).rejects.toMatchObject({ code: 'not-found' });
    await expect(here.workbench.openLine(line.runId, { thread: line.line.thread, branch: 'x' }, 'o200k_base')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('search', () => {
  it('finds by words, case and pattern, and explains a broken pattern', async () => {
    const here = local(await stored());
    const line = await opened(here, 3);
    const find = (text: string, more = {}) => here.workbench.search(line, { text, regex: false, caseSensitive: false, limit: 100, ...more });
    expect(await find('FIND THE BUG')).toHaveLength(1);
    expect(await find('FIND THE BUG', { caseSensitive: true })).toHaveLength(0);
    expect(await find('handler_\\d\\(', { regex: true })).toHaveLength(3);
    expect(await find('file_', { role: 'assistant' })).toHaveLength(3);
    expect(await find('e', { limit: 2 })).toHaveLength(2);
    expect(await find('')).toEqual([]);
    await expect(find('(', { regex: true })).rejects.toMatchObject({ code: 'bad-argument' });
  });
});
