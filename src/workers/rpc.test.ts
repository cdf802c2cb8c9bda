import { afterEach, describe, expect, it } from 'vitest';
import { ContextscopeError, throwIfCancelled } from '../core/base/errors';
import { fakeRpcWorker, hungWorker, type FakeWorker } from '../testing/fake-worker';
import { RpcClient, type RpcClientOptions } from './rpc-client';
import { InPieces, Transferred, type Handlers } from './rpc-server';

const started: FakeWorker[] = [];
let clients: RpcClient[] = [];
afterEach(() => {
  clients.forEach((client) => client.dispose());
  started.splice(0).forEach((worker) => worker.close());
  clients = [];
});

function clientOf(spawn: () => FakeWorker, options: Partial<RpcClientOptions> = {}): RpcClient {
  const client = new RpcClient({
    name: 'test',
    spawn: () => {
      const worker = spawn();
      started.push(worker);
      return worker;
    },
    ...options,
  });
  clients.push(client);
  return client;
}
const serving = (handlers: Handlers, options?: Partial<RpcClientOptions>) => clientOf(() => fakeRpcWorker(handlers), options);
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Ends when told, or with `cancelled`. */
const untilAborted: Handlers[string] = async ({ signal }) => {
  while (!signal.aborted) await sleep(1);
  throwIfCancelled(signal);
};

