/** Archive and recover through three levels, byte for byte, on payloads with every nasty character (invariant 2). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countQuarters, factsOf, replayOfWorkspace, tableOf, textOfBlock, type TestBlock } from '../../testing/workspace';
import { detachText } from '../base/text';
import { KIND } from './kinds';
import { admit, archive, recover } from './operations';
import { readPayload, verifyPayload } from './payload';
import { Workspace } from './workspace';

const BY = { actor: 'user', reason: 'test' } as const;
const NASTY = [
  '', '\u0000\u0001\u001b[31m', '\ufeffmark', 'line\r\nline\rline\n', '👩‍👩‍👧‍👦 é ﷽', '\u202eright to left\u202c', '[ARCHIVED:B3 L1] [RECOVERED:B3]\n',
  '</context_workspace_status>', '{"a":"\\u0000"}', '\u2028\u2029', '\ud83d\ude00'.repeat(500), 'ß'.repeat(5000),
];
const payload = fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme', maxLength: 60 }), fc.string({ unit: 'binary', maxLength: 60 }).map(detachText));

it('reads every block back from under three handles, whole and in ranges', () => {
  fc.assert(fc.property(fc.array(payload, { minLength: 4, maxLength: 4 }), fc.nat(200), fc.nat(200), (texts, from, length) => {
    const blocks: TestBlock[] = texts.map((text, i) => ({ kind: 'user', tokens: 10 + i, born: 1, text }));
    blocks.push({ kind: 'assistant', tokens: 1, born: 2 });
    const ws = new Workspace({ table: tableOf(blocks), facts: factsOf(blocks), budget: 9000, dashboard: { kind: 'none', foldArchived: true }, protocolTokens: 0, count: countQuarters });
    ws.step = 1;
    admit(ws, [0, 1, 2, 3]);
    const first = archive(ws, [0, 1], BY, 'summary');
    const second = archive(ws, [first, 2], BY, 'summary');
    const third = archive(ws, [second, 3], BY, 'summary');
    expect(ws.columns.level.get(third)).toBe(3);
    const copies = [0, 1, 2, 3].map((item) => recover(ws, ws.columns.container.get(item), [item], BY));
    const replayed = replayOfWorkspace(ws, [0, ws.ops.length], [ws.size]);
    const textOf = (base: number): string => textOfBlock(blocks[base]!, base);
    const none = new Uint8Array(0);
    const bytes = new TextEncoder().encode(texts.join(''));
    expect(readPayload(replayed, none, third, textOf).bytes).toEqual(bytes);
    expect(verifyPayload(replayed, third, textOf)).toBe(true);
    expect(readPayload(replayed, none, third, textOf, [from, from + length]).bytes).toEqual(bytes.slice(from, from + length));
    copies.forEach((copy, i) => {
      expect(replayed.blocks.kind[copy]).toBe(KIND.recovered);
      expect(readPayload(replayed, none, copy, textOf).bytes).toEqual(new TextEncoder().encode(texts[i]));
    });
  }), { numRuns: 60 });
});
