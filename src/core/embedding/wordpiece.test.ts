import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { createWordPiece } from './wordpiece';

const read = (name: string): object => JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../public/models', name), 'utf8')) as object;
const pieces = createWordPiece(read('tokenizer.json'), read('tokenizer_config.json'));

interface TokenCase { name: string; text?: string; repeat?: [string, number]; wordpiece: number; wordpieceSha256: string }

describe('WordPiece ids', () => {
  it.skipIf(!hasShared)('equal those of the reference tokenizer on every text of tokens.json', () => {
    const { cases } = JSON.parse(readFileSync(sharedPath('oracles/tokens.json'), 'utf8')) as { cases: TokenCase[] };
    expect(cases.length).toBeGreaterThanOrEqual(40);
    for (const { name, text, repeat, wordpiece, wordpieceSha256 } of cases) {
      const ids = pieces.encode(text ?? repeat?.[0].repeat(repeat[1]) ?? '');
      const found = [name, ids.length, createHash('sha256').update(ids.join(',')).digest('hex')];
      expect(found).toEqual([name, wordpiece, wordpieceSha256]);
    }
  });

  it('are those of BERT uncased, without special tokens', () => {
    // ids of the published vocabulary
    expect(pieces.encode('Hello, world!')).toEqual([7592, 1010, 2088, 999]);
    expect([pieces.clsId, pieces.sepId]).toEqual([101, 102]);
    expect(pieces.encode('')).toEqual([]);
    expect(pieces.encode(' \n\t ')).toEqual([]);
  });

  // ids printed by the reference implementation (Rust, tokenizers 0.23.3)
  it.each([
    ['ΟΔΟΣ ΣΑΣ', [1169, 29722, 29730, 29733, 1173, 14608, 29733]],
    ['x\u{20000}\u{2f81a}x', [1060, 100, 100, 1060]],
  ])('equal the reference where the library alone does not: %s', (text, ids) => {
    expect(pieces.encode(text)).toEqual(ids);
  });

  it('never cut a long text', () => {
    expect(pieces.encode('word '.repeat(5000))).toHaveLength(5000);
  });
});
