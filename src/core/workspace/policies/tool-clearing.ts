/**
 * Tool-result clearing: trigger prompt > trigger tokens, choice the oldest results but the last `keep`, replacement by
 * `form`, no way back.
 */
import { KIND } from '../kinds';
import { remove, replaceBy, type By } from '../operations';
import { describeBlock } from '../wording';
import type { Workspace } from '../workspace';
import { roundOf } from './parts/oldest-rounds';
import { listOf, numberOf, textOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

const PLACEHOLDER = '[Old tool result content cleared]';

class ToolClearing implements PolicyRun {
  private readonly results: number[] = [];
  /** Results beyond the last `keep` that have not been cleared yet. */
  private pending: number[] = [];
  private pendingTokens = 0;
  private next = 0;
  private readonly ws: Workspace;
  private readonly trigger: number;
  private readonly keep: number;
  private readonly clearAtLeast: number;
  private readonly excluded: ReadonlySet<string>;
  private readonly form: string;

  constructor({ ws, parameters }: PolicySetup) {
    this.ws = ws;
    this.trigger = numberOf(parameters, 'trigger');
    this.keep = numberOf(parameters, 'keep');
    this.clearAtLeast = numberOf(parameters, 'clearAtLeast');
    this.excluded = listOf(parameters, 'excludeTools');
    this.form = textOf(parameters, 'form');
  }

  admitted(items: readonly number[]): void {
    for (const item of items) if (this.ws.columns.kind.get(item) === KIND.tool_result) this.results.push(item);
  }

  act(): void {
    const { ws } = this;
    for (; this.next < this.results.length - this.keep; this.next++) {
      const item = this.results[this.next] ?? 0;
      if (this.excluded.has(this.toolOf(item))) continue;
      this.pending.push(item);
      this.pendingTokens += ws.columns.tokens.get(item);
    }
    if (ws.size <= this.trigger || this.pending.length === 0 || this.freed() < this.clearAtLeast) return;
    const by: By = { actor: 'policy', reason: `prompt above ${this.trigger} tokens: result older than the last ${this.keep}` };
    const later: number[] = [];
    const clearing = new Set(this.pending);
    for (const item of this.pending) {
      // What no call has seen yet is not old.
      if (!ws.isFree(item) || ws.isFresh(item)) {
        if (ws.isVisible(item)) later.push(item);
        continue;
      }
      if (this.form === 'pair') {
        // The exchange goes as a whole; one of its results may still be among the last, or excluded.
        const round = roundOf(ws, item);
        const whole = round.every((member) => !ws.isFresh(member) && (ws.columns.kind.get(member) !== KIND.tool_result || clearing.has(member)));
        if (!whole || !remove(ws, 'clear', round, by)) later.push(item);
      } else replaceBy(ws, 'clear', item, this.textFor(item), by);
    }
    this.pending = later;
    this.pendingTokens = later.reduce((sum, item) => sum + ws.columns.tokens.get(item), 0);
  }

  /** Tokens that clearing now would free; results of the last round, the newest, stay. */
  private freed(): number {
    const standIn = this.form === 'pair' ? 0 : this.ws.pieces.word(PLACEHOLDER);
    let freed = this.pendingTokens - this.pending.length * standIn;
    for (let k = this.pending.length - 1; k >= 0; k--) {
      const item = this.pending[k] ?? 0;
      if (!this.ws.isFresh(item)) break;
      freed -= this.ws.columns.tokens.get(item) - standIn;
    }
    return freed;
  }

  private toolOf(item: number): string {
    const base = this.ws.columns.base.get(item);
    const { table } = this.ws.columns;
    return table.strings[table.toolName[base] ?? 0] ?? '';
  }

  private textFor(item: number): string {
    if (this.form !== 'stub') return PLACEHOLDER;
    return `[${describeBlock(this.ws.columns, item)} removed, ~${this.ws.columns.tokens.get(item)} tokens]`;
  }
}

export const toolClearing: PolicyDefinition = {
  id: 'tool-clearing',
  name: 'Tool-result clearing',
  explanation: 'When the prompt is above the trigger, all tool results but the last few are cleared at once. Calls stay, so the model knows what it did; what the results said is lost. '
    + 'Form: a short placeholder (Anthropic\'s API), the whole exchange removed (LOCA-bench), or a stub with the tool\'s name and size (VISTA\'s harness).',
  source: 'clear_tool_uses_20250919 (systems.md §5); LOCA-bench context reset (§2.8); VISTA\'s clear mode (§2.6)',
  parameters: [
    { key: 'trigger', label: 'Trigger', explanation: 'Clear when the prompt is above this many tokens.', type: 'integer', default: 100_000, unit: 'tokens', min: 1, publishedWindow: 200_000 },
    { key: 'keep', label: 'Keep', explanation: 'The newest results that always stay.', type: 'integer', default: 3, unit: 'results', min: 0, max: 10_000, step: 1 },
    { key: 'clearAtLeast', label: 'Clear at least', explanation: 'Clear only if this many tokens are freed, so that the cache is not broken for little.', type: 'integer', default: 0, unit: 'tokens', min: 0 },
    { key: 'excludeTools', label: 'Excluded tools', explanation: 'Tool names, separated by commas, whose results stay.', type: 'text', default: '' },
    { key: 'form', label: 'Form', explanation: 'What stands in for a cleared result.', type: 'choice', default: 'placeholder', choices: ['placeholder', 'pair', 'stub'] },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: false,
  recovers: false,
  start: (setup) => new ToolClearing(setup),
};
