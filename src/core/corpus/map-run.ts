/** One run → every per-run value of every table (the map of the corpus' map and reduce). */
import { ContextscopeError } from '../base/errors';
import { firstRows, type Matrix } from '../numerics/matrix';
import { unitRows, unitVector } from '../numerics/unit-rows';
import { checkpointView, leadingGram, naturalCore, type CheckpointView } from '../selection/checkpoint-view';
import { complete } from '../selection/completion';
import { MIN_BLOCKS } from '../selection/constants';
import { measure } from '../selection/measured';
import { spectrumReport } from '../selection/select';
import type { VectorOf } from '../selection/selection-input';
import { checkpointOfBlocks, checkpointTexts, type SelectionLine } from '../selection/selection-line';
import { COMPARED_SELECTORS, lazyGram, MAX_GRAM_ROWS } from '../selection/selectors';
import { ablationTable, capacitySweep, chosen, replacementAt, SWEPT_CAPACITIES, SWEPT_SELECTORS, SWEPT_TARGETS, targetSweep } from '../selection/sweeps';
import type { EncoderInfo } from '../selection/types';
import { addMetrics, addTo, emptySum } from './sums';
import { EFFECT_NAMES, PART_VERSION, type CorpusSettings, type EffectSums, type PrefixMeans, type RunIdentity, type RunPart, type RunSpectrum, type TableId } from './types';

/** Longest run of the seed, blocks. */
const SEED_LONGEST = 89;
/**
 * The K sweep starts where the largest K leaves nothing over: of the seed's 650 checkpoints it uses 525, which are those
 * of 20 blocks or more in 28 of the 32 runs.
 */
const LARGEST_CAPACITY = Math.max(...SWEPT_CAPACITIES);

export interface MapInput {
  run: RunIdentity;
  line: SelectionLine;
  encoder: EncoderInfo;
  /** The encoder's vector of a text; null = there is none, and what needs it is null. Blocks must have one. */
  vectorOf: VectorOf;
}

/** Prefixes measured: 16…N−1, each with block n+1 as the next action (gem.md §5). */
export function checkpointsOf(blocks: number): number[] {
  return Array.from({ length: Math.max(0, blocks - MIN_BLOCKS) }, (_, i) => MIN_BLOCKS + i);
}

/** The middle and the last of them: our reading of "59 checkpoints of 32 trajectories" (about two a run). */
export function comparedCheckpoints(blocks: number): number[] {
  const all = checkpointsOf(blocks);
  return all.length === 0 ? [] : [...new Set([all[all.length >> 1]!, all.at(-1)!])].sort((a, b) => a - b);
}

/** All checkpoints of a run, or evenly thinned to `mostCheckpoints` where it has more; with the compared ones. */
export function measuredCheckpoints(blocks: number, { mostCheckpoints }: Pick<CorpusSettings, 'mostCheckpoints'>): { thinned: ReadonlySet<number>; all: number[] } {
  const every = checkpointsOf(blocks);
  const step = Math.max(1, Math.ceil(every.length / mostCheckpoints));
  const thinned = new Set(every.filter((_, i) => i % step === 0));
  return { thinned, all: [...new Set([...thinned, ...comparedCheckpoints(blocks)])].sort((a, b) => a - b) };
}

/** Replays need no encoder: where only they are wanted, none is loaded. */
function needsVectors({ tables }: Pick<CorpusSettings, 'tables'>): boolean {
  return tables.some((id) => id !== 'policies');
}

/** Texts whose vectors `mapRun` asks for, each once, blocks first; the empty text needs none. */
export function corpusTexts(line: SelectionLine, settings: CorpusSettings): string[] {
  if (!needsVectors(settings)) return [];
  const places = measuredCheckpoints(line.blocks.length, settings).all.map((n) => checkpointTexts(line, checkpointOfBlocks(line, n)));
  const all = [...line.blocks.map((block) => block.text), ...places.flatMap(({ goal, stateQuery, action }) => [goal, stateQuery, action]), line.finalText];
  return [...new Set(all)].filter((text) => text !== '');
}

