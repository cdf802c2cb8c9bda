import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from './sha256';

const reference = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

describe('SHA-256 of a text', () => {
  it.each(['', 'abc', 'é漢😀', 'lone \ud83d surrogate', '\ufeffmark', '\0', 'a'.repeat(2730), 'a'.repeat(2731), '漢'.repeat(2730), '漢'.repeat(2731), '😀'.repeat(1365), 'x'.repeat(100_000)])(
    'is that of its UTF-8 bytes (%#)', (text) => expect(sha256Hex(text)).toBe(reference(text)));

  it('leaves nothing of a longer text in a shorter one', () => {
    const long = sha256Hex('0123456789'.repeat(200));
    expect(sha256Hex('0')).toBe(reference('0'));
    expect(sha256Hex('0123456789'.repeat(200))).toBe(long);
  });
});
