/**
 * One policy over one line (model.md §3): what arrived is admitted, the policy acts on the past alone, preflight brings
 * the context within B, the call's evidence is measured, the engine recovers what the call needs, preflight again, and
 * the context is counted. Linear in steps and blocks.
 */
import { ContextscopeError } from '../base/errors';
import { TOKENS_ONCE } from '../trace/blocks-types';
import { lostBlocksOf, measureDemands, obligationsOf, tokensOfDemands } from './demands';
import { blockIndex, KIND, SWATCH } from './kinds';
import { Management } from './management';
import { admit } from './operations';
import { resolveParameters } from './parameters';
import { Preflight } from './preflight';
import { pagingOf } from './paging';
import { ensurePolicy } from './policies';
import { NO_DASHBOARD, type PolicyDefinition, type PolicyRun } from './policies/policy';
import { cachedTokens, DEFAULT_CACHE } from './provider-cache';
import { recoverBlocks } from './recovery';
import { makeSteps, modeCode } from './step-columns';
import { sumUp } from './totals';
import { SWATCHES, type Replay, type ReplayInput, type ReplayRequest, type ReplaySteps, type StepMode } from './types';
import { Workspace } from './workspace';

/** Runs one policy. Unknown policy or parameter: `bad-argument`. `count` is the tokenizer of the blocks' encoding. */
export function replay(input: ReplayInput, request: ReplayRequest, count: (text: string) => number): Replay {
  const definition = ensurePolicy(request.policy);
  const params = resolveParameters(definition, request.params ?? {}, request.budget);
  const policy = definition.ending ? { ...definition, ...definition.ending(params) } : definition;
  if (policy.needsVectors && !input.selection) throw new ContextscopeError('not-found', `Policy ${policy.id} reads vectors of the interaction blocks, and there are none: choose an encoder and embed the run first.`);
  const protocolTokens = tokensOfProtocol(policy, params, request.budget, count);
  const ws = new Workspace({
    table: input.blocks, facts: input.facts, budget: request.budget, dashboard: policy.dashboard?.(params) ?? NO_DASHBOARD, protocolTokens, count,
    keepsRemoved: policy.capabilities.exactRecovery, showsIds: policy.showsIds ?? false,
  });
  const columns = makeSteps(input.facts.steps);
  const management = new Management(columns);
  const run = policy.start({
    ws, parameters: params, management, recorded: input.recorded, scenario: request.scenario ?? [], evidence: input.evidence,
    ...(input.selection ? { selection: input.selection } : {}),
  });
  const engine = new Engine(input, ws, policy, run, management, columns);
  const { steps } = engine;
  for (let t = 1; t <= steps.n; t++) engine.step(t);
  engine.finish();
  const outcomes = run.outcomes?.();
  const notes = run.notes?.() ?? [];
  return {
    policy: policy.id, params, replayClass: run.replayClass?.() ?? policy.replayClass, causal: policy.causal, budget: request.budget, encoding: input.blocks.encoding,
    fixedOverhead: input.facts.fixedOverhead + protocolTokens, protocolTokens, exactRecovery: policy.capabilities.exactRecovery,
    blocks: ws.columns.toReplayBlocks(), ops: ws.ops, steps, history: ws.history.finish(ws.columns.n),
    totals: sumUp(input, request, steps, ws.ops, management, engine.firstLoss, pagingOf(input, steps, ws.ops, protocolTokens, (item) => ws.columns.base.get(item) >= 0 || ws.columns.kind.get(item) === KIND.recovered)),
    ...(outcomes ? { outcomes } : {}),
    ...(policy.needsVectors && input.selection ? { encoder: input.selection.encoder } : {}), ...(notes.length > 0 ? { notes } : {}),
  };
}

/** Tokens of what a policy adds to every prompt: its protocol text and tool schemas. */
export function tokensOfProtocol(policy: PolicyDefinition, params: Replay['params'], budget: number, count: (text: string) => number): number {
  const protocol = policy.protocol?.(params, budget);
  return protocol ? protocol.tools.reduce((sum, tool) => sum + count(tool.json), count(protocol.text)) : 0;
}

const NONE: readonly number[] = [];

class Engine {
  firstLoss: { step: number; lexeme: string } | null = null;
  private nextBase = 0;
  private readonly preflight: Preflight;

