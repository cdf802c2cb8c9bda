/**
 * PACE: trigger each step, choice by relevance under pressure, replacement one of four fidelities of an interaction block
 * (full, detailed, brief, placeholder), way back by relevance alone: a block that becomes relevant is shown in full again.
 */
import { rowOf } from '../../numerics/matrix';
import { dot } from '../../numerics/dot';
import { rowsTimesVector } from '../../numerics/rows-times-vector';
import { viewOf, type SelectionView } from '../../selection/selection-view';
import { expand, NONE, summarise, type By } from '../operations';
import type { Parameter } from '../types';
import { toolOf } from './parts/block-words';
import { ForwardedBlocks } from './parts/forwarded-blocks';
import { amount, tokens } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { summaryText, type SummaryWords } from './parts/summary-text';
import { ensureSelection, numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

const FIDELITIES = ['placeholder', 'brief', 'detailed', 'full'] as const;
const FULL = 3;

/** How a block is shown now. `items`: its own blocks; `standIn`: what stands for them, −1 = they stand themselves. */
interface Shown { fidelity: number; items: readonly number[]; standIn: number }

class Pace implements PolicyRun {
  private readonly view: SelectionView;
  private readonly blocks: ForwardedBlocks;
  private readonly shown = new Map<number, Shown>();
  private readonly words = new Map<string, SummaryWords>();
  private arrivedTokens = 0;
  private arrivedStep = 0;

  constructor(private readonly setup: PolicySetup) {
    const selection = ensureSelection(setup);
    this.view = viewOf(selection);
    this.blocks = new ForwardedBlocks(setup.ws, selection);
  }

  admitted(items: readonly number[]): void {
    const { ws } = this.setup;
    if (this.arrivedStep !== ws.step) this.arrivedTokens = 0;
    this.arrivedStep = ws.step;
    for (const item of items) this.arrivedTokens += ws.costOf(item);
  }

  act(): void {
    const { ws, parameters } = this.setup;
    const keep = numberOf(parameters, 'keep');
    const old = (this.view.selection.complete[ws.step - 1] ?? 0) - keep;
    if (old <= 0) return;
    const pressure = this.pressure();
    const scale = 1 + numberOf(parameters, 'pressureWeight') * pressure;
    const cuts = ['placeholder', 'brief', 'detailed'].map((key) => numberOf(parameters, key) * scale);
    const weights = this.weights(old, old + keep);
    for (let index = 0; index < old; index++) {
      const weight = weights[index] ?? 0;
      const at = cuts.findIndex((cut) => weight < cut);
      this.show(index, at < 0 ? FULL : at, weight, pressure);
    }
  }

  /** max(t / T_max, |C_{t−1}| / B_max), at most 1. */
  private pressure(): number {
    const { ws, parameters } = this.setup;
    const before = ws.size - (this.arrivedStep === ws.step ? this.arrivedTokens : 0);
    return Math.min(1, Math.max(ws.step / numberOf(parameters, 'horizon'), before / numberOf(parameters, 'window')));
  }

  /** M · softmax(cos(q, k_i) / τ) over the M old blocks; q = goal and newest blocks. */
  private weights(old: number, n: number): Float64Array {
    const { view, setup: { ws, parameters } } = this;
    const rows = { ...view.rows, rows: old };
    const query = new Float64Array(view.rows.columns);
    const add = (vector: Float64Array | null): void => { if (vector) for (let k = 0; k < query.length; k++) query[k] = query[k]! + vector[k]!; };
    add(view.request(ws.step).goal);
    for (let i = old; i < n; i++) add(rowOf(view.rows, i));
    const length = Math.sqrt(dot(query, query));
    const weights = rowsTimesVector(rows, query, new Float64Array(old));
    const temperature = numberOf(parameters, 'temperature') * (length > 0 ? length : 1);
    let top = -Infinity;
    for (const score of weights) top = Math.max(top, score);
    let sum = 0;
    for (let i = 0; i < old; i++) sum += weights[i] = Math.exp((weights[i]! - top) / temperature);
    for (let i = 0; i < old; i++) weights[i] = (old * weights[i]!) / sum;
    return weights;
  }

  private show(index: number, wanted: number, weight: number, pressure: number): void {
    const { ws } = this.setup;
    let now = this.shown.get(index);
    if (!now) {
      if (wanted === FULL) return;
      const items = this.blocks.shown(index);
      // Trimmed, or partly pinned: it stays as it is.
      if (items.length === 0 || !items.every((item) => ws.isFree(item))) return;
      now = { fidelity: FULL, items, standIn: NONE };
    }
    if (now.fidelity === wanted || !(now.standIn < 0 ? now.items : [now.standIn]).every((item) => ws.isFree(item))) return;
    const by: By = { actor: 'policy', reason: `relevance ${weight.toFixed(2)} at pressure ${pressure.toFixed(2)}: ${FIDELITIES[wanted] ?? ''}` };
    const words = wanted === FULL ? null : this.wordsFor(index, wanted, now.items);
    if (words !== null && words.tokens >= this.tokensOf(now.items)) return;
    if (now.standIn >= 0 && !expand(ws, now.standIn, by)) return;
    const standIn = words === null ? NONE : summarise(ws, 'summarise', now.items, words.text, by, words.tokens);
    this.shown.set(index, { fidelity: standIn < 0 ? FULL : wanted, items: now.items, standIn });
  }

  private tokensOf(items: readonly number[]): number {
    return items.reduce((sum, item) => sum + this.setup.ws.columns.tokens.get(item), 0);
  }

  private wordsFor(index: number, fidelity: number, items: readonly number[]): SummaryWords {
    const key = `${index} ${fidelity}`;
    let words = this.words.get(key);
    if (!words) this.words.set(key, (words = this.makeWords(fidelity, items)));
    return words;
  }

  private makeWords(fidelity: number, items: readonly number[]): SummaryWords {
    const { ws, parameters } = this.setup;
    if (fidelity > 0) return summaryText(ws, items, numberOf(parameters, fidelity === 1 ? 'briefTokens' : 'detailedTokens'), `[${FIDELITIES[fidelity] ?? ''} record of an earlier step]`, fidelity === 1 ? 'bullets' : 'detail');
    const tools = [...new Set(items.map((item) => toolOf(ws, item)).filter((tool) => tool !== ''))];
    const text = `[earlier step left out${tools.length > 0 ? `: ${tools.join(', ')}` : ''}]`;
    return { text, tokens: ws.setup.count(text) };
  }
}

const real = (key: string, label: string, explanation: string, value: number, max: number): Parameter =>
  ({ key, label, explanation, type: 'number', default: value, min: 0.01, max, step: 0.05 });

export const pace: PolicyDefinition = {
  ...LOSSY,
  id: 'pace',
  name: 'PACE (relevance × pressure)',
  explanation: 'Each step the older interaction blocks get a relevance by softmax of their cosine to a query, scaled so that 1 is the mean; under pressure the bar rises. Below three cut-offs a block is a placeholder, a brief or a detailed record, above them it stands in full, '
    + 'and it comes back in full when it becomes relevant again. The newest stay in full. Ours: the query is the mean of the vectors of goal and newest blocks (the paper encodes their joined text), pressure is at most 1, records are extracts, not a model\'s words. '
    + 'Vectors come from the encoder that the results name.',
  source: 'PACE, ACL 2026 long 1252 (systems.md §5); lengths of the records and the step horizon are ours',
  parameters: [
    amount('keep', 'Newest in full', 'Newest interaction blocks, which always stand in full.', 2, 'blocks', 1),
    real('temperature', 'Temperature τ', 'Of the softmax over cosines.', 0.3, 10),
    real('placeholder', 'Placeholder below', 'Relevance below which only a placeholder stands.', 0.4, 100),
    real('brief', 'Brief below', 'Relevance below which a brief record stands.', 0.8, 100),
    real('detailed', 'Detailed below', 'Relevance below which a detailed record stands; from here on the block is in full.', 1.5, 100),
    { key: 'pressureWeight', label: 'Pressure weight', explanation: 'Cut-offs are multiplied by 1 + this × pressure.', type: 'number', default: 0.5, min: 0, max: 10, step: 0.1 },
    tokens('window', 'Window B_max', 'Context at which pressure is 1.', 128_000, 128_000),
    amount('horizon', 'Horizon T_max', 'Steps at which pressure is 1 (the paper takes the 95th percentile of its runs; ours is a guess).', 100, 'steps', 1),
    amount('briefTokens', 'Brief length', 'Most tokens of a brief record.', 48, 'tokens', 32),
    amount('detailedTokens', 'Detailed length', 'Most tokens of a detailed record.', 160, 'tokens', 32),
  ],
  replayClass: 'stand-in',
  needsVectors: true,
  start: (setup) => new Pace(setup),
};
