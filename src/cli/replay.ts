/**
 * `contextscope replay`: policies over one analysed line as the JSON of cli.md, as a table, or one rendered step. Reads
 * no file: the line comes analysed.
 */
import { ContextscopeError } from '../core/base/errors';
import { TOKENS_ONCE, TOKENS_PER_MESSAGE } from '../core/trace/blocks-types';
import { ensurePolicy, listPolicies } from '../core/workspace/policies';
import { parseParameter } from '../core/workspace/parameters';
import { renderPrompt, type PromptSource } from '../core/workspace/render';
import { replay } from '../core/workspace/replay';
import type { ScenarioOp } from '../core/workspace/scenario/types';
import type { InvariantReport } from '../core/workspace/invariants';
import { stateAt } from '../core/workspace/state-at';
import { STEP_MODES, type Op, type ParameterValue, type RenderTarget, type Replay, type ReplayInput } from '../core/workspace/types';

/** Longer runs leave the three block lists out unless asked for. */
const LISTED_STEPS = 2000;

/** Where the numbers come from: the head of the JSON. */
export interface ReplayHeader {
  file: string;
  sha256: string;
  /** Trajectory id. */
  trajectory: string;
  thread: string;
}

export interface ReplayOptions {
  budgets: readonly number[];
  totalBudget?: number;
  /** Policy ids, or `all`. */
  policies: readonly string[];
  /** `[POLICY.]KEY=VALUE`. */
  params?: readonly string[];
  /** Rows of steps [from, to]. */
  steps?: readonly [number, number];
  withBlocks?: boolean;
  allOps?: boolean;
  /** Operations by hand, for `manual`. */
  scenario?: readonly ScenarioOp[];
  /** Reports of `--invariants`, by replay. */
  invariants?: ReadonlyMap<Replay, InvariantReport>;
}

export interface BudgetRun { budget: number; replays: Replay[] }

/** `all` = every policy of the registry. */
export const policyIds = ({ policies }: ReplayOptions): string[] => (policies.includes('all') ? listPolicies().map((policy) => policy.id) : [...policies]);

/** Runs every policy at every budget. Wrong policies, parameters or steps throw `bad-argument`. `resolved`: parameters of a replay to be made again. */
export function runReplays(input: ReplayInput, options: ReplayOptions, count: (text: string) => number, resolved?: Record<string, ParameterValue>): BudgetRun[] {
  const ids = policyIds(options);
  const params = parseParams(options.params ?? [], ids);
  return options.budgets.map((budget) => ({
    budget,
    replays: ids.map((policy) => replay(input, {
      policy, budget, params: resolved ?? params.get(policy) ?? {}, ...(options.totalBudget === undefined ? {} : { totalBudget: options.totalBudget }),
      ...(policy === 'manual' && options.scenario !== undefined ? { scenario: options.scenario } : {}),
    }, count)),
  }));
}

/** `POLICY.KEY=VALUE` is for one policy; `KEY=VALUE` for every chosen policy that has the parameter. */
export function parseParams(given: readonly string[], ids: readonly string[]): Map<string, Record<string, ParameterValue>> {
  const params = new Map<string, Record<string, ParameterValue>>(ids.map((id) => [id, {}]));
  for (const text of given) {
    const match = /^(?:([a-z][a-z0-9:-]*)\.)?([A-Za-z][A-Za-z0-9]*)=([\s\S]*)$/.exec(text);
    if (!match) throw new ContextscopeError('bad-argument', `Expected --param [POLICY.]KEY=VALUE, found ${JSON.stringify(text)}.`);
    const [, only, key = '', value = ''] = match;
    if (only !== undefined && !params.has(only)) throw new ContextscopeError('bad-argument', `Expected --param for one of the chosen policies ${ids.join(', ')}, found ${only}.`);
    let used = false;
    for (const id of only === undefined ? ids : [only]) {
      const parameter = ensurePolicy(id).parameters.find((candidate) => candidate.key === key);
      const values = params.get(id);
      if (!parameter || !values) continue;
      values[key] = parseParameter(id, parameter, value);
      used = true;
    }
    if (!used) {
      const known = (only === undefined ? ids : [only]).map((id) => `${id}: ${ensurePolicy(id).parameters.map((parameter) => parameter.key).join(', ') || 'none'}`);
      throw new ContextscopeError('bad-argument', `No chosen policy has a parameter "${key}" (${known.join('; ')}).`);
    }
  }
  return params;
}

