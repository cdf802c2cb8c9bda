import type { ByteSource } from '../base/byte-source';
import { blobSource, bytesSource } from '../base/byte-source';
import { concatSource } from '../base/concat-source';
import type { ImportReport, Overlap } from './types';
import type { Trajectory } from '../trace/model';

/** What is compared: one imported file. */
export interface Overlapping { index: number; report: ImportReport; trajectories: readonly Trajectory[] }

/** Ids shorter than this are counters, which every file has. */
const MIN_ID_LENGTH = 8;
const MIN_SHARED = 2;
/** Formats whose importer takes lines that stand twice once, so that files can be joined by joining their bytes. */
const JOINABLE: ReadonlySet<string> = new Set(['claude-code']);

/**
 * Files that hold the same model calls: a session that was sent to the background, resumed or forked is copied into a new
 * file, and counting both counts it twice (import-cases.md 36, 66). By the providers' ids of the calls; linear in them.
 */
export function findOverlaps(files: readonly Overlapping[]): Overlap[] {
  const idsOf = files.map(callIds);
  const holders = new Map<string, number[]>();
  idsOf.forEach((ids, file) => { for (const id of ids) holders.set(id, [...(holders.get(id) ?? []), file]); });
  const shared = new Map<string, number>();
  for (const list of holders.values()) {
    for (let b = 1; b < list.length; b++) for (let a = 0; a < b; a++) shared.set(`${list[a]} ${list[b]}`, (shared.get(`${list[a]} ${list[b]}`) ?? 0) + 1);
  }
  return [...shared].flatMap(([pair, count]): Overlap[] => {
    const [a, b] = pair.split(' ').map(Number) as [number, number];
    const [first, second] = [files[a]!, files[b]!];
    const of = Math.min(idsOf[a]!.size, idsOf[b]!.size);
    // The same bytes twice are told elsewhere; formats that record one run are not two copies.
    if (first.report.sha256 === second.report.sha256 || first.report.format !== second.report.format || (count < MIN_SHARED && count < of)) return [];
    return [{ files: [first.report.file, second.report.file], indexes: [first.index, second.index], sharedCalls: count, callsOfSmaller: of, canJoin: JOINABLE.has(first.report.format) && first.trajectories.length === 1 && second.trajectories.length === 1 }];
  });
}

function callIds({ trajectories }: Overlapping): Set<string> {
  const ids = new Set<string>();
  for (const { columns } of trajectories) for (const at of columns.callKey) if (at > 0 && columns.strings[at]!.length >= MIN_ID_LENGTH) ids.add(columns.strings[at]!);
  return ids;
}

/** A sentence for the report of either file. */
export function overlapText({ files, sharedCalls, callsOfSmaller }: Overlap): string {
  return `${files[0]} and ${files[1]} hold the same conversation: ${sharedCalls} of ${callsOfSmaller} model calls stand in both, and counting both counts them twice.`;
}

/** Sets of files (positions in `files`) that are one conversation, the oldest first; files that share nothing are in none. */
export function overlapSets(files: readonly Overlapping[], overlaps: readonly Overlap[]): number[][] {
  const setOf = new Map<number, number[]>();
  for (const { indexes, canJoin } of overlaps) {
    if (!canJoin) continue;
    const [a, b] = indexes.map((index) => files.findIndex((file) => file.index === index)) as [number, number];
    const merged = [...new Set([...(setOf.get(a) ?? [a]), ...(setOf.get(b) ?? [b])])];
    for (const file of merged) setOf.set(file, merged);
  }
  const start = (file: number): number => files[file]!.trajectories[0]?.createdMs ?? Infinity;
  const end = (file: number): number => files[file]!.trajectories[0]?.columns.timestampMs.reduce((last, ms) => (ms > last ? ms : last), -Infinity) ?? -Infinity;
  return [...new Set(setOf.values())].map((set) => [...set].sort((a, b) => start(a) - start(b) || end(a) - end(b) || a - b));
}

/** The lines of all, one file after the other; named after the last, in which the conversation went on. */
export function joinLines(sources: readonly ByteSource[]): ByteSource {
  const name = sources.at(-1)!.name;
  const newline = { ...bytesSource('newline', Uint8Array.of(0x0a)), blob: new Blob(['\n']) };
  const all = concatSource(name, sources.flatMap((source, i) => (i === 0 ? [source] : [newline, source])));
  return all.blob ? blobSource(name, all.blob) : all;
}
