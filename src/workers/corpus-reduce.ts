import { ContextscopeError } from '../core/base/errors';
import { corpusFiles, type CorpusFailure } from '../core/corpus/corpus-files';
import { reduceParts } from '../core/corpus/reduce-parts';
import { runRows } from '../core/corpus/run-rows';
import type { RunPart } from '../core/corpus/types';
import type { Repository } from '../storage/repository';
import type { CorpusOutcome } from './corpus-api';

/** Where the parts of a file are: stored under a key, or here because storing failed. `name`: what the tables call the file now. */
export interface StoredPart { key: string; name: string; json: string | null }

/** Stored parts → tables and files. Parts are read again as JSON, so that a resumed run gives the same bytes. */
export async function reduceStored(repository: Pick<Repository, 'corpusParts'>, stored: readonly StoredPart[], failures: CorpusFailure[]): Promise<Omit<CorpusOutcome, 'made' | 'reused'>> {
  const rows = await repository.corpusParts(stored.map(({ key }) => key));
  const parts = stored.flatMap(({ name, json }, i) => {
    const text = json ?? rows[i]?.json;
    if (text === undefined) throw new ContextscopeError('not-found', `The results of ${name} are no longer stored; run the corpus again.`, { file: name });
    return (JSON.parse(text) as RunPart[]).map((part): RunPart => ({ ...part, run: { ...part.run, file: name } }));
  });
  const tables = reduceParts(parts);
  const { encoder, settings, duplicates } = tables;
  return { encoder, settings, duplicates, failures, tables: tables.tables, runs: runRows(tables), files: corpusFiles(tables, failures) };
}
