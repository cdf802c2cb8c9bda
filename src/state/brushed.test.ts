import { describe, expect, it } from 'vitest';
import type { OpenLine } from '../workers/api';
import { basesOfInteractions, interactionsOfBases, toggleBrush } from './brushed';

// Messages: 0 task, 1 call (two blocks: 1 and 2), 2 result, 3 call, 4 result.
const line = { blocks: { n: 6, messageIndex: Uint32Array.of(0, 1, 1, 2, 3, 4) }, interactionBlocks: [[1, 2], [3, 4]] } as unknown as OpenLine;

describe('the brush between views', () => {
  it('goes from interaction blocks to context blocks and back', () => {
    expect(basesOfInteractions(line, [0])).toEqual([1, 2, 3]);
    expect(basesOfInteractions(line, [1, 0])).toEqual([1, 2, 3, 4, 5]);
    expect(interactionsOfBases(line, [0])).toEqual([]);
    expect(interactionsOfBases(line, [2, 5])).toEqual([0, 1]);
  });

  it('puts blocks in, and takes them out when all were in', () => {
    expect(toggleBrush([4], [2, 9])).toEqual([2, 4, 9]);
    expect(toggleBrush([2, 4, 9], [2, 4])).toEqual([9]);
  });
});
