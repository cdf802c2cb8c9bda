import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import type { Message, Trajectory } from '../trace/model';
import { exportNormalised } from '../trace/normalised';
import { importFiles } from './import-files';
import { importSource } from './import-source';
import { createTraceReader } from './reader';
import type { ImportedGroup } from './types';

const ROOTS = [resolve(import.meta.dirname, 'fixtures'), ...(hasShared ? [sharedPath('trajectories')] : [])];
const files = ROOTS.flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).filter((path) => !/\.(tsv)$|README|unreadable/.test(path)).map((path) => ({ path, name: relative(root, path) })))
  .filter(({ path }) => readFileSync(path).length < 1_500_000);

async function exported(group: Pick<ImportedGroup, 'source' | 'trajectories'>): Promise<string> {
  const lines: string[] = [];
  for (const trajectory of group.trajectories) {
    const reader = createTraceReader(group.source, trajectory);
    await exportNormalised(trajectory, (...args) => reader.readMessages(...args), (line) => { lines.push(line); });
  }
  return lines.join('');
}

/** Everything of a run but where its bytes stand and in which order its strings were met. */
async function facts(trajectory: Trajectory, source: ByteSource): Promise<unknown> {
  const { id: _, format: __, sourceFormat: ___, indexInFile: ____, columns, events, ...rest } = trajectory;
  const text = (index: number): string => columns.strings[index]!;
  const messages: Omit<Message, 'spans'>[] = [];
  await createTraceReader(source, trajectory).readMessages(Array.from({ length: columns.n }, (_, row) => row), ({ spans: _, ...message }) => { messages.push(message); });
  const { n, role, flags, timestampMs, chars, callStart, resultStart, usage, resultErrors } = columns;
  return {
    rest, messages, events: events.map(({ span: _, ...event }) => event),
    columns: { n, role, flags, timestampMs, chars, callStart, resultStart, usage, resultErrors, model: [...columns.model].map(text), callKey: [...columns.callKey].map(text), callIds: [...columns.callIds].map(text), callNames: [...columns.callNames].map(text), resultCallIds: [...columns.resultCallIds].map(text) },
  };
}

async function checkRoundTrip(group: Pick<ImportedGroup, 'source' | 'trajectories'>): Promise<void> {
  const text = await exported(group);
  const source = bytesSource('x', new TextEncoder().encode(text));
  const { report, trajectories } = await importSource(source);
  expect([report.format, report.badRecordCount, report.unknownRecords]).toEqual(['contextscope', 0, {}]);
  expect(trajectories).toHaveLength(group.trajectories.length);
  for (const [i, trajectory] of trajectories.entries()) {
    const before = group.trajectories[i]!;
    expect(traceFaults(trajectory, source.size)).toEqual([]);
    expect(trajectory.sourceFormat).toBe(before.sourceFormat ?? before.format);
    expect(await facts(trajectory, source)).toEqual(await facts(before, group.source));
  }
  // And once more: the same bytes.
  expect(await exported({ source, trajectories })).toBe(text);
}

describe('export and import again', () => {
  it.each(files)('$name comes back as it was', async ({ path }) => {
    const { groups } = await importFiles([bytesSource(path, readFileSync(path))]);
    for (const group of groups) if (group.trajectories.length > 0) await checkRoundTrip(group);
  });

  it('a session with its sub-agent files too', async () => {
    const folder = join(ROOTS[0]!, 'claude-code/subagents');
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const { groups } = await importFiles(paths.map((path) => bytesSource(path, readFileSync(path))));
    expect(groups[0]!.trajectories[0]!.threads.length).toBe(4);
    await checkRoundTrip(groups[0]!);
  });

  it('a header that was lost costs the threads, not the messages', async () => {
    const { trajectories } = await importFiles([bytesSource('a', readFileSync(join(ROOTS[0]!, 'contextscope/edited-by-hand.jsonl')))]).then(({ groups }) => groups[0]!);
    expect(trajectories[0]!.threads.map(({ id, main }) => [id, [...main]])).toEqual([['main', [0, 1, 2, 5]], ['sub', [4]]]);
    const text = readFileSync(join(ROOTS[0]!, 'contextscope/edited-by-hand.jsonl'), 'utf8').split('\n').slice(1).join('\n');
    const headless = await importSource(bytesSource('a', new TextEncoder().encode(text)));
    expect(headless.trajectories.map(({ columns, threads }) => [columns.n, threads.length])).toEqual([[6, 1]]);
    expect(headless.report.warnings[0]).toContain('first line of the run is missing');
  });
});
