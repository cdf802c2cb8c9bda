import { afterEach, describe, expect, it } from 'vitest';
import { fakeWorker, hungWorker, type FakeWorker } from '../testing/fake-worker';
import { EmbeddingClient, type EmbeddingClientOptions } from './embedding-client';
import type { EmbeddingRequest, EmbeddingResponse, EmbedSummary } from './embedding-protocol';

const started: FakeWorker[] = [];
afterEach(() => started.splice(0).forEach((worker) => worker.close()));

function clientOf(spawn: () => FakeWorker, options: Partial<EmbeddingClientOptions> = {}): EmbeddingClient {
  return new EmbeddingClient({
    baseUrl: 'http://localhost/',
    spawn: () => {
      const worker = spawn();
      started.push(worker);
      return worker;
    },
    ...options,
  });
}
/** Answers each request as told. */
const answering = (answer: (request: EmbeddingRequest, post: (response: EmbeddingResponse) => void) => void): FakeWorker =>
  fakeWorker((scope) => scope.addEventListener('message', (event) => answer((event as MessageEvent<EmbeddingRequest>).data, (response) => scope.postMessage(response))));

const summary: EmbedSummary = { encoder: 'hashed-1024@1', total: 2, cached: 0, computed: 2, empty: 0, info: { backend: 'none', threads: 1 }, cacheProblem: null };
const texts = [{ hash: 'h0', text: 'a' }, { hash: 'h1', text: 'b' }];
const good = (): FakeWorker =>
  answering((request, post) => {
    if (request.type !== 'embed') return;
    post({ type: 'progress', id: request.id, phase: 'embedding', done: 1, total: 2, secondsLeft: 1 });
    post({ type: 'rows', id: request.id, dim: 2, indices: Uint32Array.of(1, 0), vectors: Float32Array.of(3, 4, 1, 2) });
    post({ type: 'done', id: request.id, summary });
  });

describe('EmbeddingClient', () => {
  it('tells the worker where models are, then hands on rows by hash and the summary', async () => {
    const asked: string[] = [];
    const client = clientOf(() =>
      answering((request, post) => {
        asked.push(request.type);
        if (request.type === 'embed') {
          post({ type: 'rows', id: request.id, dim: 2, indices: Uint32Array.of(1, 0), vectors: Float32Array.of(3, 4, 1, 2) });
          post({ type: 'done', id: request.id, summary });
        }
      }),
    );
    const rows: [string, number[]][] = [];
    expect(await client.embed('hashed-1024@1', texts, { onRows: (got) => rows.push(...got.map(({ hash, vector }): [string, number[]] => [hash, [...vector]])) })).toEqual(summary);
    expect(rows).toEqual([['h1', [3, 4]], ['h0', [1, 2]]]);
    expect(asked).toEqual(['init', 'embed']);
  });

  it('rejects with the worker’s code', async () => {
    const client = clientOf(() => answering((request, post) => request.type === 'embed' && post({ type: 'failed', id: request.id, code: 'corrupt', message: 'Model file is cut.' })));
    await expect(client.embed('hashed-1024@1', texts)).rejects.toMatchObject({ code: 'corrupt', message: 'Model file is cut.' });
  });

  it.each(['crash', 'garble'] as const)('rejects all batches on %s; the next batch starts a new worker', async (how) => {
    const workers = [hungWorker(), good()];
    const client = clientOf(() => workers.shift()!);
    const batches = [client.embed('hashed-1024@1', texts), client.embed('hashed-1024@1', texts)];
    started[0]![how]('out of memory');
    for (const batch of batches) await expect(batch).rejects.toMatchObject({ code: 'worker' });
    expect(started[0]!.terminated).toBe(true);
    expect(await client.embed('hashed-1024@1', texts)).toEqual(summary);
  });

  it('ends a worker that stays silent', async () => {
    const workers = [hungWorker(), good()];
    const client = clientOf(() => workers.shift()!, { silenceMs: 40 });
    await expect(client.embed('hashed-1024@1', texts)).rejects.toMatchObject({ code: 'worker' });
    expect(await client.embed('hashed-1024@1', texts)).toEqual(summary);
  });

  it('cancels: asked first, ended when it does not listen', async () => {
    const polite = clientOf(() => answering((request, post) => request.type === 'cancel' && post({ type: 'failed', id: request.id, code: 'cancelled', message: 'Cancelled.' })));
    const deaf = clientOf(hungWorker, { cancelGraceMs: 40 });
    for (const client of [polite, deaf]) {
      const controller = new AbortController();
      const batch = client.embed('hashed-1024@1', texts, { signal: controller.signal });
      controller.abort();
      await expect(batch).rejects.toMatchObject({ code: 'cancelled' });
    }
    expect(started.map((worker) => worker.terminated)).toEqual([false, true]);
    await expect(polite.embed('hashed-1024@1', texts, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    polite.dispose();
  });
});
