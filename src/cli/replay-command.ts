import { readFile } from 'node:fs/promises';
import { ContextscopeError } from '../core/base/errors';
import { loadTokenCounter } from '../core/tokens/counter';
import { threadOf } from '../core/trace/line';
import { blockText } from '../core/trace/block-text';
import { checkInvariants, type InvariantReport } from '../core/workspace/invariants';
import type { RenderTarget, Replay, ReplayInput } from '../core/workspace/types';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { readMessagesAt, readPromptMessages } from '../core/workspace/prompt-messages';
import { ensureScenarioFits, parseScenario } from '../core/workspace/scenario/file';
import { parseBudgets, parseCommand, type ParsedArguments } from './args';
import { encodingOf } from './commands';
import { LINE_OPTIONS, withLine, type LoadedLine } from './load-line';
import type { Output } from './output';
import { needVectors, readLineSelection } from './replay-selection';
import { policyIds, renderStepJson, replayCsv, replayJsonChunks, replayMarkdown, runReplays, type BudgetRun, type ReplayOptions } from './replay';

export async function replayCommand(argv: string[], out: Output): Promise<number> {
  const args = parseCommand(argv, {
    ...LINE_OPTIONS, budget: { type: 'string' }, 'total-budget': { type: 'string' }, policy: { type: 'string' },
    param: { type: 'string', multiple: true }, csv: { type: 'boolean' }, md: { type: 'boolean' }, render: { type: 'string' }, as: { type: 'string' }, encoder: { type: 'string' },
    scenario: { type: 'string' }, steps: { type: 'string' }, 'with-blocks': { type: 'boolean' }, 'all-ops': { type: 'boolean' }, invariants: { type: 'boolean' },
  });
  const options = optionsOf(args);
  const as = args.text('as') ?? 'openai';
  if (as !== 'openai' && as !== 'anthropic') throw new ContextscopeError('bad-argument', `Expected --as to be openai or anthropic, found ${JSON.stringify(as)}.`);
  const rendered = args.integer('render', 1);
  if (rendered !== undefined && (options.policies.length !== 1 || options.policies[0] === 'all' || options.budgets.length !== 1)) {
    throw new ContextscopeError('bad-argument', 'Expected one policy and one budget with --render.');
  }
  const scenario = await scenarioOf(args, options.policies);
  return withLine(args, async (loaded) => {
    if (scenario) ensureScenarioFits(scenario, loaded.trajectory.id, loaded.line);
    return printReplays(loaded, args, { options: scenario ? { ...options, scenario: scenario.operations } : options, as, rendered }, out);
  });
}

/** `--scenario FILE`: what `manual` does. */
async function scenarioOf(args: ParsedArguments, policies: readonly string[]): Promise<ReturnType<typeof parseScenario> | null> {
  const path = args.text('scenario');
  if (path === undefined) {
    if (policies.includes('manual')) throw new ContextscopeError('bad-argument', 'Expected --scenario FILE with --policy manual: the operations to replay, as the page exports them.');
    return null;
  }
  if (!policies.includes('manual') && !policies.includes('all')) throw new ContextscopeError('bad-argument', 'Expected --policy manual with --scenario.');
  try {
    return parseScenario(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof ContextscopeError) throw new ContextscopeError(error.code, error.message, { file: path });
    throw new ContextscopeError('not-found', `The scenario ${path} could not be read: ${error instanceof Error ? error.message : String(error)}`, { file: path });
  }
}

interface Wanted { options: ReplayOptions; as: RenderTarget; rendered: number | undefined }

async function printReplays(loaded: LoadedLine, args: ParsedArguments, { options: wanted, as, rendered }: Wanted, out: Output): Promise<number> {
  const { file, imported, trajectory, line, rows, reader } = loaded;
  const counter = await loadTokenCounter(encodingOf(args));
  const count = (text: string): number => counter.count(text);
  const report = out.progress('Counting');
  const analysis = await analyseRecordedLine(reader, trajectory, line, counter, { onProgress: (done, total) => report({ bytesRead: done, bytesTotal: total, records: done }) });
  const embedding = out.progress('Embedding');
  const input: ReplayInput = needVectors(policyIds(wanted))
    ? {
        ...analysis,
        selection: await readLineSelection(loaded, analysis.facts.stepMessage, {
          encoder: args.text('encoder') ?? 'static',
          warn: (text) => out.fail(new Error(text), false),
          onProgress: (done, total) => embedding({ bytesRead: done, bytesTotal: total, records: done }),
        }),
      }
    : analysis;
  const runs = runReplays(input, wanted, count);
  const options = args.flag('invariants') ? { ...wanted, invariants: await checkRuns(loaded, input, runs, wanted, count) } : wanted;
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
  return refusedStatus(runs, out);
}

/** 1 where an operation by hand does not apply: what could be done is printed. */
function refusedStatus(runs: readonly BudgetRun[], out: Output): number {
  const refused = runs.flatMap(({ budget, replays }) => replays.flatMap(({ outcomes = [] }) => outcomes.filter(({ applied }) => !applied).map(({ id, refused: why }) => `${id} at budget ${budget}: ${why ?? ''}`)));
  if (refused.length === 0) return 0;
  out.fail(new ContextscopeError('bad-argument', `${refused.length} ${refused.length === 1 ? 'operation' : 'operations'} of the scenario could not be done: ${refused.slice(0, 5).join(' ')}${refused.length > 5 ? ' …' : ''}`), false);
  return 1;
}

/** The seven invariants of every replay, prompts and folds at sampled steps. */
async function checkRuns({ trajectory, line, rows, reader }: LoadedLine, input: ReplayInput, runs: readonly BudgetRun[], options: ReplayOptions, count: (text: string) => number): Promise<Map<Replay, InvariantReport>> {
  const { blocks } = input;
  const reports = new Map<Replay, InvariantReport>();
  for (const { budget, replays } of runs) for (const replay of replays) {
    const again = (other: ReplayInput): Replay => runReplays(other, { ...options, budgets: [budget], policies: [replay.policy], params: [] }, count, replay.params)[0]!.replays[0]!;
    reports.set(replay, await checkInvariants({
      input, replay, tools: threadOf(trajectory, line.thread).tools, count, again,
      messagesAt: (step) => readPromptMessages(reader, rows, replay, step, blocks.messageIndex),
      textsOf: async (bases) => {
        const message = await readMessagesAt(reader, rows, [...new Set(bases.map((base) => blocks.messageIndex[base] ?? 0))].sort((a, b) => a - b));
        return (base) => blockText(message(blocks.messageIndex[base] ?? 0), blocks.partFrom[base] ?? 0, blocks.partTo[base] ?? 0);
      },
    }));
  }
  return reports;
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
