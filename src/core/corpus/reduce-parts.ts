/** Parts → tables (the reduce of the corpus' map and reduce). The order of the parts changes nothing. */
import { ContextscopeError } from '../base/errors';
import { table1, tableD1, tableD2, tableD3, tableD4 } from './selector-tables';
import { table2 } from './table-2';
import { tableC1 } from './table-c1';
import { tablePolicies } from './table-policies';
import { PART_VERSION, TABLE_IDS, type CorpusRun, type CorpusSettings, type CorpusTable, type CorpusTables, type Duplicate, type RunPart, type TableId } from './types';

const BUILDERS: Record<TableId, (runs: readonly CorpusRun[], settings: CorpusSettings) => CorpusTable> = {
  C1: tableC1, '1': table1, '2': table2, D1: tableD1, D2: tableD2, D3: tableD3, D4: tableD4, policies: tablePolicies,
};

/**
 * The tables of `tables` (default: those the parts were made for). Throws 'bad-argument' when there is no part, when
 * parts were made by another version, or when their encoders or settings differ: such numbers must not be pooled.
 */
export function reduceParts(parts: readonly RunPart[], tables?: readonly TableId[]): CorpusTables {
  const first = parts[0];
  if (!first) throw new ContextscopeError('bad-argument', 'Expected at least one run, found none.');
  for (const part of parts) assertSame(first, part);
  const { runs, duplicates } = distinctRuns(parts);
  const wanted = TABLE_IDS.filter((id) => first.settings.tables.includes(id) && (tables ?? TABLE_IDS).includes(id));
  return { encoder: first.encoder, settings: first.settings, runs, duplicates, tables: wanted.map((id) => BUILDERS[id](runs, first.settings)) };
}

function assertSame(first: RunPart, part: RunPart): void {
  if (part.version !== PART_VERSION) throw new ContextscopeError('bad-argument', `${part.run.file} was mapped by version ${part.version} of the tables; this is version ${PART_VERSION}. Map it again.`);
  for (const what of ['encoder', 'settings'] as const) {
    const [one, two] = [JSON.stringify(first[what]), JSON.stringify(part[what])];
    if (one !== two) throw new ContextscopeError('bad-argument', `${part.run.file} was mapped with the ${what} ${two}, ${first.run.file} with ${one}. Map them alike.`);
  }
}

function distinctRuns(parts: readonly RunPart[]): { runs: CorpusRun[]; duplicates: Duplicate[] } {
  const perFile = new Map<string, number>();
  for (const { run } of parts) perFile.set(run.file, Math.max(perFile.get(run.file) ?? 0, run.trajectory + 1));
  const keyed = parts.map((part) => ({ key: perFile.get(part.run.file)! > 1 ? `${part.run.file}#${part.run.trajectory}` : part.run.file, part }));
  keyed.sort((a, b) => (a.part.run.file < b.part.run.file ? -1 : a.part.run.file > b.part.run.file ? 1 : a.part.run.trajectory - b.part.run.trajectory));
  const seen = new Map<string, string>();
  const runs: CorpusRun[] = [];
  const duplicates: Duplicate[] = [];
  for (const run of keyed) {
    const id = `${run.part.run.sha256}#${run.part.run.trajectory}`;
    const sameAs = seen.get(id);
    if (sameAs !== undefined) duplicates.push({ key: run.key, sameAs });
    else {
      seen.set(id, run.key);
      runs.push(run);
    }
  }
  return { runs, duplicates };
}
