import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { MessageFlag } from '../trace/model';
import { continuationChains } from './continuations';
import type { Continued } from './continuations';
import { importFiles } from './import-files';
import { createTraceReader } from './reader';

const file = (path: string, continuedIn?: string, format = 'atif'): Continued => ({ path, format, links: { isSubagent: false, callOfAgent: new Map(), spawnByPrompt: new Map(), ...(continuedIn === undefined ? {} : { continuedIn }) } });

describe('chains of files', () => {
  it('follow the names inside one folder, in any order of the files', () => {
    expect(continuationChains([file('a/t.cont-2.json'), file('a/t.json', 't.cont-1.json'), file('b/t.cont-1.json'), file('a/t.cont-1.json', 't.cont-2.json')])).toEqual([[1, 3, 0]]);
    expect(continuationChains([file('run.zip!a/t.json', 't.cont-1.json'), file('run.zip!a/t.cont-1.json')])).toEqual([[0, 1]]);
  });

  it('are not made of circles, of names that two files have, or of other formats', () => {
    expect(continuationChains([file('a', 'b'), file('b', 'a')])).toEqual([]);
    expect(continuationChains([file('a', 'a')])).toEqual([]);
    expect(continuationChains([file('a', 'b'), file('b'), file('b')])).toEqual([]);
    expect(continuationChains([file('a', 'b'), file('b', undefined, 'pi')])).toEqual([]);
    expect(continuationChains([file('a', 'c'), file('b', 'c'), file('c')])).toEqual([[0, 2]]);
    expect(continuationChains([{ path: 'a', format: 'atif', links: undefined }])).toEqual([]);
  });
});

describe('an ATIF run in two files', () => {
  const open = (name: string): ReturnType<typeof bytesSource> => bytesSource(name, readFileSync(resolve(import.meta.dirname, 'fixtures/atif/continued', name)));

  it('is one, with a compaction between its contexts and no step twice', async () => {
    const { groups, failures } = await importFiles([open('trajectory.cont-1.json'), open('trajectory.json')]);
    expect(failures).toEqual([]);
    expect(groups.length).toBe(1);
    const [group] = groups;
    const [run] = group!.trajectories;
    expect(traceFaults(run!, group!.source.size)).toEqual([]);
    const texts: string[] = [];
    await createTraceReader(group!.source, run!).readMessages(run!.threads[0]!.main, ({ parts }) => { texts.push(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('|')); });
    expect(texts).toEqual(['Paint all buoys', 'One is done.|tool_call', 'tool_result', 'So far buoy 1 was painted.', 'Two is done.|tool_call', 'tool_result']);
    expect(run!.events.filter(({ kind }) => kind === 'compaction').map(({ afterRow, data }) => [afterRow, data])).toEqual([[2, { tokensBefore: 900, tokensAfter: 100, trigger: null, summaryRow: 3, firstKeptRow: null, copiedSteps: 1 }]]);
    expect(run!.columns.flags[3]! & MessageFlag.compactSummary).not.toBe(0);
    expect(run!.usage.input).toBe(1000);
    expect(group!.reports[0]!.recordKinds).toEqual({ step: 4, 'copied step': 1 });
    expect(group!.reports[0]!.warnings).toEqual(['The run goes on from file to file: trajectory.json, trajectory.cont-1.json.']);
  });

  it('stays two runs where only one file is given', async () => {
    const { groups } = await importFiles([open('trajectory.json')]);
    expect(groups[0]!.trajectories[0]!.events.map(({ kind, sourceKind }) => [kind, sourceKind])).toEqual([['checkpoint', 'continued_trajectory_ref']]);
  });
});