/**
 * Every per-run value but the replays of policies (`mapPolicies`). `onCheckpoint` is awaited between checkpoints: for progress, for other messages of a worker, and
 * for cancelling (by throwing). Throws 'not-found' for a block without a vector.
 */
export async function mapRun(input: MapInput, settings: CorpusSettings, onCheckpoint?: (done: number, total: number) => void | Promise<void>): Promise<RunPart> {
  const { line, encoder } = input;
  const wants = (...ids: TableId[]): boolean => ids.some((id) => settings.tables.includes(id));
  const total = line.blocks.length;
  const rows = needsVectors(settings) ? blockRows(input) : unitRows(new Float32Array(0), 0, encoder.dim);
  const gram = lazyGram(rows);
  const leftOut = whyLeftOut(line);
  const { thinned, all } = measuredCheckpoints(total, settings);
  const places = leftOut === null && needsVectors(settings) ? all : [];
  const compared = new Set(places.length > 0 ? comparedCheckpoints(total) : []);
  const has = places.length > 0;
  const part: RunPart = {
    version: PART_VERSION, run: input.run, encoder, settings, blocks: total, leftOut,
    spectrum: wants('C1') ? runSpectrum(rows, settings) : null,
    prefixes: wants('1') && has ? { checkpoints: 0, protected: emptySum(), stops: {}, selectors: {}, upTo89: {} } : null,
    replacement: wants('2') && has ? { pairs: 0, checkpoints: 0, effects: Object.fromEntries(EFFECT_NAMES.map((name) => [name, emptySum()])) as EffectSums } : null,
    compared: wants('D1') && has ? { checkpoints: [...compared], selectors: {} } : null,
    ablations: wants('D2') && has ? { checkpoints: [...compared], selectors: {} } : null,
    capacities: wants('D3') && has ? { checkpoints: 0, selectors: {} } : null,
    targets: wants('D4') && has ? { checkpoints: [...compared], taus: {} } : null,
    policies: null,
  };
  for (const [i, n] of places.entries()) {
    const view = viewAt(input, rows, gram, n, settings.seed);
    const at = { n, tokens: view.sizes.slice(0, n).reduce((sum, size) => sum + size.tokens, 0) };
    const core = naturalCore(view, settings.capacity, settings.tau);
    const counts = thinned.has(n);
    if (part.prefixes && counts && n % settings.every === 0) addPrefix(part.prefixes, view, core, at, settings);
    if (part.replacement && counts && n % settings.replacementEvery === 0) addReplacement(part.replacement, view, core.kept);
    if (part.capacities && counts && n >= LARGEST_CAPACITY && n % settings.sweepEvery === 0) {
      part.capacities.checkpoints++;
      for (const row of capacitySweep(view, SWEPT_SELECTORS)) addMetrics(part.capacities.selectors, `${row.selector}@${row.capacity}`, row.metrics, { ...at, kept: row.kept });
    }
    if (compared.has(n)) addCompared(part, view, core.kept.length, at, settings);
    await onCheckpoint?.(i + 1, places.length);
  }
  return part;
}

/** Effective rank and r90 with their controls, and the number of greedy picks from nothing to τ. */
export function runSpectrum(rows: Matrix, settings: Pick<CorpusSettings, 'seed' | 'controlDraws' | 'tau'>): RunSpectrum | null {
  if (rows.rows < 2) return null;
  const { energy: _energy, ...spectrum } = spectrumReport(rows, settings.seed, settings.controlDraws);
  const greedy = complete(rows, [], { capacity: rows.rows, tau: settings.tau });
  return { n: rows.rows, spectrum, greedyBlocks: greedy.stop === 'coverage' ? greedy.kept.length : null };
}

