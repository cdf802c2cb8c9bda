import { ContextscopeError } from '../core/base/errors';
import { importFiles } from '../core/import/import-files';
import { createTraceReader } from '../core/import/reader';
import { countColumns } from '../core/import/report';
import { countInteractionBlocks, threadFacts } from '../core/import/summary';
import type { ImportOptions, ImportReport, ImportedFiles, ImportedGroup, TraceReader } from '../core/import/types';
import type { Outcome, Trajectory, Usage } from '../core/trace/model';
import type { InspectAudit } from './audit';
import { expandPaths } from './expand-paths';
import type { ExpandedPath } from './expand-paths';
import { nodeHasher, openFileSource } from './file-source';
import type { FileSource } from './file-source';

/** `usage` of cli.md: the provider's record, classes apart, unknown null. */
export interface InspectUsage { input: number | null; output: number | null; cacheWrite: number | null; cacheRead: number | null; reasoning: number | null }
export interface InspectTokens { encoding: string; total: number; peakContext: number }

export interface InspectTrajectory {
  /** What `--trajectory` takes: counted from 0 through the given file, members of an archive included. */
  index: number;
  id: string;
  name: string;
  model: string | null;
  steps: number;
  messages: number;
  toolCalls: number;
  toolResults: number;
  matchedPairs: number;
  interactionBlocks: number;
  tokens: InspectTokens | null;
  usage: InspectUsage;
  events: Record<string, number>;
  /** How many of `events` no record states: they were told from falling token counts or from prompts. */
  inferredEvents: Record<string, number>;
  outcome: { reward: number | null; success: boolean | null; label: string | null } | null;
  threads: { id: string; parent: string | null; title: string | null; steps: number; messages: number; branches: number }[];
  /** Only with `--audit`: one a thread. */
  audit?: InspectAudit[];
}

export interface InspectFile {
  file: string;
  bytes: number;
  sha256: string;
  format: string;
  formatConfidence: ImportReport['formatConfidence'];
  container: ImportReport['container'];
  /** Only where `format` is 'mixed'. */
  formats?: Record<string, number>;
  records: number;
  recordKinds: Record<string, number>;
  badRecords: ImportReport['badRecords'];
  badRecordCount: number;
  unknownRecords: Record<string, number>;
  warnings: string[];
  messages: number;
  toolCalls: number;
  toolResults: number;
  matchedPairs: number;
  usage: InspectUsage;
  trajectories: InspectTrajectory[];
}

export interface InspectJson { files: InspectFile[] }
export interface InspectFailure { file: string; error: ContextscopeError }
export interface InspectResult { json: InspectJson; failures: InspectFailure[] }

export interface InspectOptions extends Pick<ImportOptions, 'format' | 'join' | 'signal' | 'onProgress' | 'sliceBytes'> {
  /** Only this trajectory of each given file. */
  trajectory?: number;
  /** Only this thread of each trajectory. */
  thread?: string;
  /** Exact token counts; `tokens` is null without it. */
  countTokens?: (trajectory: Trajectory, reader: TraceReader) => Promise<InspectTokens>;
  /** Audit of the recorded manager, a thread each; `audit` is left out without it. */
  audit?: (trajectory: Trajectory, reader: TraceReader) => Promise<InspectAudit[]>;
}

/**
 * What `inspect` prints. Files that belong together are joined: a row a file (a member of an archive is one), and the trajectory with all its threads
 * stands at the parent's. Files that cannot be read are in `failures`; the others are still reported.
 */
export async function inspectFiles(paths: readonly string[], options: InspectOptions = {}): Promise<InspectResult> {
  const opened: (ExpandedPath & { source: FileSource })[] = [];
  const failures: InspectFailure[] = [];
  try {
    for (const path of paths) {
      try {
        for (const found of await expandPaths(path)) opened.push({ ...found, source: await openFileSource(found.path) });
      } catch (error) {
        if (!(error instanceof ContextscopeError)) throw error;
        failures.push({ file: path, error });
      }
    }
    const { format, join, signal, onProgress, sliceBytes } = options;
    const imported = await importFiles(opened.map(({ source }) => source), { format, join, signal, onProgress, sliceBytes, createHasher: nodeHasher });
    for (const { files, canJoin } of imported.overlaps) if (canJoin && !join) hintJoin(imported, files);
    const rows: Row[] = [];
    const counted = new Map<number, number>();
    for (const group of imported.groups) {
      const given = group.members[0] ?? 0;
      const from = counted.get(given) ?? 0;
      counted.set(given, from + group.trajectories.length);
      rows.push(...await groupRows(group, from, options));
    }
    const { trajectory } = options;
    const most = Math.max(0, ...counted.values());
    if (trajectory !== undefined && most > 0 && trajectory >= most) throw new ContextscopeError('not-found', `Expected --trajectory between 0 and ${most - 1}, found ${trajectory}.`);
    rows.sort((a, b) => a.index - b.index);
    failures.push(...reportStrangers(imported.failures, opened, rows));
    return { json: { files: rows.map(({ file }) => file) }, failures };
  } finally {
    await Promise.all(opened.map(({ source }) => source.close()));
  }
}

