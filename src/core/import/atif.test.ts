import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { MessageFlag } from '../trace/model';
import { importFiles } from './import-files';

const open = (name: string): ReturnType<typeof bytesSource> => bytesSource(name, readFileSync(resolve(import.meta.dirname, 'fixtures/atif/handoff', name)));

describe('ATIF files that belong together', () => {
  it('are one run: a summarising sub-agent is a thread, and its tokens count once', async () => {
    const { groups, failures } = await importFiles([open('trajectory.summarization-1-summary.json'), open('trajectory.json')]);
    expect(failures).toEqual([]);
    expect(groups.map((group) => group.members)).toEqual([[1, 0]]);
    const run = groups[0]!.trajectories[0]!;
    expect(traceFaults(run, groups[0]!.source.size)).toEqual([]);
    expect(run.threads.map(({ id, parentThread, main }) => [id, parentThread, main.length])).toEqual([['main', undefined, 6], ['run-summarization-1-summary', 'main', 4]]);
    // final_metrics of the parent counts the sub-agent too: the joined run adds up to it.
    expect([run.usage.input, run.usage.output]).toEqual([1500, 56]);
  });

  it('do not count copied steps as calls of the sub-agent', async () => {
    const { groups } = await importFiles([open('trajectory.summarization-1-summary.json')]);
    const { columns } = groups[0]!.trajectories[0]!;
    expect([...columns.flags].map((flags) => (flags & MessageFlag.demonstration) !== 0)).toEqual([true, true, false, false]);
  });
});
