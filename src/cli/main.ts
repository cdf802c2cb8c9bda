#!/usr/bin/env node
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { parseCommand } from './args';
import { embedCommand, inspectCommand, selectCommand } from './commands';
import { corpusCommand } from './corpus-command';
import { exportCommand } from './export-command';
import { consoleOutput, type Output } from './output';
import { replayCommand } from './replay-command';
import { DEFAULT_PORT, serve } from './serve';

const USAGE = `Usage: contextscope COMMAND …            (in a checkout: npm run -s cli -- COMMAND …)

  serve   [FILE…] [--port N] [--no-open]                the page, opened with the files
  inspect FILE… [--json] [--format ID] [--trajectory I] [--thread ID] [--join]    what is in a trajectory file; --join: copies are one run
          [--audit [--md]]                              what the recorded manager took out and what became of it, use against age
  replay  FILE --budget N[,N…] --policy ID[,ID…]|all    what each policy would have kept
          [--param k=v]… [--thread ID] [--trajectory I] [--encoding E] [--encoder …] [--json|--csv|--md] [--render STEP --as openai|anthropic] [--invariants]
          [--scenario S.json]                           operations by hand, with --policy manual
  select  FILE --step T|--checkpoint N [--k K|auto] [--tau 0.9] [--selector ID[,ID…]|all] [--mode core|guarded|cumulative]
          [--encoder static|minilm|minilm-f32|minilm-all|hashed|vectors:PATH|onnx:PATH] [--seed 0] [--thread ID] [--trajectory I] [--texts] [--json]
          [--capacity N|scaled] [--match count|tokens] [--lab [--wide]]   K of the evidence core; sweeps, ablations, replacement
  embed   FILE --encoder … --out x.npy|x.jsonl [--what blocks|goal|all] [--checkpoint N] [--json]
  corpus  DIR|FILE… --tables all|C1,1,2,D1,D2,D3,D4,policies --out DIR [--encoder …] [--seed 0] [--every N] [--budget 16k] [--resume] [--json]
          the paper's tables over many runs; corpus map FILE --out part.json and corpus reduce part… --out DIR are its halves;
          corpus texts DIR|FILE… --out texts.jsonl: what to embed elsewhere for --encoder vectors:PATH
  export  FILE [--out x.jsonl] [--trajectory I]         runs as JSON lines of ours, without loss

A FILE named - is standard input. A file given without a command is served: contextscope run.jsonl`;

const COMMANDS: Record<string, (argv: string[], out: Output) => Promise<number>> = {
  inspect: inspectCommand,
  replay: replayCommand,
  select: selectCommand,
  embed: embedCommand,
  corpus: corpusCommand,
  export: exportCommand,
  serve: serveCommand,
};

const MAX_PORT = 65_535;

async function serveCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, { port: { type: 'string' }, 'no-open': { type: 'boolean' } });
  const port = args.integer('port', 1) ?? DEFAULT_PORT;
  if (port > MAX_PORT) throw new ContextscopeError('bad-argument', `Expected --port between 1 and ${MAX_PORT}, found ${port}.`);
  const files = args.positionals.map((file) => (file === '-' ? standardInput() : file));
  const root = await builtPage();
  await serve({ root, files, port, open: !args.flag('no-open'), log: (line) => out.print(line) });
  return 0;
}

/** Standard input as a file that the page can be given. */
function standardInput(): string {
  const file = resolve(mkdtempSync(resolve(tmpdir(), 'contextscope-')), 'stdin');
  writeFileSync(file, readFileSync(0));
  return file;
}

/** dist/ of this package. In a checkout it is built when it is missing or older than its sources. */
async function builtPage(): Promise<string> {
  const bundled = resolve(import.meta.dirname, '..');
  if (existsSync(resolve(bundled, 'index.html')) && !existsSync(resolve(bundled, 'main.tsx'))) return bundled;
  const checkout = resolve(import.meta.dirname, '../..');
  const dist = resolve(checkout, 'dist');
  const built = existsSync(resolve(dist, 'index.html')) ? statSync(resolve(dist, 'index.html')).mtimeMs : 0;
  if (built < newestChange(['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => resolve(checkout, name)))) {
    const { build } = await import('vite');
    await build({ root: checkout, logLevel: 'warn' });
  }
  return dist;
}

function newestChange(paths: string[]): number {
  return paths.reduce((newest, path) => {
    const info = statSync(path);
    const here = info.isDirectory() ? newestChange(readdirSync(path).map((name) => resolve(path, name))) : info.mtimeMs;
    return Math.max(newest, here);
  }, 0);
}

async function main(argv: string[]): Promise<number> {
  const out = consoleOutput();
  const [first, ...rest] = argv;
  try {
    if (first === undefined || first === 'help' || argv.includes('--help') || argv.includes('-h')) {
      out.print(USAGE);
      return first === undefined ? 2 : 0;
    }
    const command = COMMANDS[first];
    if (command) return await command(rest, out);
    if (existsSync(first) || first === '-') return await serveCommand(argv, out);
    throw new ContextscopeError('bad-argument', `Expected a command (${Object.keys(COMMANDS).join(', ')}) or a file, found ${JSON.stringify(first)}.`);
  } catch (error) {
    out.fail(error, argv.includes('--json'));
    return out.exitCode(error);
  }
}

// A reader such as `head` that has seen enough is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
