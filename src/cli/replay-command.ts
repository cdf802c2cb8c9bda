import { ContextscopeError } from '../core/base/errors';
import { loadTokenCounter } from '../core/tokens/counter';
import { threadOf } from '../core/trace/line';
import type { RenderTarget } from '../core/workspace/types';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { readPromptMessages } from '../core/workspace/prompt-messages';
import { parseBudgets, parseCommand, type ParsedArguments } from './args';
import { encodingOf } from './commands';
import { LINE_OPTIONS, withLine, type LoadedLine } from './load-line';
import type { Output } from './output';
import { renderStepJson, replayCsv, replayJsonChunks, replayMarkdown, runReplays, type ReplayOptions } from './replay';

export async function replayCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, {
    ...LINE_OPTIONS, budget: { type: 'string' }, 'total-budget': { type: 'string' }, policy: { type: 'string' },
    param: { type: 'string', multiple: true }, csv: { type: 'boolean' }, md: { type: 'boolean' }, render: { type: 'string' }, as: { type: 'string' },
    steps: { type: 'string' }, 'with-blocks': { type: 'boolean' }, 'all-ops': { type: 'boolean' },
  });
  const options = optionsOf(args);
  const as = args.text('as') ?? 'openai';
  if (as !== 'openai' && as !== 'anthropic') throw new ContextscopeError('bad-argument', `Expected --as to be openai or anthropic, found ${JSON.stringify(as)}.`);
  const rendered = args.integer('render', 1);
  if (rendered !== undefined && (options.policies.length !== 1 || options.policies[0] === 'all' || options.budgets.length !== 1)) {
    throw new ContextscopeError('bad-argument', 'Expected one policy and one budget with --render.');
  }
  return withLine(args, (loaded) => printReplays(loaded, args, { options, as, rendered }, out));
}

interface Wanted { options: ReplayOptions; as: RenderTarget; rendered: number | undefined }

async function printReplays({ file, imported, trajectory, line, rows, reader }: LoadedLine, args: ParsedArguments, { options, as, rendered }: Wanted, out: Output): Promise<number> {
  const counter = await loadTokenCounter(encodingOf(args));
  const count = (text: string): number => counter.count(text);
  const report = out.progress('Counting');
  const input = await analyseRecordedLine(reader, trajectory, line, counter, { onProgress: (done, total) => report({ bytesRead: done, bytesTotal: total, records: done }) });
  const runs = runReplays(input, options, count);
  if (rendered !== undefined) {
    const replay = runs[0]!.replays[0]!;
    const message = rendered <= replay.steps.n ? await readPromptMessages(reader, rows, replay, rendered, input.blocks.messageIndex) : never;
    out.print(renderStepJson(replay, rendered, { blocks: input.blocks, facts: input.facts, message, tools: threadOf(trajectory, line.thread).tools, count }, as));
  } else if (args.flag('csv')) {
    out.print(replayCsv(runs));
  } else if (args.flag('json')) {
    const header = { file, sha256: imported.report.sha256, trajectory: trajectory.id, thread: line.branch ?? line.thread };
    for (const piece of replayJsonChunks(header, input, runs, options)) out.write(piece);
    out.print('');
  } else {
    out.print(replayMarkdown(runs));
  }
  return 0;
}

/** Beyond the last step nothing is read: the step itself is refused. */
function never(): never {
  throw new ContextscopeError('internal', 'No message is needed beyond the last step.');
}

function optionsOf(args: ParsedArguments): ReplayOptions {
  const budget = args.text('budget');
  const policy = args.text('policy');
  if (budget === undefined || policy === undefined) throw new ContextscopeError('bad-argument', 'Expected --budget N[,N…] and --policy ID[,ID…] or all.');
  const steps = args.text('steps');
  const range = steps === undefined ? null : /^(\d+)-(\d+)$/.exec(steps);
  if (steps !== undefined && !range) throw new ContextscopeError('bad-argument', `Expected --steps A-B, found ${JSON.stringify(steps)}.`);
  const totalBudget = args.text('total-budget');
  return {
    budgets: parseBudgets(budget),
    policies: policy.split(','),
    params: args.many('param'),
    withBlocks: args.flag('with-blocks'),
    allOps: args.flag('all-ops'),
    ...(totalBudget === undefined ? {} : { totalBudget: parseBudgets(totalBudget)[0]! }),
    ...(range ? { steps: [Number(range[1]), Number(range[2])] as const } : {}),
  };
}
