import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson } from './json';

describe('parseJson', () => {
  it('reads what Python writes for numbers that JSON has not', () => {
    expect(parseJson('{"a":NaN,"b":[Infinity,-Infinity],"c":"NaN, -Infinity and \\"NaN\\""}')).toEqual({ a: null, b: [null, null], c: 'NaN, -Infinity and "NaN"' });
  });

  it('throws SyntaxError on the rest', () => {
    for (const text of ['', '{', '{"a":NaNa}', "{'a':1}", '[1,]']) expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('keeps __proto__ as a plain key', () => {
    const value = parseJson('{"__proto__":{"x":1}}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(stringifyJson(value)).toBe('{"__proto__":{"x":1}}');
  });
});

describe('stringifyJson', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => { expect(stringifyJson(value)).toBe(JSON.stringify(value)); }), { numRuns: 200, seed: 2 });
  });

  it('writes nesting that is too deep for recursion', () => {
    const text = '{"a":[1,"x",'.repeat(20_000) + 'null' + ']}'.repeat(20_000);
    expect(stringifyJson(JSON.parse(text))).toBe(text);
  });

  it('is empty for undefined', () => {
    expect(stringifyJson(undefined)).toBe('');
  });
});
