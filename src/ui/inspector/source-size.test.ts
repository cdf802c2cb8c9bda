import { describe, expect, it } from 'vitest';
import { sourceSize } from './source-size';

/** Blocks 0–3 are recorded; 4 holds 0 and 1; 5 holds 4, 2 and (again) 1. */
const blocks = {
  memberStart: Uint32Array.of(0, 0, 0, 0, 0, 2, 5),
  members: Uint32Array.of(0, 1, 4, 2, 1),
  payloadTokens: Uint32Array.of(10, 20, 40, 80, 7, 5),
  payloadBytes: Float64Array.of(1, 2, 4, 8, 3, 3),
};

describe('sourceSize', () => {
  it('sums what a node stands for down to the recorded blocks, each once', () => {
    expect(sourceSize(blocks, 4)).toEqual({ blocks: 2, tokens: 30, bytes: 3 });
    expect(sourceSize(blocks, 5)).toEqual({ blocks: 3, tokens: 70, bytes: 7 });
  });

  it('of a block without sources is its own', () => {
    expect(sourceSize(blocks, 3)).toEqual({ blocks: 1, tokens: 80, bytes: 8 });
  });
});
