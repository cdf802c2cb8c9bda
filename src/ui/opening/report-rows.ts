/** What the import report lists: one row a file, in the order the files were given, each with its runs. Pure. */
import type { ImportReport } from '../../core/import/types';
import type { ImportOutcome, LibraryRun } from '../../workers/api';

export type ReportRow =
  | { kind: 'failure'; file: string; message: string }
  /** `runs`: those of the file that are in the library, in the order of the file. */
  | { kind: 'file'; report: ImportReport; runs: LibraryRun[] };

/**
 * A file whose runs were all forgotten since is left out; one that never had a run stays.
 * @param library null = not read yet. @param given names of the files as they were dropped; what came out of an archive
 * stands where the archive was, in the order it was read.
 */
export function reportRows(outcome: ImportOutcome, library: readonly LibraryRun[] | null, given: readonly string[]): ReportRow[] {
  const stored = new Map((library ?? []).map((run) => [run.id, run]));
  const rows: ReportRow[] = outcome.failures.map(({ file, message }) => ({ kind: 'failure', file, message }));
  for (const report of outcome.reports) {
    const ids = outcome.runs.filter((id) => id.startsWith(`${report.fileId ?? report.sha256}#`));
    const runs = ids.flatMap((id) => stored.get(id) ?? []);
    if (ids.length === 0 || runs.length > 0 || library === null) rows.push({ kind: 'file', report, runs });
  }
  const place = new Map(given.map((name, i) => [name, i]));
  const placeOf = (row: ReportRow): number => {
    const file = row.kind === 'failure' ? row.file : row.report.file;
    return place.get(file) ?? place.get(file.split('!')[0]!) ?? given.length;
  };
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}