  constructor(
    private readonly input: ReplayInput,
    private readonly ws: Workspace,
    private readonly policy: PolicyDefinition,
    private readonly run: PolicyRun,
    private readonly management: Management,
    readonly steps: ReplaySteps,
  ) {
    this.preflight = new Preflight(ws, policy, run);
  }

  step(t: number): void {
    const { ws, policy, steps } = this;
    const row = t - 1;
    ws.step = t;
    this.admitUntil(t);
    this.act();
    let overflow = this.preflight.settle();

    const demands = measureDemands(ws, this.input.evidence, t);
    steps.promptWeight[row] = demands.prompt;
    steps.visibleWeight[row] = demands.visible;
    steps.recoverableWeight[row] = demands.recoverable;
    steps.lostWeight[row] = demands.lost;
    steps.demandWeight[row] = demands.visible + demands.recoverable + demands.lost;
    if (demands.lostLexeme !== null) this.firstLoss ??= { step: t, lexeme: demands.lostLexeme };

    const { evidence } = this.input;
    const obligations = demands.missing.length > 0 ? obligationsOf(ws, evidence, demands.missing) : NONE;
    steps.faults[row] = obligations.length + (demands.gone.length > 0 ? lostBlocksOf(ws, evidence, demands.gone).length : 0);
    steps.neededTokens[row] = tokensOfDemands(evidence, demands.missing) + tokensOfDemands(evidence, demands.gone);
    if (policy.recovers && obligations.length > 0) {
      const copies = recoverBlocks(ws, obligations, policy.bound, this.management, policy.showsIds);
      steps.obligations[row] = obligations.length;
      steps.reads[row] = copies.length;
      steps.readTokens[row] = copies.reduce((sum, copy) => sum + ws.columns.tokens.get(copy), 0);
      if (copies.length > 0) {
        this.announce(copies);
        overflow = this.preflight.settle(true) || overflow;
      }
    }
    this.render(row, overflow);
  }

  /** Blocks after the last call exist too; no step holds them. */
  finish(): void {
    const last = this.steps.n + 1;
    this.ws.step = last;
    this.admitUntil(Infinity);
  }

  private admitUntil(step: number): void {
    const { bornStep, n } = this.input.blocks;
    const bases: number[] = [];
    while (this.nextBase < n && (bornStep[this.nextBase] ?? 1) <= step) bases.push(this.nextBase++);
    if (bases.length > 0) this.announce(admit(this.ws, bases));
  }

  /** What the policy reads back by itself can be put away by the guard like what the engine read. */
  private act(): void {
    const { ws } = this;
    let from = ws.ops.length;
    this.run.act?.();
    for (; from < ws.ops.length; from++) {
      const op = ws.ops[from];
      if (op?.op === 'recover' && op.actor === 'user' && op.result !== undefined) this.preflight.admitted([blockIndex(op.result)]);
    }
  }

  private announce(items: readonly number[]): void {
    this.preflight.admitted(items);
    this.run.admitted?.(items);
  }

  private render(row: number, overflow: boolean): void {
    const { ws, steps, policy } = this;
    const dashboard = ws.dashboardSize;
    const tokens = ws.othersSize + dashboard;
    steps.contextTokens[row] = tokens;
    steps.dashboardTokens[row] = dashboard;
    const width = SWATCHES.length;
    for (let s = 0; s < width; s++) steps.bySwatch[row * width + s] = ws.swatches[s] ?? 0;
    steps.bySwatch[row * width + SWATCH.system]! += ws.fixedTokens;
    steps.bySwatch[row * width + SWATCH.summary]! += dashboard;
    const over = tokens > ws.budget;
    const mode: StepMode = !policy.bound ? (over ? 'over' : 'normal') : over || overflow ? 'overflow' : 'normal';
    steps.mode[row] = modeCode(mode);
    if (policy.bound && over) {
      steps.infeasible[row] = 1;
      // Everything that may go has gone: what is left is the least this step can be.
      steps.smallestFeasibleBudget[row] = tokens;
    }
    const prefix = ws.stream.commonPrefix((item) => (ws.marks.isMarked(item) ? 1 : 0));
    steps.prefixTokens[row] = row === 0 ? 0 : Math.min(tokens, ws.fixedTokens - TOKENS_ONCE + prefix);
    steps.cachedTokens[row] = cachedTokens(steps.prefixTokens[row] ?? 0, DEFAULT_CACHE);
    steps.opStart[row + 1] = ws.ops.length;
  }
}
