/** One file → the parts of its trajectories. One trajectory is held at a time, and its messages are streamed. */
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { corpusTexts, mapRun } from '../core/corpus/map-run';
import { mapPolicies } from '../core/corpus/policy-part';
import { PART_VERSION, type CorpusSettings, type RunIdentity, type RunPart } from '../core/corpus/types';
import { SelectionLineReader, type SelectionLine } from '../core/selection/selection-line';
import { InteractionBuilder } from '../core/trace/interaction';
import { defaultLine, rowsOfLine } from '../core/trace/line';
import type { Trajectory } from '../core/trace/model';
import type { TraceReader } from '../core/import/types';
import type { TokenCounter } from '../core/tokens/types';
import { analyseRecordedLine } from '../core/workspace/analyse';
import type { CorpusInput } from './corpus-inputs';
import { nodeHasher, openFileSource } from './file-source';
import type { VectorsSource } from './vectors-source';

/** What `corpus map` writes and `corpus reduce` reads: the parts of one file, with everything they depend on. */
export interface PartFile { version: number; sha256: string; source: string; settings: CorpusSettings; parts: RunPart[] }

export interface MapTools {
  vectors: VectorsSource;
  counter: TokenCounter;
  /** What is being done, and how far it is. */
  onProgress?: (what: string, done: number, total: number) => void;
}

/** One trajectory's main line with what names it. */
interface FileLine { key: string; run: RunIdentity; line: SelectionLine; trajectory: Trajectory; reader: TraceReader }

/** Calls back with the main line of every trajectory in a file, one after the other. Throws what the importer throws. */
async function eachLine({ path, name }: CorpusInput, countTokens: (text: string) => number, onLine: (line: FileLine) => Promise<void>): Promise<string> {
  const source = await openFileSource(path);
  try {
    const { report, trajectories } = await importSource(source, { createHasher: nodeHasher });
    for (const [index, trajectory] of trajectories.entries()) {
      if (trajectory.threads.length === 0) continue;
      const reader = createTraceReader(source, trajectory);
      const line = await readLine(trajectory, reader, countTokens);
      const run = { file: name, sha256: report.sha256, format: report.format, trajectory: index, name: trajectory.name };
      await onLine({ key: trajectories.length > 1 ? `${name}#${index}` : name, run, line, trajectory, reader });
    }
    return report.sha256;
  } finally {
    await source.close();
  }
}

/** Maps the main line of every trajectory in a file. */
export async function mapFile(input: CorpusInput, settings: CorpusSettings, { vectors, counter, onProgress }: MapTools): Promise<PartFile> {
  const parts: RunPart[] = [];
  const sha256 = await eachLine(input, (text) => counter.count(text), async ({ key, run, line, trajectory, reader }) => {
    const { encoder, vectorOf } = await vectors.vectorsOf(key, line, corpusTexts(line, settings), (done, total) => onProgress?.(`${key}: embedding`, done, total));
    const part = await mapRun({ run, line, encoder, vectorOf }, settings, (done, total) => onProgress?.(`${key}: checkpoints`, done, total));
    if (settings.tables.includes('policies')) {
      const analysed = await analyseRecordedLine(reader, trajectory, defaultLine(trajectory), counter);
      part.policies = await mapPolicies(analysed, settings, (text) => counter.count(text), (done, total) => onProgress?.(`${key}: policies`, done, total));
    }
    // As it is read again from a file, so that a resumed run gives the same bytes.
    parts.push(JSON.parse(JSON.stringify(part)) as RunPart);
  });
  return { version: PART_VERSION, sha256, source: vectors.id, settings, parts };
}

/** Calls back with every text whose vector the tables need, for an encoder elsewhere. */
export async function eachText(input: CorpusInput, settings: CorpusSettings, onText: (text: string) => void): Promise<void> {
  await eachLine(input, () => 0, ({ line }) => {
    corpusTexts(line, settings).forEach(onText);
    return Promise.resolve();
  });
}

/** Reads the messages twice, once for what belongs together and once for the texts, rather than holding them all. */
async function readLine(trajectory: Trajectory, reader: TraceReader, countTokens: (text: string) => number): Promise<SelectionLine> {
  const rows = rowsOfLine(trajectory, defaultLine(trajectory));
  const builder = new InteractionBuilder();
  await reader.readMessages(rows, (message) => builder.add(message));
  const lines = new SelectionLineReader(builder.finish().blocks, countTokens);
  await reader.readMessages(rows, (message) => lines.add(message));
  return lines.finish();
}
