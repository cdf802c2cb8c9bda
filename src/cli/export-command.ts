import { open } from 'node:fs/promises';
import { ContextscopeError } from '../core/base/errors';
import { importFiles } from '../core/import/import-files';
import { createTraceReader } from '../core/import/reader';
import { exportNormalised } from '../core/trace/normalised';
import { parseCommand } from './args';
import { nodeHasher, openFileSource } from './file-source';
import type { Output } from './output';

/** Writes runs of a file as our own JSON lines: all of them, or `--trajectory I`; to standard output without `--out`. */
export async function exportCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, { out: { type: 'string' }, format: { type: 'string' }, trajectory: { type: 'string' } });
  const [path, ...others] = args.positionals;
  if (path === undefined || others.length > 0) throw new ContextscopeError('bad-argument', `Expected one file, found ${args.positionals.length}.`);
  const index = args.integer('trajectory', 0);
  const source = await openFileSource(path);
  try {
    const { groups, failures } = await importFiles([source], { createHasher: nodeHasher, format: args.text('format'), onProgress: out.progress('Reading') });
    const runs = groups.flatMap((group) => group.trajectories.map((trajectory) => ({ trajectory, reader: createTraceReader(group.source, trajectory) })));
    const chosen = index === undefined ? runs : runs.slice(index, index + 1);
    if (chosen.length === 0) throw failures[0]?.error ?? new ContextscopeError('not-found', `Expected a trajectory ${index ?? ''} in ${path}, found ${runs.length}.`, { file: path });
    const target = args.text('out');
    const file = target === undefined ? null : await open(target, 'w');
    try {
      for (const { trajectory, reader } of chosen) {
        await exportNormalised(trajectory, (...given) => reader.readMessages(...given), async (line) => {
          if (file) await file.write(line);
          else out.write(line);
        });
      }
    } finally {
      await file?.close();
    }
    if (target !== undefined) out.print(`${chosen.length} ${chosen.length === 1 ? 'run' : 'runs'} written to ${target}`);
    return 0;
  } finally {
    await source.close();
  }
}
