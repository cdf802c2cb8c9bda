import { describe, expect, it } from 'vitest';
import { locate, openEmbedded, parseSpan } from './embedded-json';
import { JsonNode } from './json-node';

const nodeOf = (text: string): JsonNode => {
  const bytes = new TextEncoder().encode(text);
  return new JsonNode(bytes, 0, bytes.length, 1000);
};
/** The bytes of a span, read as the reader reads them. */
const readBack = (text: string, offset: number, length: number): unknown => parseSpan(new TextDecoder().decode(new TextEncoder().encode(text).subarray(offset - 1000, offset - 1000 + length)));

describe('JSON inside a JSON string', () => {
  const value = [{ role: 'user', content: 'a "quote", a \\ and\nlines' }, { role: 'ä😀\u2028', content: '\ud83d' }, { n: [1, 2.5e3, null, true] }, 'text', [[]], {}];

  it('has spans that read back as the same values', () => {
    const text = JSON.stringify({ input: JSON.stringify(value, null, 1) });
    const outer = locate(nodeOf(text), 3);
    const inner = openEmbedded(outer, outer.node.field('input')!)!;
    const spans = inner.node.elements().map((element) => inner.span(element));
    expect(spans.every((span) => span.line === 3)).toBe(true);
    expect(spans.map((span) => readBack(text, span.byteOffset, span.byteLength))).toEqual(value);
  });

  it('reads escapes that a writer chose to spell out', () => {
    const text = String.raw`{"x":"[\u007b\u0022a\u0022:\u0022\u00e4 \ud83d\ude00 \/\u0022}]"}`;
    const outer = locate(nodeOf(text), 0);
    const inner = openEmbedded(outer, outer.node.field('x')!)!;
    expect(inner.node.value()).toEqual([{ a: 'ä 😀 /' }]);
  });

  it('opens strings inside strings', () => {
    const text = JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(['deep "x"']) }) });
    const outer = locate(nodeOf(text), 0);
    const middle = openEmbedded(outer, outer.node.field('a')!)!;
    const inner = openEmbedded(middle, middle.node.field('b')!)!;
    const span = inner.span(inner.node.elements()[0]!);
    expect(readBack(text, span.byteOffset, span.byteLength)).toBe('deep "x"');
  });

  it.each(['plain text', '[cut', '', '12', '{"a":}'])('is not found in %j', (content) => {
    const outer = locate(nodeOf(JSON.stringify([content])), 0);
    expect(openEmbedded(outer, outer.node.elements()[0]!)).toBeNull();
  });

  it.each(['{"a":', String.raw`\"a`, 'x'])('a span of %j is refused', (text) => {
    expect(() => parseSpan(text)).toThrow(SyntaxError);
  });
});
