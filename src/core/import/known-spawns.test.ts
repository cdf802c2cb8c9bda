import { describe, expect, it } from 'vitest';
import { claude, lines, read, toolResult, toolUse } from '../../testing/import-cases';
import { withKnownSpawns } from './known-spawns';

describe('threads of sub-agents', () => {
  it('name the call that started them only where it is in the run', async () => {
    const { run } = await read(lines(claude('user', 0, 'go'), claude('assistant', 1, [toolUse('here')]), claude('user', 2, [toolResult('here')])));
    const thread = (id: string, spawnedBy?: string) => ({ ...run.threads[0]!, id, parentThread: 'main', ...(spawnedBy === undefined ? {} : { spawnedBy }) });
    const draft = { ...run, threads: [run.threads[0]!, thread('a', 'here'), thread('b', 'lost'), thread('c')] };
    expect(withKnownSpawns(draft).threads.map(({ id, parentThread, spawnedBy }) => [id, parentThread, spawnedBy])).toEqual([['main', undefined, undefined], ['a', 'main', 'here'], ['b', 'main', undefined], ['c', 'main', undefined]]);
    expect(withKnownSpawns(run)).toBe(run);
  });
});
