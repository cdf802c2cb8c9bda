/** The commands of cli.md as functions from arguments to what is printed. Each gets the output as an argument: tests read it. */
import { ContextscopeError } from '../core/base/errors';
import { embedAll } from '../core/embedding/embed-all';
import { sha256Hex } from '../core/base/sha256';
import { checkpointOfBlocks, checkpointTexts, readSelectionLine } from '../core/selection/selection-line';
import type { SelectMode } from '../core/selection/types';
import { isStep } from '../core/trace/blocks-facts';
import type { EncodingName } from '../core/trace/blocks-types';
import { interactionBlocks } from '../core/trace/interaction';
import { loadTokenCounter } from '../core/tokens/counter';
import { parseCommand, type ParsedArguments } from './args';
import { auditMarkdown, auditOfTrajectory } from './audit';
import { createNodeEncoder } from './embed';
import { embedReport, writeVectors, type EmbedRow } from './embed-output';
import { inspectFiles } from './inspect';
import { renderInspect } from './inspect-text';
import { LINE_OPTIONS, readAll, withLine } from './load-line';
import { selectJson, selectReport, selectTable, type SelectRequest } from './select';
import { tokensOfTrajectory } from './trajectory-tokens';
import { openVectorsSource } from './vectors-source';
import type { Output } from './output';

export async function inspectCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, { json: { type: 'boolean' }, join: { type: 'boolean' }, trajectory: { type: 'string' }, format: { type: 'string' }, thread: { type: 'string' }, encoding: { type: 'string' }, audit: { type: 'boolean' }, md: { type: 'boolean' } });
  if (args.positionals.length === 0) throw new ContextscopeError('bad-argument', 'Expected at least one file.');
  if (args.flag('md') && !args.flag('audit')) throw new ContextscopeError('bad-argument', 'Expected --audit with --md: only the audit is a table.');
  const trajectory = args.integer('trajectory', 0);
  const counter = await loadTokenCounter(encodingOf(args));
  const { json, failures } = await inspectFiles(args.positionals, {
    format: args.text('format'),
    join: args.flag('join'),
    thread: args.text('thread'),
    ...(trajectory === undefined ? {} : { trajectory }),
    onProgress: out.progress('Reading'),
    countTokens: (trajectory, reader) => tokensOfTrajectory(trajectory, reader, counter),
    ...(args.flag('audit') ? { audit: (trajectory, reader) => auditOfTrajectory(trajectory, reader, counter, args.text('thread')) } : {}),
  });
  if (json.files.length > 0 || failures.length === 0) out.print(args.flag('json') ? JSON.stringify(json) : args.flag('audit') ? auditMarkdown(json) : renderInspect(json));
  for (const { error } of failures) out.fail(error, args.flag('json') && json.files.length === 0);
  if (failures.length === 0) return 0;
  // Something could be read: 1; nothing at all: what the first failure says.
  return json.files.length > 0 ? 1 : out.exitCode(failures[0]!.error);
}

const MODES: readonly SelectMode[] = ['core', 'guarded', 'cumulative'];

export async function selectCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, {
    ...LINE_OPTIONS, step: { type: 'string' }, checkpoint: { type: 'string' }, k: { type: 'string' }, tau: { type: 'string' },
    selector: { type: 'string' }, mode: { type: 'string' }, encoder: { type: 'string' }, seed: { type: 'string' }, texts: { type: 'boolean' }, strict: { type: 'boolean' },
    capacity: { type: 'string' }, match: { type: 'string' }, lab: { type: 'boolean' }, wide: { type: 'boolean' },
  });
  const step = args.integer('step', 1);
  const checkpoint = args.integer('checkpoint', 0);
  if ((step === undefined) === (checkpoint === undefined)) throw new ContextscopeError('bad-argument', 'Expected either --step T or --checkpoint N.');
  const mode = MODES.find((candidate) => candidate === (args.text('mode') ?? 'core'));
  if (!mode) throw new ContextscopeError('bad-argument', `Expected --mode to be one of ${MODES.join(', ')}, found ${JSON.stringify(args.text('mode'))}.`);
  const tau = args.number('tau') ?? 0.9;
  if (tau <= 0 || tau > 1) throw new ContextscopeError('bad-argument', `Expected --tau above 0 and at most 1, found ${tau}.`);
  const match = (['count', 'tokens'] as const).find((candidate) => candidate === (args.text('match') ?? 'count'));
  if (!match) throw new ContextscopeError('bad-argument', `Expected --match count or tokens, found ${JSON.stringify(args.text('match'))}.`);
  const capacity = args.text('capacity') === 'scaled' ? 'scaled' : args.integer('capacity', 1);
  const { file, messages } = await withLine(args, async (loaded) => ({ file: loaded.file, messages: await readAll(loaded) }));
  const counter = await loadTokenCounter(encodingOf(args));
  const vectors = await openVectorsSource(args.text('encoder') ?? 'static', { warn: (text) => out.fail(new Error(text), false) });
  const report = out.progress('Embedding');
  try {
    const request: SelectRequest = {
      file,
      messages,
      interactionBlocks: interactionBlocks(messages).blocks,
      countTokens: (text) => counter.count(text),
      place: step === undefined ? { checkpoint: checkpoint! } : { message: messageOfStep(messages.filter(isStep), step) },
      settings: {
        k: args.text('k') === undefined || args.text('k') === 'auto' ? 'auto' : args.integer('k', 1)!,
        tau, mode, seed: args.integer('seed', 0) ?? 0, texts: args.flag('texts'), strict: args.flag('strict'),
        selectors: (args.text('selector') ?? 'all').split(','), match, ...(capacity === undefined ? {} : { capacity }),
      },
      ...(args.flag('lab') ? { lab: { wide: args.flag('wide') } } : {}),
      vectorsOf: (line, texts) => vectors.vectorsOf(file, line, texts, (done, total) => report({ bytesRead: done, bytesTotal: total, records: done })),
    };
    out.print(args.flag('json') ? await selectJson(request) : selectTable(await selectReport(request)));
    return 0;
  } finally {
    await vectors.dispose();
  }
}

