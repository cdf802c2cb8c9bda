import { describe, expect, it } from 'vitest';
import { claude, lines, read, toolResult, toolUse } from '../../testing/import-cases';
import type { Thread } from '../trace/model';
import { soundThreads } from './sound-threads';

describe('threads of a damaged file', () => {
  it('name the call that started them only where it is in the run, and have a name of their own', async () => {
    const { run } = await read(lines(claude('user', 0, 'go'), claude('assistant', 1, [toolUse('here')]), claude('user', 2, [toolResult('here')])));
    const thread = (id: string, spawnedBy?: string): Thread => ({ ...run.threads[0]!, id, parentThread: 'main', ...(spawnedBy === undefined ? {} : { spawnedBy }) });
    const draft = { ...run, threads: [run.threads[0]!, thread('a', 'here'), thread('b', 'lost'), thread('a')] };
    expect(soundThreads(draft).threads.map(({ id, parentThread, spawnedBy }) => [id, parentThread, spawnedBy])).toEqual([['main', undefined, undefined], ['a', 'main', 'here'], ['b', 'main', undefined], ['a+', 'main', undefined]]);
    expect(soundThreads(run)).toBe(run);
  });
});
