import { ROLES } from '../trace/model';
import type { MessageColumns, Trajectory, Usage } from '../trace/model';
import type { FileCounts } from './format';
import type { Home } from './format-mix';
import type { Detection } from './registry';
import type { BadRecord, ImportReport } from './types';

/** A report lists this many bad records; the count beside is true. */
export const MAX_LISTED_BAD_RECORDS = 100;

export interface TrajectoryCounts { messages: number; steps: number; toolCalls: number; toolResults: number; matchedPairs: number }

/** Counts by formats.md §19: all threads and branches; matched = Σ over ids of min(calls, results), no id matches nothing. */
export function countColumns(columns: MessageColumns): TrajectoryCounts {
  const open = new Map<number, { calls: number; results: number }>();
  const entry = (id: number): { calls: number; results: number } => {
    let found = open.get(id);
    if (!found) open.set(id, (found = { calls: 0, results: 0 }));
    return found;
  };
  for (const id of columns.callIds) if (id > 0) entry(id).calls++;
  for (const id of columns.resultCallIds) if (id > 0) entry(id).results++;
  let matchedPairs = 0;
  for (const { calls, results } of open.values()) matchedPairs += Math.min(calls, results);
  return { messages: columns.n, steps: countSteps(columns), toolCalls: columns.callIds.length, toolResults: columns.resultCallIds.length, matchedPairs };
}

const ASSISTANT = ROLES.indexOf('assistant');
/** MessageFlag.synthetic | MessageFlag.demonstration: no model call of this run. */
const NO_STEP = 4 | 8;

/** Is a row a model call? Failed and aborted calls are, local notices and demonstrations are not. */
export function isStep(columns: MessageColumns, row: number): boolean {
  return columns.role[row] === ASSISTANT && (columns.flags[row]! & NO_STEP) === 0;
}

function countSteps(columns: MessageColumns): number {
  let steps = 0;
  for (let row = 0; row < columns.n; row++) if (isStep(columns, row)) steps++;
  return steps;
}

/** Collects what happens while one file is read. */
export class ReportBuilder {
  private readonly kinds = new Map<string, number>();
  private readonly unknowns = new Map<string, number>();
  private readonly warnings = new Set<string>();
  private readonly bad: BadRecord[] = [];
  private badCount = 0;
  private damageCount = 0;
  private units = 0;
  /** Rises whenever anything is counted or reported. */
  said = 0;

  get records(): number { return this.units + this.badCount - this.damageCount; }
  get badRecordCount(): number { return this.badCount; }

  count(kind: string, units = 1): void {
    this.units += units;
    if (units > 0) this.said++;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + units);
  }

  unknown(kind: string): void {
    this.said++;
    this.unknowns.set(kind, (this.unknowns.get(kind) ?? 0) + 1);
  }

  warn(text: string): void {
    this.said++;
    this.warnings.add(text);
  }

  /** Damage inside a record that is counted by its kind: listed, and not a record of its own. */
  damage(record: BadRecord): void {
    this.damageCount++;
    this.badRecord(record);
  }

  /** Records of which only the first are given. */
  badRecords(listed: readonly BadRecord[], count: number): void {
    for (const record of listed) this.badRecord(record);
    this.badCount += Math.max(0, count - listed.length);
  }

  badRecord(record: BadRecord): void {
    this.said++;
    this.badCount++;
    if (this.bad.length < MAX_LISTED_BAD_RECORDS) this.bad.push(record);
  }

  /** `homes`: one a format of the file; the sums of each are those of its columns, or what it states itself. */
  build(file: { file: string; bytes: number; sha256: string; container: ImportReport['container'] }, found: Detection | null, trajectories: readonly Trajectory[], homes: readonly Home[] = []): ImportReport {
    const usage: Usage = { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null };
    for (const { usage: own } of trajectories) {
      for (const [name, value] of Object.entries(own) as [keyof Usage, number | null][]) if (value !== null) usage[name] = (usage[name] ?? 0) + value;
    }
    const sums: FileCounts = { messages: 0, toolCalls: 0, toolResults: 0, matchedPairs: 0 };
    for (const home of homes) {
      const counts = { ...sumColumns(trajectories.filter(({ format }) => format === home.format.id)), ...home.session.counts?.() };
      for (const name of COUNT_NAMES) sums[name] += counts[name];
    }
    const mixed = homes.length > 1;
    return {
      ...file,
      format: mixed ? 'mixed' : (found?.format.id ?? 'empty'),
      formatTitle: mixed ? `Mixed: ${homes.map(({ format }) => format.title).join(', ')}` : (found?.format.title ?? 'Empty file'),
      formatConfidence: found?.confidence ?? 'certain',
      ...(mixed ? { formats: Object.fromEntries(homes.map(({ format, records }) => [format.id, records])) } : {}),
      records: this.records,
      recordKinds: Object.fromEntries(this.kinds),
      badRecords: this.bad.slice(),
      badRecordCount: this.badCount,
      unknownRecords: Object.fromEntries(this.unknowns),
      warnings: [...this.warnings, ...(mixed ? [`The file holds records of ${homes.length} formats; each is read as its own: ${homes.map(({ format, records }) => `${format.title} (${records})`).join(', ')}.`] : [])],
      ...sums,
      usage,
    };
  }
}

const COUNT_NAMES = ['messages', 'toolCalls', 'toolResults', 'matchedPairs'] as const;

function sumColumns(trajectories: readonly Trajectory[]): FileCounts {
  const sums: FileCounts = { messages: 0, toolCalls: 0, toolResults: 0, matchedPairs: 0 };
  for (const { columns } of trajectories) {
    const counts = countColumns(columns);
    for (const name of COUNT_NAMES) sums[name] += counts[name];
  }
  return sums;
}
