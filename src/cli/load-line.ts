import { ContextscopeError } from '../core/base/errors';
import { createTraceReader } from '../core/import/reader';
import { importFiles } from '../core/import/import-files';
import type { ImportReport, TraceReader } from '../core/import/types';
import { defaultLine, rowsOfLine } from '../core/trace/line';
import type { LineRef, Message, Trajectory } from '../core/trace/model';
import { expandPaths } from './expand-paths';
import { nodeHasher, openFileSource, type FileSource } from './file-source';
import type { ParsedArguments } from './args';

/** One line of one trajectory of one file, as `--trajectory` and `--thread` choose it. */
export interface LoadedLine {
  file: string;
  imported: { report: ImportReport };
  trajectory: Trajectory;
  line: LineRef;
  rows: Uint32Array;
  reader: TraceReader;
}

/** Options that every command on one line takes. */
export const LINE_OPTIONS = {
  trajectory: { type: 'string' },
  thread: { type: 'string' },
  format: { type: 'string' },
  encoding: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Opens the line, hands it to `body` and closes the file. Throws 'bad-argument' or 'not-found' naming what there is to choose from. */
export async function withLine<T>(args: ParsedArguments, body: (line: LoadedLine) => Promise<T>): Promise<T> {
  const [file, ...others] = args.positionals;
  if (file === undefined || others.length > 0) throw new ContextscopeError('bad-argument', `Expected one file, found ${args.positionals.length}.`);
  const sources: FileSource[] = [];
  try {
    // A folder is the files in it: a session with those of its sub-agents, a store.
    for (const { path } of await expandPaths(file)) sources.push(await openFileSource(path));
    return await body(await loadLine(file, sources, args));
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

async function loadLine(file: string, sources: readonly FileSource[], args: ParsedArguments): Promise<LoadedLine> {
  const format = args.text('format');
  const { groups, failures } = await importFiles(sources, { createHasher: nodeHasher, ...(format === undefined ? {} : { format }) });
  // Members of an archive count on.
  const found = groups.flatMap((group) => group.trajectories.map((trajectory) => ({ trajectory, group })));
  const index = args.integer('trajectory', 0) ?? 0;
  const chosen = found[index];
  if (!chosen) {
    const many = found.length;
    if (many === 0 && failures[0]) throw failures[0].error;
    throw new ContextscopeError('not-found', many === 0 ? `Expected a trajectory in ${file}, found none.` : `Expected --trajectory between 0 and ${many - 1}, found ${index}.`, { file });
  }
  const { trajectory, group } = chosen;
  const line = chosenLine(trajectory, args.text('thread'));
  return { file, imported: { report: group.reports[0]! }, trajectory, line, rows: rowsOfLine(trajectory, line), reader: createTraceReader(group.source, trajectory) };
}

/** `--thread ID` is a thread's id, or a branch's. */
function chosenLine(trajectory: Trajectory, id: string | undefined): LineRef {
  if (id === undefined) return defaultLine(trajectory);
  for (const thread of trajectory.threads) {
    if (thread.id === id) return { thread: id };
    const branch = thread.branches.find((candidate) => candidate.id === id);
    if (branch) return { thread: thread.id, branch: branch.id };
  }
  const known = trajectory.threads.flatMap((thread) => [thread.id, ...thread.branches.map((branch) => branch.id)]);
  throw new ContextscopeError('not-found', `Expected one of the threads ${known.join(', ')}, found ${JSON.stringify(id)}.`);
}

export async function readAll({ reader, rows }: LoadedLine): Promise<Message[]> {
  const messages: Message[] = [];
  await reader.readMessages(rows, (message) => void messages.push(message));
  return messages;
}
