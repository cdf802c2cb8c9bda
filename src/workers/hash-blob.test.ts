import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashBlob } from './hash-blob';

const SLICE = 4 << 20;
const bytesOf = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 9)) & 255);
const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('the hash of a Blob', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.doUnmock('hash-wasm');
    vi.resetModules();
  });

  it('is that of node, natively and slice by slice', async () => {
    for (const length of [0, 1, SLICE, 2 * SLICE + 5]) {
      const bytes = bytesOf(length);
      const blob = new Blob([bytes]);
      expect(await hashBlob(blob)).toBe(expected(bytes));
      // No subtle: the page is not served securely, and the slices are hashed here.
      vi.stubGlobal('crypto', {});
      expect(await hashBlob(blob)).toBe(expected(bytes));
      vi.unstubAllGlobals();
    }
  });

  it('is the same where WebAssembly may not be compiled', async () => {
    vi.stubGlobal('crypto', {});
    vi.doMock('hash-wasm', () => ({ createSHA256: () => Promise.reject(new Error('refused')) }));
    vi.resetModules();
    const fresh = await import('./hash-blob');
    const bytes = bytesOf(SLICE + 7);
    expect(await fresh.hashBlob(new Blob([bytes]))).toBe(expected(bytes));
  });

  it('stops between two slices', async () => {
    vi.stubGlobal('crypto', {});
    await expect(hashBlob(new Blob([bytesOf(SLICE + 1)]), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
  });
});
