import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { MessageFlag } from '../trace/model';
import type { Part, Trajectory } from '../trace/model';
import { openContent } from './content';
import { importFiles } from './import-files';
import { importSource } from './import-source';
import { createTraceReader } from './reader';
import type { ImportReport } from './types';

const ROOT = resolve(import.meta.dirname, 'fixtures');
const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'README.md')
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();
const readable = files.filter((file) => !file.startsWith('unreadable/'));
const source = (file: string, name = file): ByteSource => bytesSource(name, readFileSync(join(ROOT, file)));

const FLAG_NAMES = Object.entries(MessageFlag);
const partText = (part: Part): string => {
  switch (part.type) {
    case 'text': return JSON.stringify(part.text.slice(0, 40));
    case 'reasoning': return part.redacted ? '(redacted)' : `(${part.text})`;
    case 'tool_call': return `call ${part.id} ${part.name} ${part.args.slice(0, 60)}${part.fenced ? ' fenced' : ''}`;
    case 'tool_result': return `result ${part.callId}${part.isError ? ' error' : ''}${part.exitCode === undefined ? '' : ` exit ${part.exitCode}`} [${part.content.map(partText).join(', ')}]`;
    case 'image': return `image ${part.mime} ${part.bytes ?? part.ref ?? '?'}`;
    case 'other': return `other ${part.kind}`;
  }
};

/** What a person would check: one line a message. Snapshots of whole objects go unread. */
async function summary(report: Pick<ImportReport, 'format' | 'formatConfidence' | 'container' | 'records' | 'badRecords' | 'unknownRecords' | 'warnings' | 'matchedPairs'>, trajectories: Trajectory[], from: ByteSource): Promise<string> {
  const lines = [`${report.format} (${report.formatConfidence}) ${report.container}: ${report.records} records, ${report.matchedPairs} matched`];
  report.badRecords.forEach((bad) => lines.push(`bad: line ${bad.line}, byte ${bad.byteOffset}: ${bad.reason}`));
  Object.entries(report.unknownRecords).forEach(([kind, count]) => lines.push(`unknown: ${kind} ${count}`));
  report.warnings.forEach((warning) => lines.push(`warning: ${warning}`));
  for (const trajectory of trajectories) {
    lines.push(`trajectory "${trajectory.name}" ${trajectory.model ?? 'no model'} usage ${Object.values(trajectory.usage).join('/')} ${JSON.stringify(trajectory.outcome ?? null)}`);
    const reader = createTraceReader(from, trajectory);
    for (const thread of trajectory.threads) {
      lines.push(`  thread ${thread.id}${thread.parentThread ? ` in ${thread.parentThread} by ${thread.spawnedBy ?? '?'}` : ''}${thread.title ? ` "${thread.title}"` : ''}: ${thread.main.join(' ')}${thread.tools.length > 0 ? ` tools ${thread.tools.map((tool) => tool.name).join()}` : ''}`);
      thread.branches.forEach((branch) => lines.push(`    ${branch.id} after ${branch.forkAfter}: ${branch.rows.join(' ')}`));
    }
    await reader.readMessages(Array.from({ length: trajectory.columns.n }, (_, row) => row), (message) => {
      const flags = FLAG_NAMES.filter(([, bit]) => message.flags & bit).map(([name]) => name);
      lines.push(`  ${message.row} ${message.role}${flags.length > 0 ? ` <${flags.join()}>` : ''}${message.spans.length > 1 ? ` ${message.spans.length} spans` : ''}: ${message.parts.map(partText).join(' | ')}`);
    });
    trajectory.events.forEach((event) => lines.push(`  event ${event.kind} ${event.sourceKind} in ${event.thread} after ${event.afterRow}: ${event.label} ${JSON.stringify(event.data ?? null)}`));
  }
  return lines.join('\n');
}

describe('fixtures', () => {
  it.each(readable)('%s', async (file) => {
    const from = source(file);
    const { report, trajectories } = await importSource(from);
    const content = await openContent(from);
    for (const trajectory of trajectories) expect(traceFaults(trajectory, content.source.size)).toEqual([]);
    expect(report.format).toBe(file.split('/')[0]);
    expect(await summary(report, trajectories, from)).toMatchSnapshot();
    const renamed = await importSource(source(file, 'x'));
    expect({ ...renamed.report, file }).toEqual({ ...report });
    const sliced = await importSource(from, { sliceBytes: 7 });
    expect([sliced.report, sliced.trajectories]).toEqual([report, trajectories]);
  });

  it('joins a session with its sub-agent files, given in any order', async () => {
    const names = files.filter((file) => file.startsWith('claude-code/subagents/')).reverse();
    const given = names.map((file) => source(file));
    const { groups, failures } = await importFiles(given);
    expect(failures).toEqual([]);
    expect(groups.length).toBe(1);
    const group = groups[0]!;
    expect(group.members.map((index) => names[index]!.split('/').pop())).toEqual(['session.jsonl', 'agent-bbb.jsonl', 'agent-aaa.jsonl', 'agent-ccc.jsonl']);
    expect(traceFaults(group.trajectories[0]!, group.source.size)).toEqual([]);
    expect(await summary({ ...group.reports[0]!, records: group.reports.reduce((sum, report) => sum + report.records, 0) }, group.trajectories, group.source)).toMatchSnapshot();
  });
});

describe('unreadable files', () => {
  it.each(['empty.jsonl', 'white-space.json'])('%s has zero counts and a warning', async (name) => {
    const { report, trajectories } = await importSource(source(`unreadable/${name}`));
    expect(trajectories).toEqual([]);
    expect([report.records, report.messages, report.toolCalls, report.badRecordCount]).toEqual([0, 0, 0, 0]);
    expect(report.warnings.length).toBe(1);
  });

  it.each([
    ['prose.txt', 'unknown-format', /found no JSON record; tried .*Claude Code.*--format/],
    ['binary-junk.bin', 'unknown-format', /found nothing that can be read as JSON; tried /],
    ['json-of-something-else.json', 'unknown-format', /found .*name, version, dependencies.*; tried /],
    ['sqlite.db', 'corrupt', /starts like an SQLite database but cannot be read .*damaged, encrypted/],
    ['archive.zip', 'bad-record', /an archive without files/],
    ['frame.zst', 'corrupt', /starts like zstd but does not unpack/],
    ['broken.gz', 'corrupt', /starts like gzip but does not unpack/],
  ])('%s is refused with help', async (name, code, message) => {
    const attempt = importSource(source(`unreadable/${name}`, name));
    await expect(attempt).rejects.toMatchObject({ name: 'ContextscopeError', code });
    await expect(attempt).rejects.toThrow(message);
  });

  it('does not stop the files beside it', async () => {
    const { groups, failures } = await importFiles(['unreadable/prose.txt', 'pi/v3-branch.jsonl'].map((file) => source(file)));
    expect(groups.map((group) => group.members)).toEqual([[1]]);
    expect(failures.map(({ index, error }) => [index, error.code])).toEqual([[0, 'unknown-format']]);
  });
});
