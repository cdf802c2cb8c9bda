import { describe, expect, it } from 'vitest';
import { replay } from '../../core/workspace';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { opLogJson } from './op-log';

describe('op log as a file', () => {
  it('holds every op but the admissions, in order, and what it was replayed with', () => {
    const replayed = replay(inputOf(blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 15'), []), { policy: 'auto-archive', budget: 1000 }, countWords);
    const log = JSON.parse(opLogJson(replayed)) as { policy: string; budget: number; ops: { step: number; op: string; ids: string[]; result?: string }[] };
    expect(log).toMatchObject({ policy: 'auto-archive', budget: 1000 });
    const wanted = replayed.ops.filter(({ op }) => op !== 'admit');
    expect(wanted.length).toBeGreaterThan(0);
    expect(log.ops.map(({ step, op, ids, result }) => ({ step, op, ids, result }))).toEqual(wanted.map(({ step, op, ids, result }) => ({ step, op, ids, result })));
  });
});
