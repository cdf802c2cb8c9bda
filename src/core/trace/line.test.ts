import { describe, expect, it } from 'vitest';
import { defaultLine, rowsOfLine } from './line';
import type { Trajectory } from './model';

const trajectory: Pick<Trajectory, 'name' | 'threads'> = {
  name: 'run',
  threads: [
    {
      id: 'main', tools: [], countsReasoning: false, main: Uint32Array.of(0, 1, 4, 5),
      branches: [{ id: 'b1', forkAfter: 1, rows: Uint32Array.of(2, 3) }, { id: 'b2', forkAfter: -1, rows: Uint32Array.of(6) }],
    },
    { id: 'side', tools: [], countsReasoning: false, main: Uint32Array.of(7), branches: [], parentThread: 'main' },
  ],
};
const run = trajectory as Trajectory;

describe('lines', () => {
  it('gives the main line, a branch with what it shares, and another thread', () => {
    expect([...rowsOfLine(run, { thread: 'main' })]).toEqual([0, 1, 4, 5]);
    expect([...rowsOfLine(run, { thread: 'main', branch: 'b1' })]).toEqual([0, 1, 2, 3]);
    expect([...rowsOfLine(run, { thread: 'main', branch: 'b2' })]).toEqual([6]);
    expect([...rowsOfLine(run, { thread: 'side' })]).toEqual([7]);
  });

  it('opens the first thread first', () => {
    expect(defaultLine(run)).toEqual({ thread: 'main' });
    expect(() => defaultLine({ ...run, threads: [] })).toThrow(/no messages/);
  });

  it('says which threads and branches there are not', () => {
    expect(() => rowsOfLine(run, { thread: 'x' })).toThrow(/no thread "x"; it has main, side/);
    expect(() => rowsOfLine(run, { thread: 'main', branch: 'x' })).toThrow(/no branch "x"/);
  });
});
