import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { messagesReader, trajectoryOf } from '../../testing/trace-reader';
import { analyseLine } from './analyse';

const messages = parseTrace(`
  system: You are careful.
  user: Fix it
  call a read {"path":"src/one.ts"}
  result a: see lib/two.ts
  call b read {"path":"lib/two.ts"}
  result b: done
  assistant: ok
`);
const counter = { encoding: 'cl100k_base' as const, count: (text: string) => text.split(' ').length };

describe('analyseLine', () => {
  it('derives everything of a line in one reading', async () => {
    const trajectory = trajectoryOf(messages, { tools: [{ name: 'read', json: '{ }' }] });
    const progress: number[] = [];
    let seen = 0;
    const line = await analyseLine(messagesReader(messages), trajectory, { thread: 'main' }, counter, { sliceCharacters: 1, onProgress: (done) => progress.push(done), onMessage: () => seen++ });
    expect(line.rows).toEqual(trajectory.threads[0]!.main);
    expect(line.facts).toMatchObject({ steps: 3, toolSchemaTokens: 2, fixedOverhead: 5 });
    expect(line.blocks).toMatchObject({ n: 7, tokensAre: 'exact', encoding: 'cl100k_base' });
    expect(line.evidence.lexemes).toEqual(['lib/two.ts']);
    expect(line.interactionBlocks).toEqual([[2, 3], [4, 5]]);
    expect([...line.checkpointOfStep]).toEqual([0, 1, 2]);
    expect(line.idsClash).toBe(false);
    expect(seen).toBe(7);
    expect(progress.at(-1)).toBe(7);
    expect(progress.length).toBeGreaterThan(3);
  });

  it('estimates without a counter', async () => {
    const line = await analyseLine(messagesReader(messages), trajectoryOf(messages), { thread: 'main' }, null);
    expect([line.blocks.tokensAre, line.blocks.tokens[0]]).toEqual(['estimated', 4]);
  });

  it('stops when it is cancelled', async () => {
    const abort = new AbortController();
    const work = analyseLine(messagesReader(messages), trajectoryOf(messages), { thread: 'main' }, null, { sliceCharacters: 1, signal: abort.signal, onProgress: () => abort.abort() });
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('reads a branch with what it shares of the main line', async () => {
    const trajectory = trajectoryOf(messages, { branches: [{ id: 'b1', forkAfter: 1, rows: Uint32Array.of(4, 5, 6) }] });
    const line = await analyseLine(messagesReader(messages), trajectory, { thread: 'main', branch: 'b1' }, counter);
    expect([...line.rows]).toEqual([0, 1, 4, 5, 6]);
    expect([...line.facts.stepMessage]).toEqual([2, 4]);
    // Nobody on this branch had said lib/two.ts before.
    expect(line.evidence.lexemes).toEqual([]);
    await expect(analyseLine(messagesReader(messages), trajectory, { thread: 'other' }, counter)).rejects.toMatchObject({ code: 'not-found' });
  });
});