/** The JSON in pieces, so that a long run is printed without being held as one text. */
export function* replayJsonChunks(header: ReplayHeader, input: ReplayInput, runs: readonly BudgetRun[], options: ReplayOptions): Generator<string> {
  const head = (run: BudgetRun): Record<string, unknown> => ({
    ...header, encoding: input.blocks.encoding, fixedOverhead: input.facts.fixedOverhead, countsReasoning: input.facts.countsReasoning,
    messageOverhead: { perMessage: TOKENS_PER_MESSAGE, once: TOKENS_ONCE }, budget: run.budget, tokensAre: input.blocks.tokensAre,
  });
  const [first] = runs;
  if (runs.length !== 1 || !first) {
    yield JSON.stringify({
      sweep: runs.map((run) => ({ ...head(run), policies: run.replays.map((each) => ({ ...policyFacts(each), totals: each.totals, ...(options.invariants?.has(each) ? { invariants: options.invariants.get(each) } : {}) })) })),
    });
    return;
  }
  const opened = JSON.stringify({ ...head(first), policies: [] });
  yield opened.slice(0, -2);
  for (const [k, each] of first.replays.entries()) {
    if (k > 0) yield ',';
    yield* policyChunks(each, options);
  }
  yield ']}';
}

export function replayJson(header: ReplayHeader, input: ReplayInput, runs: readonly BudgetRun[], options: ReplayOptions): string {
  return [...replayJsonChunks(header, input, runs, options)].join('');
}

const policyFacts = (each: Replay): Record<string, unknown> => ({
  policy: each.policy, params: each.params, replayClass: each.replayClass, causal: each.causal, fixedOverhead: each.fixedOverhead,
  ...(each.encoder ? { encoder: each.encoder } : {}), ...(each.notes ? { notes: each.notes } : {}),
});

function* policyChunks(each: Replay, options: ReplayOptions): Generator<string> {
  const [from, to] = stepRange(each, options.steps);
  const listed = options.withBlocks === true || each.steps.n <= LISTED_STEPS;
  yield `${JSON.stringify(policyFacts(each)).slice(0, -1)},"steps":[`;
  for (let t = from; t <= to; t++) yield (t > from ? ',' : '') + JSON.stringify(stepRow(each, t, listed));
  yield '],"ops":[';
  let any = false;
  for (const op of each.ops) {
    if ((op.op === 'admit' && options.allOps !== true) || op.step < from || (op.step > to && to < each.steps.n)) continue;
    yield (any ? ',' : '') + JSON.stringify(opRow(op));
    any = true;
  }
  const invariants = options.invariants?.get(each);
  yield `],"totals":${JSON.stringify(each.totals)}${each.outcomes === undefined ? '' : `,"outcomes":${JSON.stringify(each.outcomes)}`}${invariants === undefined ? '' : `,"invariants":${JSON.stringify(invariants)}`}}`;
}

/** All steps unless `--steps A-B` limits them. */
function stepRange(each: Replay, steps: ReplayOptions['steps']): readonly [number, number] {
  if (!steps) return [1, each.steps.n];
  const [from, to] = steps;
  if (from < 1 || from > to || from > each.steps.n) {
    throw new ContextscopeError('bad-argument', `Expected --steps A-B within 1 to ${each.steps.n}, found ${from}-${to}.`);
  }
  return [from, Math.min(to, each.steps.n)];
}

function stepRow(each: Replay, step: number, listed: boolean): Record<string, unknown> {
  const { steps } = each;
  const row = step - 1;
  const at = (column: ArrayLike<number>): number => column[row] ?? 0;
  const tokens = at(steps.contextTokens);
  return {
    step, contextTokens: tokens, mode: STEP_MODES[at(steps.mode)], infeasible: at(steps.infeasible) === 1,
    smallestFeasibleBudget: at(steps.smallestFeasibleBudget) || null,
    ...(listed ? blockLists(each, step) : {}),
    evidence: {
      demandWeight: at(steps.demandWeight), visible: at(steps.visibleWeight), recoverable: at(steps.recoverableWeight), lost: at(steps.lostWeight),
      promptWeight: at(steps.promptWeight),
    },
    cache: { cachedTokens: at(steps.cachedTokens), uncachedTokens: tokens - at(steps.cachedTokens) },
    dashboardTokens: at(steps.dashboardTokens), obligations: at(steps.obligations), reads: at(steps.reads),
  };
}

