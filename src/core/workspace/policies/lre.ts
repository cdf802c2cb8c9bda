/** LRE: trigger |C| > trigger·B, choice the rounds with the lowest score of a logistic model, no replacement, no way back. */
import { KIND } from '../kinds';
import { remove } from '../operations';
import { isErrorBlock } from './parts/block-words';
import { LOSSY_RULE } from './parts/capabilities';
import { usedAt } from './parts/later-uses';
import { roundOf } from './parts/oldest-rounds';
import { names, share } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { ContextscopeError } from '../../base/errors';
import { exp, log } from '../../base/elementary';
import { numberOf, textOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

const FEATURES = ['bias', 'age', 'size', 'used', 'error', 'user', 'assistant', 'result'] as const;
type Weights = Record<(typeof FEATURES)[number], number>;

/** `name=number` pairs; an unknown name or no number throws `bad-argument`. */
export function parseWeights(text: string): Weights {
  const weights: Weights = { bias: 0, age: 0, size: 0, used: 0, error: 0, user: 0, assistant: 0, result: 0 };
  for (const pair of text.split(/[,\s]+/).filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=');
    const feature = FEATURES.find((known) => known === name);
    if (!feature || value === '' || !Number.isFinite(Number(value))) {
      throw new ContextscopeError('bad-argument', `Parameter lre.weights must be pairs like age=-0.5 of ${FEATURES.join(', ')}; got "${pair}".`);
    }
    weights[feature] = Number(value);
  }
  return weights;
}

class Lre implements PolicyRun {
  private readonly weights: Weights;
  private readonly uses = new Map<number, number>();

  constructor(private readonly setup: PolicySetup) {
    this.weights = parseWeights(textOf(setup.parameters, 'weights'));
  }

  act(): void {
    const { ws, parameters, evidence } = this.setup;
    // What the calls so far repeated.
    if (ws.step > 1) for (const block of usedAt(evidence, ws.step - 1)) this.uses.set(block, (this.uses.get(block) ?? 0) + 1);
    if (ws.size <= numberOf(parameters, 'trigger') * ws.budget) return;
    const rounds: { items: number[]; score: number }[] = [];
    const seen = new Set<number>();
    for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) {
      const item = ws.stream.at(slot);
      if (seen.has(item)) continue;
      const items = roundOf(ws, item);
      for (const member of items) seen.add(member);
      if (items.every((member) => ws.isFree(member) && !ws.isFresh(member))) rounds.push({ items, score: Math.max(...items.map((member) => this.score(member))) });
    }
    rounds.sort((a, b) => a.score - b.score || (a.items[0] ?? 0) - (b.items[0] ?? 0));
    for (const { items, score } of rounds) {
      if (ws.size <= numberOf(parameters, 'target') * ws.budget) break;
      remove(ws, 'trim', items, { actor: 'policy', reason: `keep score ${score.toFixed(2)}` });
    }
  }

  private score(item: number): number {
    const { ws } = this.setup;
    const { weights } = this;
    const kind = ws.columns.kind.get(item);
    const logit = weights.bias
      + weights.age * log(1 + ws.step - ws.columns.bornStep.get(item))
      + weights.size * log(1 + ws.columns.tokens.get(item))
      + weights.used * log(1 + (this.uses.get(ws.columns.base.get(item)) ?? 0))
      + (isErrorBlock(ws, item) ? weights.error : 0)
      + (kind === KIND.user ? weights.user : kind === KIND.assistant ? weights.assistant : weights.result);
    return 1 / (1 + exp(-logit));
  }
}

export const lre: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_RULE, trainingFree: false },
  id: 'lre',
  name: 'LRE (logistic keep scores)',
  explanation: 'Items stay verbatim or go: a logistic model of a few features (log age, log size, log of how often calls repeated it so far, error, kind) scores them, and the lowest go until the context fits. '
    + 'The weights are yours to give; the default is an example set by hand, not a trained model.',
  source: 'LRE arXiv 2606.20954 (systems.md §5)',
  parameters: [
    share('trigger', 'Trigger', 'Drop when the context is above this share of B.', 1),
    share('target', 'Target', 'Drop until it is at most this share of B.', 0.8),
    names('weights', 'Weights', `Pairs name=number of ${FEATURES.join(', ')}.`, 'age=-0.5, size=-0.2, used=1.5, error=0.3, user=2, assistant=0.5'),
  ],
  replayClass: 'exact',
  start: (setup) => new Lre(setup),
};