function whyLeftOut({ idsClash, blocks }: SelectionLine): string | null {
  if (blocks.length <= MIN_BLOCKS) return `${blocks.length} complete ${blocks.length === 1 ? 'block' : 'blocks'}; a checkpoint needs ${MIN_BLOCKS} and a next one`;
  return idsClash ? 'a tool call id is used twice, so calls and results cannot be told apart for certain' : null;
}

function blockRows({ line, encoder, vectorOf, run }: MapInput): Matrix {
  const vectors = new Float32Array(line.blocks.length * encoder.dim);
  line.blocks.forEach(({ text, index }, i) => {
    if (text === '') return;
    const vector = vectorOf(text);
    if (!vector) throw new ContextscopeError('not-found', `${run.file}: block ${index} of ${line.blocks.length} has no vector from ${encoder.id}.`, { file: run.file });
    if (vector.length !== encoder.dim) throw new ContextscopeError('bad-argument', `${run.file}: block ${index} has a vector of ${vector.length} numbers; ${encoder.id} has ${encoder.dim}.`, { file: run.file });
    vectors.set(vector, i * encoder.dim);
  });
  return unitRows(vectors, line.blocks.length, encoder.dim);
}

function viewAt({ line, vectorOf }: MapInput, rows: Matrix, gram: () => Float64Array, n: number, seed: number): CheckpointView {
  const texts = checkpointTexts(line, checkpointOfBlocks(line, n));
  const unit = (text: string): Float64Array | null => {
    const vector = text === '' ? null : vectorOf(text);
    return vector && unitVector(vector);
  };
  return checkpointView({
    rows: firstRows(rows, n), seed,
    // A longer run is never asked for its whole Gram matrix.
    ...(rows.rows <= MAX_GRAM_ROWS ? { gram: leadingGram(gram, rows.rows, n) } : {}),
    detections: line.blocks.map((block) => block.detection), sizes: line.blocks,
    goal: unit(texts.goal), stateQuery: unit(texts.stateQuery), stateQueryText: texts.stateQuery, action: unit(texts.action), final: unit(line.finalText),
  });
}

type At = { n: number; tokens: number };
type Core = ReturnType<typeof naturalCore>;

function addPrefix(into: PrefixMeans, view: CheckpointView, core: Core, at: At, settings: CorpusSettings): void {
  into.checkpoints++;
  addTo(into.protected, view.protection.all.length);
  into.stops[core.stop] = (into.stops[core.stop] ?? 0) + 1;
  for (const id of COMPARED_SELECTORS) {
    if (at.n % (settings.everyOf[id] ?? 1) !== 0) continue;
    const kept = id === 'gem' ? core.kept : chosen(view, id, core.kept.length);
    const metrics = measure(view, kept);
    addMetrics(into.selectors, id, metrics, { ...at, kept: kept.length });
    if (at.n <= SEED_LONGEST) addMetrics(into.upTo89, id, metrics, { ...at, kept: kept.length });
  }
}

function addReplacement(into: NonNullable<RunPart['replacement']>, view: CheckpointView, kept: readonly number[]): void {
  into.checkpoints++;
  const effects = replacementAt(view, kept)?.effects;
  if (!effects) return;
  into.pairs++;
  for (const name of EFFECT_NAMES) addTo(into.effects[name], effects[name]);
}

function addCompared(part: RunPart, view: CheckpointView, k: number, at: At, settings: CorpusSettings): void {
  if (part.compared) {
    for (const id of COMPARED_SELECTORS) {
      const kept = chosen(view, id, k);
      addMetrics(part.compared.selectors, id, measure(view, kept), { ...at, kept: kept.length });
    }
  }
  if (part.ablations) for (const row of ablationTable(view, k)) addMetrics(part.ablations.selectors, row.selector, row.metrics, { ...at, kept: Math.max(k, row.protected) });
  if (part.targets) {
    for (const row of targetSweep(view, SWEPT_TARGETS, settings.capacity)) addMetrics(part.targets.taus, String(row.tau), row.metrics, { ...at, kept: row.kept });
  }
}
