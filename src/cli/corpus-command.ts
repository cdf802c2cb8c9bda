/** `corpus`: the seeds' tables over many runs; `corpus map` and `corpus reduce` are its two halves, `corpus texts` what an encoder elsewhere needs. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { sha256Hex } from '../core/base/sha256';
import { corpusFiles, type CorpusFailure } from '../core/corpus/corpus-files';
import { reduceParts } from '../core/corpus/reduce-parts';
import { DEFAULT_SETTINGS, TABLE_IDS, type CorpusSettings, type CorpusTables, type RunPart, type TableId } from '../core/corpus/types';
import { loadTokenCounter } from '../core/tokens/counter';
import { parseBudgets, parseCommand, type ParsedArguments } from './args';
import { corpusInputs, sha256OfFile, type CorpusInput } from './corpus-inputs';
import { eachText, mapFile, type MapTools } from './corpus-map';
import { parsePartFile, partPath, storedParts, writeWhole } from './corpus-parts';
import { corpusWords } from './corpus-words';
import type { Output } from './output';
import { openVectorsSource } from './vectors-source';

const OPTIONS = {
  tables: { type: 'string' }, out: { type: 'string' }, encoder: { type: 'string' }, seed: { type: 'string' }, every: { type: 'string' }, budget: { type: 'string' },
  resume: { type: 'boolean' }, json: { type: 'boolean' }, name: { type: 'string' },
} as const;

export async function corpusCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, OPTIONS);
  const [first, ...rest] = args.positionals;
  if (first === 'map') return await mapCommand(args, rest, out);
  if (first === 'reduce') return await reduceCommand(args, rest, out);
  if (first === 'texts') return await textsCommand(args, rest, out);
  const folder = outFolder(args);
  const settings = settingsOf(args);
  const inputs = await corpusInputs(args.positionals);
  if (inputs.length === 0) throw new ContextscopeError('bad-argument', 'Expected a folder with files, or files; found none.');
  const failures: CorpusFailure[] = [];
  const parts = await withTools(args, out, async (tools) => {
    const all: RunPart[] = [];
    for (const input of inputs) {
      try {
        all.push(...(await partsOf(input, settings, tools, join(folder, 'parts'), args.flag('resume'))));
      } catch (error) {
        const failure = failureOf(input, error);
        failures.push(failure);
        // Why stands in summary.json; a folder may hold many such files.
        out.fail(isOther(failure) ? new Error(`${input.name} is left out: no run in a format that is known here.`) : error, false);
      }
    }
    return all;
  });
  if (parts.length === 0) throw nothingMapped(failures);
  await writeTables(reduceParts(parts), failures, folder, args, out);
  return failures.every(isOther) ? 0 : 1;
}

async function mapCommand(args: ParsedArguments, files: string[], out: Output): Promise<number> {
  const [path, ...others] = files;
  if (path === undefined || others.length > 0) throw new ContextscopeError('bad-argument', `Expected one file after “corpus map”, found ${files.length}.`);
  const settings = settingsOf(args);
  const [input] = await corpusInputs([path]);
  const mapped = await withTools(args, out, (tools) => mapFile({ path, name: args.text('name') ?? input!.name }, settings, tools));
  const text = `${JSON.stringify(mapped)}\n`;
  const target = args.text('out');
  if (target === undefined) out.print(text);
  else await writeWhole(target, text);
  return 0;
}

async function reduceCommand(args: ParsedArguments, files: string[], out: Output): Promise<number> {
  if (files.length === 0) throw new ContextscopeError('bad-argument', 'Expected the parts that “corpus map” wrote, found none.');
  const folder = outFolder(args);
  const parts: RunPart[] = [];
  for (const { path } of await corpusInputs(files)) {
    const text = await readFile(path, 'utf8');
    parts.push(...parsePartFile(path, text).parts);
  }
  if (parts.length === 0) throw new ContextscopeError('bad-argument', 'The parts hold no run.');
  await writeTables(reduceParts(parts, args.text('tables') === undefined ? undefined : tablesOf(args)), [], folder, args, out);
  return 0;
}

/** `{"hash", "text"}` a line, each text once: to be embedded elsewhere and brought back as `--encoder vectors:PATH`. */
async function textsCommand(args: ParsedArguments, paths: string[], out: Output): Promise<number> {
  const settings = settingsOf(args);
  const seen = new Set<string>();
  const lines: string[] = [];
  let failed = false;
  for (const input of await corpusInputs(paths)) {
    try {
      await eachText(input, settings, (text) => {
        const hash = sha256Hex(text);
        if (!seen.has(hash)) lines.push(`${JSON.stringify({ hash, text })}\n`);
        seen.add(hash);
      });
    } catch (error) {
      const other = isOther(failureOf(input, error));
      failed ||= !other;
      if (!other) out.fail(error, false);
    }
  }
  if (lines.length === 0) throw new ContextscopeError('unknown-format', 'Expected a folder with runs, or runs; found no text to embed.');
  const target = args.text('out');
  if (target === undefined) out.print(lines.join(''));
  else await writeWhole(target, lines);
  return failed ? 1 : 0;
}

