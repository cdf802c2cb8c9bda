import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { interactionBlocks } from './interaction';

describe('interaction blocks', () => {
  it('are answers with all of their results', () => {
    const found = interactionBlocks(parseTrace(`
      user: go
      call a ls {}
      call b ls {}
      result a: 1
      result b: 2
      assistant: no call here
      ---
      call c ls {}
      ---
      call d ls {}
      result d: 4
    `));
    expect(found.blocks).toEqual([[1, 2, 3], [6, 7]]);
    expect(found.idsClash).toBe(false);
    // Calls stand at messages 1, 4, 5, 6.
    expect([...found.checkpointOfStep]).toEqual([0, 1, 1, 1]);
  });

  it('count into a checkpoint only when no block before them is open', () => {
    const found = interactionBlocks(parseTrace(`
      call slow run {}
      ---
      call b ls {}
      result b: 2
      assistant: waiting
      result slow: 1
      assistant: done
    `));
    expect(found.blocks).toEqual([[0, 4], [1, 2]]);
    expect([...found.checkpointOfStep]).toEqual([0, 0, 0, 2]);
  });

  it('say when ids are used twice, and pair by a queue', () => {
    const found = interactionBlocks(parseTrace('call 0 a {}\nresult 0: x\ncall 0 b {}\nresult 0: y'));
    expect(found).toMatchObject({ blocks: [[0, 1], [2, 3]], idsClash: true });
  });

  it('pair in order where there are no ids, and ignore results nobody asked for', () => {
    const found = interactionBlocks(parseTrace('result -: early\ncall - a {}\ncall - b {}\nresult -: x\n+ result -: y\nresult z: late'));
    expect(found).toMatchObject({ blocks: [[1, 2]], idsClash: false });
  });

  it('hold one message when it has its own results', () => {
    expect(interactionBlocks(parseTrace('call a s {}\n+ result a: x')).blocks).toEqual([[0]]);
  });
});
