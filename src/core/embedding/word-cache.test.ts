import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withWordCache } from './word-cache';

const read = (name: string): object => JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../public/models', name), 'utf8')) as object;
const tokenizer = new Tokenizer(read('tokenizer.json'), read('tokenizer_config.json'));
const plain = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false }).ids;

describe('withWordCache', () => {
  it('gives the ids of the tokenizer for any text (property)', () => {
    const encode = withWordCache(plain);
    const fragments = fc.constantFrom(
      'the ', 'Word', 'snake_case', 'x=1;', '\n', '\t', '\r\n', ' ', '\u00a0', '\u2028', '\u000b', '\u0000', '\u0001', '\u007f', '\u200b', '\ufeff', '[SEP]', '[', 'SEP', ']', '[sep]',
      '\u00e9', 'e\u0301', '\u0301', '\u4e2d\u6587', '\u{1f600}', '\u{20000}', '\u2026', '\ufffd', '\u0130', '\u00df', '-', '"', '\\', '9'.repeat(101), 'a'.repeat(99), '\uff21', '\u0e01', '$', '^~`',
    );
    const text = fc.array(fc.oneof({ weight: 4, arbitrary: fragments }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) }), { maxLength: 25 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        expect(encode(given)).toEqual(plain(given));
      }),
      { numRuns: 3000 },
    );
  });

  it('asks for each word once', () => {
    const asked: string[] = [];
    const encode = withWordCache((word) => {
      asked.push(word);
      return [word.length];
    });
    expect(encode('read file, read  file\n')).toEqual([4, 4, 1, 4, 4]);
    expect(encode('file')).toEqual([4]);
    expect(asked).toEqual(['read', 'file', ',']);
  });
});
