import { describe, expect, it } from 'vitest';
import type { InferenceEngine } from '../core/embedding/types';
import { hasWebGpu, withFallback } from './ort-fallback';

const engine = (name: number, state: { broken?: boolean; disposed?: number } = {}): InferenceEngine => ({
  run: (ids) => (state.broken ? Promise.reject(new Error('device lost')) : Promise.resolve(Float32Array.of(name, ids.length))),
  dispose: () => {
    state.disposed = (state.disposed ?? 0) + 1;
    return Promise.resolve();
  },
});

describe('withFallback', () => {
  it('repeats the failed run on the second engine and stays there', async () => {
    const state = { broken: false, disposed: 0 };
    const reasons: unknown[] = [];
    let made = 0;
    const both = withFallback(engine(1, state), () => Promise.resolve(engine(2 + made++)), (reason) => reasons.push(reason));
    expect(Array.from(await both.run(BigInt64Array.of(7n)))).toEqual([1, 1]);
    state.broken = true;
    const [a, b] = await Promise.all([both.run(BigInt64Array.of(7n, 8n)), both.run(BigInt64Array.of(7n))]);
    expect([Array.from(a ?? []), Array.from(b ?? [])]).toEqual([[2, 2], [2, 1]]);
    state.broken = false;
    expect(Array.from(await both.run(BigInt64Array.of(7n)))).toEqual([2, 1]);
    expect([made, reasons.length, state.disposed]).toEqual([1, 1, 1]);
  });

  it('tries the second engine again when making it failed', async () => {
    let tries = 0;
    const both = withFallback(engine(1, { broken: true }), () => (tries++ === 0 ? Promise.reject(new Error('no memory')) : Promise.resolve(engine(2))), () => undefined);
    await expect(both.run(BigInt64Array.of(1n))).rejects.toThrow('no memory');
    expect(Array.from(await both.run(BigInt64Array.of(1n)))).toEqual([2, 1]);
  });
});

describe('hasWebGpu', () => {
  it('needs an adapter, not only the interface', async () => {
    expect(await hasWebGpu({})).toBe(false);
    expect(await hasWebGpu({ gpu: { requestAdapter: () => Promise.resolve(null) } })).toBe(false);
    expect(await hasWebGpu({ gpu: { requestAdapter: () => Promise.reject(new Error('blocked')) } })).toBe(false);
    expect(await hasWebGpu({ gpu: { requestAdapter: () => Promise.resolve({}) } })).toBe(true);
  });

  it('does not take an adapter in software', async () => {
    for (const adapter of [{ isFallbackAdapter: true }, { info: { isFallbackAdapter: true } }]) {
      expect(await hasWebGpu({ gpu: { requestAdapter: () => Promise.resolve(adapter) } })).toBe(false);
    }
    expect(await hasWebGpu({ gpu: { requestAdapter: () => Promise.resolve({ info: { isFallbackAdapter: false } }) } })).toBe(true);
  });
});
