import { bytesSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';
import { traceFaults } from '../trace/integrity';
import { openContent } from './content';
import { importFiles } from './import-files';
import { createTraceReader } from './reader';
import { DEFAULT_SLICE_BYTES, readRecords } from './record-stream';
import type { ImportOptions, ImportReport, ImportedGroup } from './types';

/** What a hang is, on demand: a test on a busy machine measures no time. */
export const HANG_MS_A_MEGABYTE = 3000;

/**
 * Imports bytes of which nothing is known and says what is wrong with the outcome; null = nothing. Wrong is: an error
 * that is not one of ours, a trajectory with a loose reference, a message that cannot be read back, a hang, and a record
 * that is neither counted nor reported.
 */
export async function importFault(bytes: Uint8Array, options: ImportOptions = {}, hangMsAMegabyte = Infinity): Promise<string | null> {
  const source = bytesSource('mutant', bytes);
  const startMs = performance.now();
  try {
    const { groups, failures } = await importFiles([source], options);
    const internal = failures.find(({ error }) => error.code === 'internal');
    if (internal) return internal.error.message;
    if (groups.length === 0 && failures.length === 0) return 'neither a run nor a failure';
    for (const group of groups) {
      const fault = (await groupFault(group)) ?? countFault(group.reports[0]!);
      if (fault !== null) return fault;
    }
    if (groups.length === 1) return (await lossFault(groups[0]!)) ?? timeFault(startMs, bytes.length, hangMsAMegabyte);
    return timeFault(startMs, bytes.length, hangMsAMegabyte);
  } catch (error) {
    return `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

async function groupFault(group: ImportedGroup): Promise<string | null> {
  const { source } = await openContent(group.source);
  for (const trajectory of group.trajectories) {
    const [fault] = traceFaults(trajectory, source.size);
    if (fault !== undefined) return `${trajectory.format}: ${fault}`;
    const reader = createTraceReader(group.source, trajectory);
    const { columns } = trajectory;
    for (let row = 0; row < columns.n; row++) {
      try {
        const { parts } = await reader.readMessage(row);
        const calls = parts.filter((part) => part.type === 'tool_call').length;
        const results = parts.filter((part) => part.type === 'tool_result').length;
        if (calls !== columns.callStart[row + 1]! - columns.callStart[row]! || results !== columns.resultStart[row + 1]! - columns.resultStart[row]!) return `${trajectory.format}: row ${row} reads back with ${calls} calls and ${results} results`;
      } catch (error) {
        if (!(error instanceof ContextscopeError)) return `${trajectory.format}: row ${row} cannot be read: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
        return `${trajectory.format}: row ${row} cannot be read: ${error.message}`;
      }
    }
  }
  return null;
}

function countFault(report: ImportReport): string | null {
  const kinds = Object.values(report.recordKinds).reduce((sum, count) => sum + count, 0);
  // Damage inside a record is listed beside the bad ones, but its record is counted by kind.
  if (kinds > report.records || kinds + report.badRecordCount < report.records) return `${report.format}: ${kinds} records by kind and ${report.badRecordCount} bad ones are not ${report.records}`;
  const numbers = [report.records, report.messages, report.toolCalls, report.toolResults, report.matchedPairs];
  if (numbers.some((value) => !Number.isInteger(value) || value < 0)) return `${report.format}: counts are ${numbers.join(', ')}`;
  if (report.matchedPairs > Math.min(report.toolCalls, report.toolResults)) return `${report.format}: ${report.matchedPairs} pairs of ${report.toolCalls} calls and ${report.toolResults} results`;
  return null;
}

/** Records in = records counted + records reported: every top-level value of the content is one of them, or a warning speaks of it. */
async function lossFault({ source, reports: [report] }: ImportedGroup): Promise<string | null> {
  let given = 0;
  for await (const { records, bad } of readRecords(await openContent(source), { sliceBytes: DEFAULT_SLICE_BYTES })) given += records.length + bad.length;
  const unknown = Object.values(report!.unknownRecords).reduce((sum, count) => sum + count, 0);
  if (report!.records + unknown >= given || report!.warnings.length > 0) return null;
  return `${report!.format}: ${given} records in the file, ${report!.records} counted, ${unknown} called unknown, nothing said`;
}

function timeFault(startMs: number, size: number, hangMsAMegabyte: number): string | null {
  const tookMs = performance.now() - startMs;
  const limitMs = 2000 + (hangMsAMegabyte * size) / 1e6;
  return tookMs > limitMs ? `took ${Math.round(tookMs)} ms for ${size} bytes` : null;
}
