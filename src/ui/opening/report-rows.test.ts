import { describe, expect, it } from 'vitest';
import type { ImportReport } from '../../core/import/types';
import type { ImportOutcome } from '../../workers/api';
import { libraryRun } from '../../testing/fake-workbench';
import { reportRows } from './report-rows';

const report = (file: string, letter: string): ImportReport => ({
  file, bytes: 1, sha256: letter.repeat(64), format: 'pi', formatTitle: 'pi session', formatConfidence: 'likely', container: 'none', records: 1, recordKinds: {}, badRecords: [], badRecordCount: 0,
  unknownRecords: {}, warnings: [], messages: 1, toolCalls: 0, toolResults: 0, matchedPairs: 0, usage: { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null },
});
const id = (letter: string, index = 0): string => `${letter.repeat(64)}#${index}`;
const OUTCOME: ImportOutcome = {
  reports: [report('a.jsonl', 'a'), report('b.jsonl', 'b'), report('empty.jsonl', 'e')], runs: [id('b'), id('a'), id('a', 1)], alreadyStored: [], failures: [{ file: 'notes.txt', message: 'No.' }], overlaps: [],
};
const names = (rows: ReturnType<typeof reportRows>): string[] => rows.map((row) => (row.kind === 'failure' ? row.file : `${row.report.file} ${row.runs.length}`));

describe('rows of the import report', () => {
  it('stand in the order the files were given, each with its own runs', () => {
    const library = [libraryRun({ id: id('a', 1) }), libraryRun({ id: id('b') }), libraryRun({ id: id('a') })];
    expect(names(reportRows(OUTCOME, library, ['b.jsonl', 'notes.txt', 'a.jsonl']))).toEqual(['b.jsonl 1', 'notes.txt', 'a.jsonl 2', 'empty.jsonl 0']);
  });
  it('of an archive or a joined database stand at its place, with the runs that are stored under their own bytes', () => {
    const outcome: ImportOutcome = { reports: [report('z.jsonl', 'z'), { ...report('a.zip!x/one', 'a'), fileId: 'c'.repeat(64) }, { ...report('o.db', 'o'), fileId: 'd'.repeat(64) }], runs: [id('z'), id('c'), id('d'), id('d', 1)], alreadyStored: [], failures: [], overlaps: [] };
    expect(names(reportRows(outcome, [libraryRun({ id: id('c') }), libraryRun({ id: id('d') }), libraryRun({ id: id('d', 1) }), libraryRun({ id: id('z') })], ['a.zip', 'o.db', 'z.jsonl']))).toEqual(['a.zip!x/one 1', 'o.db 2', 'z.jsonl 1']);
  });
  it('lose a file that was forgotten, and keep one that never had a run', () => {
    expect(names(reportRows(OUTCOME, [libraryRun({ id: id('b') })], []))).toEqual(['notes.txt', 'b.jsonl 1', 'empty.jsonl 0']);
    expect(names(reportRows(OUTCOME, null, []))).toHaveLength(4);
  });
});