/** How the two become one, beside the warning that says they are. */
function hintJoin(imported: ImportedFiles, files: readonly string[]): void {
  for (const { reports } of imported.groups) for (const report of reports) if (files.includes(report.file) && !report.warnings.includes(JOIN_HINT)) report.warnings.push(JOIN_HINT);
}
const JOIN_HINT = '--join makes one run of them.';

interface Row { index: number; file: InspectFile }

/** A folder holds much that is no trajectory: one warning where something was found beside it, else one failure. */
function reportStrangers(failed: ImportedFiles['failures'], opened: readonly ExpandedPath[], rows: readonly Row[]): InspectFailure[] {
  const strangers = new Map<string, ImportedFiles['failures']>();
  const kept = failed.filter((failure) => {
    const folder = opened[failure.index]!.folder;
    if (folder === undefined || failure.error.code !== 'unknown-format') return true;
    strangers.set(folder, [...(strangers.get(folder) ?? []), failure]);
    return false;
  });
  const out: InspectFailure[] = kept.map(({ file, error }) => ({ file, error }));
  for (const [folder, files] of strangers) {
    const text = `${files.length} of the files in ${folder} are in no format that is known here, such as ${files[0]!.file}.`;
    const row = rows.find(({ index }) => opened[index]!.folder === folder);
    if (row) row.file.warnings = [...row.file.warnings, text];
    else out.push({ file: folder, error: new ContextscopeError('unknown-format', `${text} ${files[0]!.error.message}`, { file: folder }) });
  }
  return out;
}

async function groupRows(group: ImportedGroup, from: number, options: InspectOptions): Promise<Row[]> {
  const trajectories: InspectTrajectory[] = [];
  for (const [i, trajectory] of group.trajectories.entries()) {
    if (options.trajectory === undefined || options.trajectory === from + i) trajectories.push(await trajectoryRow(trajectory, from + i, group, options));
  }
  return group.members.map((index, i) => ({ index, file: fileRow(group.reports[i]!, i === 0 ? trajectories : []) }));
}

function fileRow(report: ImportReport, trajectories: InspectTrajectory[]): InspectFile {
  const { file, bytes, sha256, format, formatConfidence, container, formats, records, recordKinds, badRecords, badRecordCount, unknownRecords, warnings, messages, toolCalls, toolResults, matchedPairs, usage } = report;
  return { file, bytes, sha256, format, formatConfidence, container, ...(formats ? { formats } : {}), records, recordKinds, badRecords, badRecordCount, unknownRecords, warnings, messages, toolCalls, toolResults, matchedPairs, usage: usageRow(usage), trajectories };
}

async function trajectoryRow(trajectory: Trajectory, index: number, group: ImportedGroup, options: InspectOptions): Promise<InspectTrajectory> {
  const counts = countColumns(trajectory.columns);
  const tokens = options.countTokens ? await options.countTokens(trajectory, createTraceReader(group.source, trajectory)) : null;
  const threads = trajectory.threads.filter((thread) => options.thread === undefined || thread.id === options.thread);
  if (options.thread !== undefined && threads.length === 0) {
    throw new ContextscopeError('not-found', `${trajectory.name} has no thread "${options.thread}"; it has ${trajectory.threads.map((thread) => thread.id).join(', ')}.`);
  }
  const audit = options.audit ? await options.audit(trajectory, createTraceReader(group.source, trajectory)) : null;
  const events: Record<string, number> = {};
  const inferredEvents: Record<string, number> = {};
  for (const { kind, data } of trajectory.events) {
    events[kind] = (events[kind] ?? 0) + 1;
    if (data?.['inferred'] === true) inferredEvents[kind] = (inferredEvents[kind] ?? 0) + 1;
  }
  return {
    index,
    id: trajectory.id,
    name: trajectory.name,
    model: trajectory.model ?? null,
    steps: counts.steps,
    messages: counts.messages,
    toolCalls: counts.toolCalls,
    toolResults: counts.toolResults,
    matchedPairs: counts.matchedPairs,
    interactionBlocks: trajectory.threads.reduce((sum, thread) => sum + countInteractionBlocks(trajectory.columns, thread.main), 0),
    tokens,
    usage: usageRow(trajectory.usage),
    events,
    inferredEvents,
    outcome: outcomeRow(trajectory.outcome),
    threads: threads.map((thread) => {
      const facts = threadFacts(trajectory.columns, thread);
      return { id: thread.id, parent: thread.parentThread ?? null, title: thread.title ?? null, steps: facts.steps, messages: facts.messages, branches: thread.branches.length };
    }),
    ...(audit ? { audit } : {}),
  };
}

function outcomeRow(outcome: Outcome | undefined): InspectTrajectory['outcome'] {
  return outcome ? { reward: outcome.reward ?? null, success: outcome.success ?? null, label: outcome.label ?? null } : null;
}

function usageRow(usage: Usage | undefined): InspectUsage {
  if (!usage) return { input: null, output: null, cacheWrite: null, cacheRead: null, reasoning: null };
  return { input: usage.input, output: usage.output, cacheWrite: usage.cacheWrite, cacheRead: usage.cachedInput, reasoning: usage.reasoning };
}