function blockLists(each: Replay, step: number): Record<string, string[]> {
  const { visible, archived, lost } = stateAt(each, step);
  const names = (items: Int32Array): string[] => Array.from(items, (item) => `B${item + 1}`);
  return { visible: names(visible), archived: names(archived), lost: names(lost) };
}

const opRow = ({ step, op, actor, ids, result, range, reason, label, tokensBefore, tokensAfter }: Op): Record<string, unknown> => ({
  step, op, actor, ids, ...(result === undefined ? {} : { result }), ...(range === undefined ? {} : { range }), reason,
  ...(label === undefined ? {} : { label }), tokensBefore, tokensAfter,
});

/** Columns of the comparison table: one row a policy and budget. */
const COLUMNS: readonly [string, (run: BudgetRun, each: Replay) => string | number | null][] = [
  ['policy', (_, each) => each.policy],
  ['budget', (run) => run.budget],
  ['class', (_, each) => each.replayClass],
  ['peakContext', (_, { totals }) => totals.peakContext],
  ['meanContext', (_, { totals }) => totals.meanContext],
  ['trajectoryTokens', (_, { totals }) => totals.trajectoryTokens],
  ['ops', (_, { totals }) => Object.entries(totals.opsByKind).map(([kind, n]) => `${kind} ${n}`).join(' ')],
  ['overflowSteps', (_, { totals }) => totals.overflowSteps],
  ['overSteps', (_, { totals }) => totals.overSteps],
  ['infeasibleSteps', (_, { totals }) => totals.infeasibleSteps],
  ['evidenceVisible', (_, { totals }) => totals.evidenceVisible],
  ['evidenceRecoverable', (_, { totals }) => totals.evidenceRecoverable],
  ['evidenceLost', (_, { totals }) => totals.evidenceLost],
  ['firstLossStep', (_, { totals }) => totals.firstLoss?.step ?? null],
  ['obligations', (_, { totals }) => totals.obligations],
  ['reads', (_, { totals }) => totals.reads],
  ['cacheRate', (_, { totals }) => totals.cacheRate],
  ['usd', (_, { totals }) => totals.usd],
  ['managementCalls', (_, { totals }) => totals.managementCalls],
  ['managementTokens', (_, { totals }) => totals.managementTokens],
  ['totalBudgetStep', (_, { totals }) => totals.totalBudgetStep],
  ['faults', (_, { totals }) => totals.paging.faults],
  ['evictions', (_, { totals }) => totals.paging.evictions],
  ['faultRate', (_, { totals }) => totals.paging.faultRate],
  ['readAmplification', (_, { totals }) => totals.paging.readAmplification],
  ['amplification', (_, { totals }) => totals.paging.amplification],
];

const tableRows = (runs: readonly BudgetRun[]): (string | number | null)[][] =>
  runs.flatMap((run) => run.replays.map((each) => COLUMNS.map(([, cell]) => cell(run, each))));

/** RFC 4180; numbers in full precision, unknown empty. */
export function replayCsv(runs: readonly BudgetRun[]): string {
  const quote = (cell: string | number | null): string => (typeof cell === 'string' && /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : String(cell ?? ''));
  return [COLUMNS.map(([name]) => name), ...tableRows(runs)].map((row) => row.map(quote).join(',')).join('\r\n');
}

/** Markdown for a person: four significant decimals, `–` for unknown. */
export function replayMarkdown(runs: readonly BudgetRun[]): string {
  const show = (cell: string | number | null): string =>
    cell === null ? '–' : typeof cell === 'string' ? cell : Number.isInteger(cell) ? String(cell) : String(Number(cell.toFixed(4)));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(COLUMNS.map(([name]) => name)), line(COLUMNS.map(() => '---')), ...tableRows(runs).map((row) => line(row.map(show)))].join('\n');
}

/** `--render STEP --as …`: the body as the provider would receive it. `source.message` must know `neededMessages(…)`. */
export function renderStepJson(each: Replay, step: number, source: PromptSource, as: RenderTarget): string {
  if (!Number.isInteger(step) || step < 1 || step > each.steps.n) {
    throw new ContextscopeError('bad-argument', `Expected --render between 1 and ${each.steps.n}, found ${step}.`);
  }
  return JSON.stringify(renderPrompt(each, step, source, as).body);
}