/** A folder holds other things than runs; those are reported and do not count as a failure. */
const isOther = ({ code }: CorpusFailure): boolean => code === 'unknown-format' || code === 'unsupported';

async function withTools<T>(args: ParsedArguments, out: Output, work: (tools: MapTools) => Promise<T>): Promise<T> {
  const counter = await loadTokenCounter('o200k_base');
  const vectors = await openVectorsSource(args.text('encoder') ?? 'static', { warn: (text) => out.fail(new Error(text), false) });
  let shown = '';
  let report = out.progress('');
  try {
    return await work({
      vectors,
      counter,
      onProgress: (what, done, total) => {
        if (what !== shown) report = out.progress((shown = what));
        report({ bytesRead: done, bytesTotal: total, records: done });
      },
    });
  } finally {
    await vectors.dispose();
  }
}

/** From `parts` when resuming, else mapped and stored there, so that a run that is stopped can be taken up. */
async function partsOf(input: CorpusInput, settings: CorpusSettings, tools: MapTools, folder: string, resume: boolean): Promise<RunPart[]> {
  const sha256 = await sha256OfFile(input.path);
  const path = partPath(folder, sha256, tools.vectors.id, settings);
  const stored = resume ? await storedParts(path, { name: input.name, sha256, source: tools.vectors.id, settings }) : null;
  if (stored) return stored;
  const mapped = await mapFile(input, settings, tools);
  await writeWhole(path, `${JSON.stringify({ ...mapped, sha256 })}\n`);
  return mapped.parts;
}

async function writeTables(tables: CorpusTables, failures: readonly CorpusFailure[], folder: string, args: ParsedArguments, out: Output): Promise<void> {
  const files = corpusFiles(tables, failures);
  for (const { name, text } of files) await writeWhole(join(folder, name), text);
  out.print(args.flag('json') ? files.find((file) => file.name === 'summary.json')!.text : corpusWords(tables, failures, folder));
}

/** By the name in the tables: where the folder lies changes no byte of the summary. */
function failureOf({ name, path }: CorpusInput, error: unknown): CorpusFailure {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(path, name);
  return { file: name, code: error instanceof ContextscopeError ? error.code : 'internal', message };
}

function nothingMapped(failures: readonly CorpusFailure[]): ContextscopeError {
  const unknown = failures.every(({ code }) => code === 'unknown-format');
  return new ContextscopeError(unknown ? 'unknown-format' : 'bad-record', `None of ${failures.length} files could be mapped; first: ${failures[0]?.message ?? 'they hold no run'}`);
}

function outFolder(args: ParsedArguments): string {
  const folder = args.text('out');
  if (folder === undefined) throw new ContextscopeError('bad-argument', 'Expected --out DIR, the folder to write the tables to.');
  return folder;
}

function settingsOf(args: ParsedArguments): CorpusSettings {
  return { ...DEFAULT_SETTINGS, tables: tablesOf(args), seed: args.integer('seed', 0) ?? DEFAULT_SETTINGS.seed, every: args.integer('every', 1) ?? DEFAULT_SETTINGS.every, budget: budgetOf(args) };
}

function budgetOf(args: ParsedArguments): number {
  const text = args.text('budget');
  if (text === undefined) return DEFAULT_SETTINGS.budget;
  const [budget, ...more] = parseBudgets(text);
  if (budget === undefined || more.length > 0) throw new ContextscopeError('bad-argument', `Expected one --budget in tokens, found ${JSON.stringify(text)}.`);
  return budget;
}

function tablesOf(args: ParsedArguments): TableId[] {
  const wanted = (args.text('tables') ?? 'all').split(',').map((id) => id.trim());
  for (const id of wanted) {
    if (id !== 'all' && !TABLE_IDS.some((known) => known === id)) throw new ContextscopeError('bad-argument', `Expected --tables to be all or some of ${TABLE_IDS.join(', ')}, found ${JSON.stringify(id)}.`);
  }
  return TABLE_IDS.filter((id) => wanted.includes('all') || wanted.includes(id));
}
