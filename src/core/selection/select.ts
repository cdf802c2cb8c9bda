/** The report of `select`: every selector at one checkpoint, at the same number of blocks (gem.md §5, cli.md). */
import { ContextscopeError } from '../base/errors';
import type { Matrix } from '../numerics/matrix';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { complete, type Completion } from './completion';
import { capacityAt } from './capacity';
import { DELETION_GUARD, MIN_BLOCKS } from './constants';
import { CONTROL_DRAWS, featureShiftDraws, gaussianDraws } from './controls';
import { removeWithinGuard, replayForwarding } from './forwarding';
import { nextActionTop3, selectionMetrics, type Targets } from './metrics';
import { picksAlong } from './picks-along';
import { protect, type Protection, type ProtectionInput } from './protection';
import type { SelectionInput } from './selection-input';
import { COMPARED_SELECTORS, lazyGram, selectorById, SELECTORS, type Selector } from './selectors';
import { centredEnergies, effectiveRank, energyRank } from './spectrum';
import { chosenWithinTokens } from './token-match';
import type { GeometryReport, Pick, SelectReport, SelectSettings, SelectorResult, SpectrumReport, StopReason } from './types';

export interface SelectOptions {
  /** Draws of each control band. */
  controlDraws?: number;
}

/**
 * Builds the report. `k: 'auto'` = the size of gem's core with K = `settings.capacity` (16). Where the algorithm
 * returns a request unchanged (fewer than 16 blocks, clashing ids, with `strict` an unanswered call), gem and its
 * ablations keep everything and say why; then 'auto' keeps everything for all, and a given k still runs the selectors
 * that are comparisons only. Throws 'bad-argument' for an unknown selector.
 */
export function buildSelectReport(input: SelectionInput, settings: SelectSettings, options: SelectOptions = {}): SelectReport {
  const selectors = selectorsOf(settings.selectors);
  const n = input.blocks.length;
  const rows = unitRows(input.vectors, n, input.encoder.dim);
  const unit = (vector: Float32Array | null): Float64Array | null => vector && unitVector(vector);
  const goal = unit(input.goal);
  const targets: Targets = { action: unit(input.action), final: unit(input.final), goal };
  const evidence: ProtectionInput = {
    rows, goal, stateQuery: unit(input.stateQuery), stateQueryText: input.stateQueryText,
    detections: input.blocks.map((block) => block.detection),
  };
  const protection = protect(evidence);
  const unchanged = unchangedReason(input, settings.strict ?? false);
  const capacity = capacityAt(settings.capacity, n);
  const k = settings.k !== 'auto' ? Math.min(settings.k, n)
    : unchanged !== null ? n
    : complete(rows, protection.all, { capacity, tau: settings.tau }).kept.length;
  const run: Run = { input, settings, rows, gram: lazyGram(rows), evidence, protection, unchanged, capacity, k, goal, matchedTokens: null };
  const gemSelector = selectorById('gem');
  const gem = gemSelector && settings.match === 'tokens' ? outcomeOf(gemSelector, run) : null;
  if (gem) run.matchedTokens = gem.kept.reduce((sum, i) => sum + input.blocks[i]!.tokens, 0);
  return {
    file: input.file,
    encoder: input.encoder,
    checkpoint: n,
    k,
    ...(run.matchedTokens === null ? {} : { matchedTokens: run.matchedTokens }),
    blocks: input.blocks.map(({ index, messageIndices, chars, tokens, hash, text }) => ({
      index, messageIndices, chars, tokens, hash, ...(settings.texts && text !== undefined ? { selectionText: text } : {}),
    })),
    spectrum: n >= 2 ? spectrumReport(rows, settings.seed, options.controlDraws, run.gram) : null,
    protected: protection.groups,
    protectedWhy: protection.why,
    nextActionTop3: nextActionTop3(rows, targets.action),
    selectors: selectors.map((selector) => {
      const outcome = outcomeOf(selector, run);
      return { selector: selector.id, ...outcome, metrics: selectionMetrics(rows, outcome.kept, targets, input.blocks) };
    }),
  };
}

/** Spectrum with its control bands, as the report prints it. `gram` is asked only where it is the smaller matrix. */
export function spectrumReport(rows: Matrix, seed: number, draws = CONTROL_DRAWS, gram?: () => Float64Array): SpectrumReport {
  return spectrumWithCurves(rows, seed, draws, gram).spectrum;
}

export interface SpectrumWithCurves { spectrum: SpectrumReport; curves: NonNullable<GeometryReport['controlCurves']> }

/** The same with the cumulative curves of the controls, which only the page draws. */
export function spectrumWithCurves(rows: Matrix, seed: number, draws = CONTROL_DRAWS, gram?: () => Float64Array): SpectrumWithCurves {
  const energies = centredEnergies(rows, gram);
  const r90 = energyRank(energies);
  const shift = featureShiftDraws(rows, seed, draws);
  const gaussian = gaussianDraws(rows.rows, rows.columns, seed, draws);
  return {
    spectrum: {
      energy: [...energies],
      erank: effectiveRank(energies),
      erankSingular: effectiveRank(energies, true),
      r90,
      r90Share: rows.rows > 0 ? r90 / rows.rows : 0,
      featureShift: shift.band,
      gaussian: gaussian.band,
    },
    curves: { featureShift: shift.curve, gaussian: gaussian.curve },
  };
}