describe('calls', () => {
  it('answers with the value and reports events before it', async () => {
    const client = serving({ add: async (context, a: number, b: number) => (context.emit('progress', 0.5), a + b) });
    const events: unknown[] = [];
    expect(await client.call('add', [2, 3], { onEvent: (name, value) => events.push([name, value]) })).toBe(5);
    expect(events).toEqual([['progress', 0.5]]);
  });

  it('starts the worker at the first call only', async () => {
    const client = serving({ echo: (_, x: number) => x });
    expect(started).toHaveLength(0);
    await Promise.all([client.call('echo', [1]), client.call('echo', [2])]);
    expect(started).toHaveLength(1);
  });

  it('brings errors over with code, sentence and place', async () => {
    const client = serving({
      fail: () => {
        throw new ContextscopeError('bad-record', 'Line 3 is cut.', { file: 'a.jsonl', line: 3 });
      },
      crash: async () => {
        throw new TypeError('undefined is not a function');
      },
    });
    await expect(client.call('fail', [])).rejects.toMatchObject({ code: 'bad-record', message: 'Line 3 is cut.', place: { file: 'a.jsonl', line: 3 } });
    await expect(client.call('crash', [])).rejects.toMatchObject({ code: 'internal', message: 'undefined is not a function' });
    await expect(client.call('absent', [])).rejects.toMatchObject({ code: 'worker' });
    await expect(client.call('toString', [])).rejects.toMatchObject({ code: 'worker' });
  });

  it('settles when a result or an argument cannot be cloned', async () => {
    const client = serving({ give: () => () => 1, echo: (_, x: unknown) => x });
    await expect(client.call('give', [])).rejects.toBeInstanceOf(ContextscopeError);
    await expect(client.call('echo', [() => 1])).rejects.toMatchObject({ code: 'worker' });
    expect(await client.call('echo', ['still alive'])).toBe('still alive');
  });

  it('moves buffers that are meant to move', async () => {
    const kept: Float32Array[] = [];
    const client = serving({
      make: () => {
        const row = Float32Array.of(1, 2);
        kept.push(row);
        return new Transferred(row, [row.buffer]);
      },
    });
    expect(await client.call('make', [])).toEqual(Float32Array.of(1, 2));
    expect(kept[0]!.length).toBe(0);
  });

  it('cancels by signal, before and during the call', async () => {
    const client = serving({ wait: untilAborted });
    await expect(client.call('wait', [], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(started).toHaveLength(0);
    const controller = new AbortController();
    const call = client.call('wait', [], { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(started[0]!.terminated).toBe(false);
  });
});

describe('a worker that dies', () => {
  it.each(['crash', 'garble'] as const)('rejects all pending calls on %s and a new worker takes over', async (how) => {
    const client = serving({ wait: untilAborted, echo: (_, x: number) => x });
    const calls = [client.call('wait', []), client.call('wait', [])];
    await sleep(5);
    started[0]![how]('out of memory');
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'worker' });
    expect(started[0]!.terminated).toBe(true);
    expect(await client.call('echo', [7])).toBe(7);
    expect(started).toHaveLength(2);
  });

  it('rejects when a worker cannot even be made', async () => {
    let fails = true;
    const client = clientOf(() => {
      if (fails) throw new Error('blocked by policy');
      return fakeRpcWorker({ echo: (_, x: number) => x });
    });
    await expect(client.call('echo', [1])).rejects.toMatchObject({ code: 'worker', message: expect.stringContaining('blocked by policy') });
    fails = false;
    expect(await client.call('echo', [1])).toBe(1);
  });

  it('is found hung when it answers no ping', async () => {
    const workers = [hungWorker(), fakeRpcWorker({ echo: (_, x: number) => x })];
    const client = clientOf(() => workers.shift()!, { hangMs: 60 });
    await expect(client.call('echo', [1])).rejects.toMatchObject({ code: 'worker', message: expect.stringContaining('not answered') });
    expect(await client.call('echo', [2])).toBe(2);
  });

  it('is not ended for a long call while it answers pings', async () => {
    const client = serving({ slow: () => sleep(250).then(() => 'done') }, { hangMs: 60 });
    expect(await client.call('slow', [])).toBe('done');
    expect(started[0]!.terminated).toBe(false);
  });

  it('is ended when it ignores a cancel: that call is cancelled, the others fail', async () => {
    const client = serving({ deaf: () => sleep(5_000) }, { cancelGraceMs: 40 });
    const controller = new AbortController();
    const cancelled = client.call('deaf', [], { signal: controller.signal });
    const other = client.call('deaf', []);
    controller.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    await expect(other).rejects.toMatchObject({ code: 'worker' });
    expect(started[0]!.terminated).toBe(true);
  });

  it('dispose settles what is pending', async () => {
    const client = serving({ wait: untilAborted });
    const call = client.call('wait', []);
    client.dispose();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('newest wins', () => {
  it('runs the first and the last of a burst; those between never reach the worker', async () => {
    const ran: number[] = [];
    const client = serving({
      work: async ({ signal }, n: number) => {
        ran.push(n);
        await sleep(20);
        throwIfCancelled(signal);
        return n;
      },
    });
    const calls = [1, 2, 3, 4].map((n) => client.call('work', [n], { lane: 'replay' }));
    const settled = await Promise.allSettled(calls);
    expect(settled.map((s) => (s.status === 'fulfilled' ? s.value : (s.reason as ContextscopeError).code))).toEqual(['cancelled', 'cancelled', 'cancelled', 4]);
    expect(ran).toEqual([1, 4]);
  });

  it('rejects the older one at once, not when the worker has ended it', async () => {
    const client = serving({ work: () => sleep(200).then(() => 'late') });
    const old = client.call('work', [], { lane: 'a' });
    const since = performance.now();
    const newest = client.call('work', [], { lane: 'a' });
    await expect(old).rejects.toMatchObject({ code: 'cancelled' });
    expect(performance.now() - since).toBeLessThan(100);
    expect(await newest).toBe('late');
  });

  it('keeps lanes apart and reports the newest error', async () => {
    const client = serving({
      work: async (_, n: number) => {
        await sleep(5);
        if (n === 2) throw new ContextscopeError('bad-argument', 'two');
        return n;
      },
    });
    const [a, b, c] = [client.call('work', [1], { lane: 'a' }), client.call('work', [2], { lane: 'a' }), client.call('work', [3], { lane: 'b' })];
    await expect(a).rejects.toMatchObject({ code: 'cancelled' });
    await expect(b).rejects.toMatchObject({ code: 'bad-argument' });
    expect(await c).toBe(3);
    expect(await client.call('work', [4], { lane: 'a' })).toBe(4);
  });
});

describe('a large result', () => {
  it('arrives in many messages and is whole again', async () => {
    const strings = Array.from({ length: 5001 }, (_, i) => `text ${i}`);
    const objects = Array.from({ length: 1200 }, (_, i) => ({ step: i, ids: [`B${i}`] }));
    const sparse = Array.from({ length: 4100 }, (_, i) => (i % 2 ? `t${i}` : undefined));
    const value = { blocks: { gist: strings, n: 5001, tokens: Uint32Array.of(1, 2), short: ['a'] }, ops: objects, sparse, empty: [], nothing: null };
    const client = serving({ give: () => new InPieces(value), list: () => new InPieces(strings) });
    const call = client.call('give', []);
    let messages = 0;
    started[0]!.addEventListener('message', () => messages++);
    const got = await call;
    expect(got).toEqual(value);
    expect(messages).toBe(6 + 5 + 5 + 1);
    expect(value.blocks.gist).toHaveLength(5001);
    expect(await client.call('list', [])).toEqual(strings);
  });

  it('moves copies of its columns: the worker keeps its own, views of one buffer come apart', async () => {
    const buffer = new ArrayBuffer(80_000);
    const value = { first: new Float64Array(buffer, 0, 5_000).fill(1), second: new Float64Array(buffer, 40_000).fill(2), small: Uint8Array.of(7) };
    const got = await serving({ give: () => new InPieces(value) }).call('give', []);
    expect(got).toEqual(value);
    expect((got as typeof value).first.buffer.byteLength).toBe(40_000);
    expect(value.first[0]).toBe(1);
  });
});
