/**
 * GEM's online forwarding and the selectors as forwarding policies: at each call the plan says which interaction blocks
 * are left out and which are carried again. Trigger, choice and settings are the plan's (core/selection/forwarding-plan.ts).
 */
import { forwardingPlan, type ForwardingPlan, type PlanSettings } from '../../../selection/forwarding-plan';
import { ensureSelection, type PolicyRun, type PolicySetup } from '../policy';
import type { By } from '../../operations';
import { ForwardedBlocks } from './forwarded-blocks';

const EVENT_WORDS = {
  first: 'first selection', goal: 'selection after a new instruction', count: 'selection after many new blocks', each: 'selection at this call',
  append: 'newly protected', short: 'too few blocks', unchanged: 'request unchanged',
} as const;

export class ForwardingAgent implements PolicyRun {
  private readonly blocks: ForwardedBlocks;
  private readonly plan: ForwardingPlan;
  private readonly selections: string[] = [];
  private readonly stops = new Map<string, number>();
  private steps = 0;
  private unchanged = 0;
  /** Least share of a request's characters that was forwarded. */
  private least = 1;
  private fullChars = 0;
  private forwardedChars = 0;

  constructor(private readonly setup: PolicySetup, private readonly settings: PlanSettings) {
    const selection = ensureSelection(setup);
    this.blocks = new ForwardedBlocks(setup.ws, selection);
    this.plan = forwardingPlan(selection, settings);
  }

  act(): void {
    const { step } = this.setup.ws;
    const { n, event, stop, out, back, fullChars, forwardedChars } = this.plan.at(step);
    const what = EVENT_WORDS[event];
    const leave: By = { actor: 'policy', reason: `${this.settings.selector}, ${what} over ${n} blocks: not forwarded` };
    const bring: By = { actor: 'policy', reason: `${this.settings.selector}, ${what} over ${n} blocks: forwarded again` };
    for (const index of out) this.blocks.leaveOut(index, leave);
    for (const index of back) this.blocks.bringBack(index, bring);
    this.steps += 1;
    if (event === 'unchanged') this.unchanged += 1;
    if (stop !== null) this.stops.set(stop, (this.stops.get(stop) ?? 0) + 1);
    if (event === 'first' || event === 'goal' || event === 'count') this.selections.push(`${step} (${event})`);
    this.fullChars += fullChars;
    this.forwardedChars += forwardedChars;
    if (fullChars > 0) this.least = Math.min(this.least, forwardedChars / fullChars);
  }

  notes(): string[] {
    const { settings, selections } = this;
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    const stops = [...this.stops].map(([reason, count]) => `${reason} ${count}×`).join(', ');
    const notes = [
      settings.k === null && settings.mode !== 'core'
        ? `Selections at steps ${listed(selections)}; between them blocks are only added.`
        : `A selection at every call with ${settings.k === null ? `at least ${settings.minBlocks}` : `more than ${settings.k}`} complete blocks.`,
      ...(stops === '' ? [] : [`Selections ended by ${stops}.`]),
      `Left out: ${percent(this.fullChars > 0 ? 1 - this.forwardedChars / this.fullChars : 0)} of all serialised characters of the requests, at most ${percent(1 - this.least)} of any one request.`,
    ];
    if (this.unchanged > 0) notes.push(`${this.unchanged} of ${this.steps} requests were returned unchanged: a tool call id stands twice${settings.strict ? ' or a call has no result' : ''}.`);
    return [...notes, ...this.trimNote()];
  }

  /** How much of what went was trimming to B, not the rule. */
  private trimNote(): string[] {
    let rule = 0;
    let trimmed = 0;
    for (const { op, actor, tokensBefore, tokensAfter } of this.setup.ws.ops) {
      if (op === 'trim' && actor === 'engine') trimmed += tokensBefore - tokensAfter;
      else if (op === 'clear') rule += tokensBefore - tokensAfter;
    }
    if (trimmed === 0) return [];
    return [`Trimming to B took ${trimmed} tokens, ${(100 * trimmed / (trimmed + rule)).toFixed(0)} % of all that went; the rule itself ${rule}.`];
  }
}

function listed(items: readonly string[]): string {
  if (items.length === 0) return 'none';
  return items.length <= 8 ? items.join(', ') : `${items.slice(0, 7).join(', ')} and ${items.length - 7} more`;
}
