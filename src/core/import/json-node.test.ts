import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonNode, peek, skipValue } from './json-node';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const nodeOf = (text: string): JsonNode => {
  const bytes = bytesOf(text);
  return new JsonNode(bytes, 0, bytes.length, 0);
};

/** Every nested value found by scanning must be what JSON.parse has at that place. */
function expectSame(node: JsonNode, value: unknown): void {
  expect(node.value()).toEqual(value);
  if (Array.isArray(value)) {
    const elements = node.elements();
    expect(elements.length).toBe(value.length);
    elements.forEach((element, i) => { expectSame(element, value[i]); });
  } else if (typeof value === 'object' && value !== null) {
    const fields = node.fields();
    expect([...fields.keys()].sort()).toEqual(Object.keys(value).sort());
    for (const [key, field] of fields) expectSame(field, (value as Record<string, unknown>)[key]);
  }
}

describe('JsonNode', () => {
  it('finds the bytes of every nested value', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), fc.integer({ min: 0, max: 4 }), (text, indent) => {
        const value: unknown = JSON.parse(text);
        const written = JSON.stringify(value, null, indent);
        expect(skipValue(bytesOf(written), 0, bytesOf(written).length)).toBe(bytesOf(written).length);
        expectSame(nodeOf(written), value);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('counts bytes, not characters', () => {
    const text = '{"ü":"é€😀","b":[ "x" , {"c":"\\"]}"} ]}';
    const node = nodeOf(text);
    const inner = node.field('b')!.elements()[1]!;
    expect(inner.value()).toEqual({ c: '"]}' });
    expect(inner.byteOffset).toBe(bytesOf(text.slice(0, text.indexOf('{"c"'))).length);
    expect(node.field('ü')?.value()).toBe('é€😀');
  });

  it('gives the complete elements of a cut document', () => {
    const bytes = bytesOf('{"messages":[{"a":1},{"a":2},{"a":"cu');
    const node = new JsonNode(bytes, 0, bytes.length, 0, true);
    expect(node.field('messages')?.cut).toBe(true);
    expect(node.field('messages')?.elements().map((element) => element.value())).toEqual([{ a: 1 }, { a: 2 }]);
    expect(skipValue(bytes, 0, bytes.length)).toBe(-1);
  });

  it('keeps the last of repeated keys and reads escaped keys', () => {
    expect(nodeOf('{"a":1,"\\u0061":2}').field('a')?.value()).toBe(2);
  });

  it('is empty for what is no object or array, and stops at junk', () => {
    expect(nodeOf('"text"').fields().size).toBe(0);
    expect(nodeOf('12').elements()).toEqual([]);
    expect(nodeOf('{"a" 1}').fields().size).toBe(0);
    expect(nodeOf('{a:1}').fields().size).toBe(0);
    expect(nodeOf('[}').elements()).toEqual([]);
  });

  it('goes 100 000 levels deep without recursion', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(skipValue(bytesOf(deep), 0, deep.length)).toBe(deep.length);
    expect(nodeOf(`{"a":${deep}}`).field('a')?.byteLength).toBe(deep.length);
  });

  it('peeks into a large value without reading all of it', () => {
    const list = Array.from({ length: 5000 }, (_, i) => ({ role: 'user', content: `message ${i}` }));
    const seen = peek(nodeOf(JSON.stringify({ messages: list, note: 'x'.repeat(100_000) }))) as { messages: unknown[]; note: string };
    expect(seen.messages).toEqual(list.slice(0, 8));
    expect(seen.note).toBe('');
  });
});