interface Run {
  input: SelectionInput;
  settings: SelectSettings;
  rows: Matrix;
  gram: () => Float64Array;
  evidence: ProtectionInput;
  protection: Protection;
  unchanged: string | null;
  capacity: number;
  k: number;
  goal: Float64Array | null;
  /** Matched by tokens: what gem's set holds; null = matched by count. */
  matchedTokens: number | null;
}

type Outcome = Omit<SelectorResult, 'selector' | 'metrics'>;

/** `all` = the nine of the comparison; ids in the order given, each once. */
function selectorsOf(ids: readonly string[]): Selector[] {
  const wanted = [...new Set(ids.flatMap((id) => (id === 'all' ? COMPARED_SELECTORS : [id])))];
  return wanted.map((id) => {
    const selector = selectorById(id);
    if (!selector) throw new ContextscopeError('bad-argument', `No selector is called “${id}”; known: all, ${SELECTORS.map((s) => s.id).join(', ')}.`);
    return selector;
  });
}

function unchangedReason(input: SelectionInput, strict: boolean): string | null {
  const reasons: string[] = [];
  const n = input.blocks.length;
  if (n < MIN_BLOCKS) reasons.push(`${n} complete ${n === 1 ? 'block' : 'blocks'}; selection starts at ${MIN_BLOCKS}`);
  if (input.idsClash) reasons.push('a tool call id is used twice, so calls and results cannot be told apart for certain');
  if (strict && input.unansweredCalls > 0) reasons.push(`${input.unansweredCalls} tool ${input.unansweredCalls === 1 ? 'call has' : 'calls have'} no result (strict)`);
  return reasons.length > 0 ? `Returned unchanged: ${reasons.join('; ')}.` : null;
}

function outcomeOf(selector: Selector, run: Run): Outcome {
  const { rows, settings } = run;
  if (run.unchanged !== null && (selector.deployed || settings.k === 'auto')) {
    return { kept: indices(rows.rows), picks: [], stop: 'unchanged', reason: run.unchanged };
  }
  const isGem = selector.id === 'gem';
  const start = selector.groups.length === 0 ? [] : isGem ? run.protection.all : protect(run.evidence, selector.groups).all;
  if (settings.mode !== 'core' && selector.deployed && run.input.requests) return forwardedOutcome(selector, run);
  let core: Outcome;
  if (isGem && settings.k === 'auto') {
    core = outcomeOfCompletion(complete(rows, start, { capacity: run.capacity, tau: settings.tau }));
  } else {
    const context = { rows, gram: run.gram, start, k: run.k, goal: run.goal, seed: settings.seed };
    const byTokens = run.matchedTokens !== null && !isGem;
    const { kept, picks, exhausted } = byTokens
      ? chosenWithinTokens(selector, context, run.input.blocks.map((block) => block.tokens), run.matchedTokens ?? 0)
      : selector.select(context);
    core = {
      kept: ascending(kept),
      picks: picks ?? picksAlong(rows, kept, start.length),
      stop: exhausted && (byTokens || kept.length < run.k) ? 'exhausted' : 'fixed',
      reason: null,
    };
  }
  return settings.mode === 'core' ? core : guarded(core, run);
}

const outcomeOfCompletion = ({ kept, picks, stop }: { kept: number[]; picks: Pick[]; stop: StopReason }): Outcome =>
  ({ kept: ascending(kept), picks, stop, reason: null });

/** A first selection at this checkpoint: the core and whatever the deletion guard does not let go. */
function guarded(core: Outcome, run: Run): Outcome {
  const sizes = run.input.blocks.map((block) => block.uncutChars);
  const kept = removeWithinGuard(new Set(indices(sizes.length)), new Set(core.kept), sizes, run.input.prefixChars, DELETION_GUARD);
  return { ...core, kept: ascending([...kept]) };
}

/** What the online algorithm forwards at this request, after all requests before it. */
function forwardedOutcome(selector: Selector, { input, rows, settings, capacity, evidence }: Run): Outcome {
  const steps = replayForwarding(
    { rows, detections: evidence.detections, sizes: input.blocks.map((block) => block.uncutChars), requests: input.requests ?? [] },
    { mode: settings.mode, capacity, tau: settings.tau, groups: selector.groups },
  );
  const last = steps[steps.length - 1]!;
  const selection = steps.findLast((step) => step.completion !== null);
  const completion: Completion | null = selection?.completion ?? null;
  return {
    kept: last.forwarded,
    picks: completion?.picks ?? [],
    stop: completion?.stop ?? 'unchanged',
    reason: last.event === 'append' ? `No new selection here: the one made at ${selection?.n ?? 0} blocks, and every block added since.` : null,
  };
}

function indices(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i);
}

function ascending(list: readonly number[]): number[] {
  return [...list].sort((a, b) => a - b);
}