function messageOfStep(calls: readonly { index: number }[], step: number): number {
  const call = calls[step - 1];
  if (!call) throw new ContextscopeError('bad-argument', `Expected --step between 1 and ${calls.length} (the run's model calls), found ${step}.`);
  return call.index;
}

type NodeEncoder = Awaited<ReturnType<typeof createNodeEncoder>>;

async function embedTexts(texts: readonly string[], encoder: NodeEncoder, out: Output): Promise<{ vectors: Float32Array[] }> {
  const report = out.progress('Embedding');
  const items = texts.map((text) => ({ hash: sha256Hex(text), text }));
  const { vectors } = await embedAll({ spec: encoder.spec, get: () => Promise.resolve(encoder) }, items, { onProgress: (done, total) => report({ bytesRead: done, bytesTotal: total, records: done }) });
  return { vectors: [...vectors] };
}

export async function embedCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, { ...LINE_OPTIONS, encoder: { type: 'string' }, out: { type: 'string' }, what: { type: 'string' }, checkpoint: { type: 'string' } });
  const path = args.text('out');
  const what = args.text('what') ?? 'blocks';
  if (path === undefined && !args.flag('json')) throw new ContextscopeError('bad-argument', 'Expected --out PATH ending in .npy or .jsonl, or --json.');
  if (!['blocks', 'goal', 'all'].includes(what)) throw new ContextscopeError('bad-argument', `Expected --what to be blocks, goal or all, found ${JSON.stringify(what)}.`);
  const messages = await withLine(args, readAll);
  const counter = await loadTokenCounter(encodingOf(args));
  const line = readSelectionLine(messages, interactionBlocks(messages).blocks, (text) => counter.count(text));
  const n = args.integer('checkpoint', 0) ?? line.blocks.length;
  if (n > line.blocks.length) throw new ContextscopeError('bad-argument', `Expected --checkpoint between 0 and ${line.blocks.length}, found ${n}.`);
  const at = checkpointTexts(line, checkpointOfBlocks(line, n));
  const blocks = line.blocks.slice(0, n).map((block) => ({ kind: 'block' as const, index: block.index, text: block.text }));
  const goal = { kind: 'goal' as const, index: n, text: at.goal };
  const wanted =
    what === 'blocks' ? blocks
    : what === 'goal' ? [goal]
    : [...blocks, goal, { kind: 'action' as const, index: n, text: at.action }, { kind: 'final' as const, index: n, text: line.finalText }];
  const encoder = await createNodeEncoder(args.text('encoder') ?? 'static');
  try {
    const { vectors } = await embedTexts(wanted.map((row) => row.text), encoder, out);
    const rows: EmbedRow[] = wanted.map(({ kind, index, text }) => ({ kind, index, hash: sha256Hex(text), tokens: counter.count(text) }));
    if (path !== undefined) await writeVectors(path, rows, vectors, encoder.spec.dim);
    if (args.flag('json')) out.print(JSON.stringify(embedReport(encoder.spec, rows)));
    return 0;
  } finally {
    await encoder.dispose();
  }
}

export function encodingOf(args: ParsedArguments): EncodingName {
  const name = args.text('encoding') ?? 'o200k_base';
  if (name !== 'o200k_base' && name !== 'cl100k_base') throw new ContextscopeError('bad-argument', `Expected --encoding to be o200k_base or cl100k_base, found ${JSON.stringify(name)}.`);
  return name;
}
