/**
 * Agentic Context Management: trigger utilisation or a finished sub-task, choice its messages closed under call and
 * result, replacement a summary with a label, way back retrieval by label or id. Pins win.
 */
import { labelOf } from '../dashboard-rows';
import { archive, isSpareCopy, offload, setPins, type By } from '../operations';
import { blockId, KIND } from '../kinds';
import type { BlockColumns } from '../block-columns';
import { toolOf } from './parts/block-words';
import { StandIns } from './parts/bundles';
import { Cascade } from './parts/cascade';
import { share, summaryTokens, tokens, turns } from './parts/parameters';
import { acmProtocol } from './parts/protocol-text';
import { LOSSLESS_BY_AGENT } from './parts/shape';
import { PLAN_TOOL, SubTasks } from './parts/sub-tasks';
import { summaryText } from './parts/summary-text';
import { roundOf } from './parts/oldest-rounds';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';
import type { Workspace } from '../workspace';

/** The summary at the place of what was removed: label, count, tokens, ids. */
function removedText(columns: BlockColumns, items: readonly number[], _level: number, _checksum: string, summary: string): string {
  let sum = 0;
  for (const item of items) sum += columns.payloadTokens.get(item);
  const first = items[0] ?? 0;
  return `[REMOVED ${labelOf(columns.n)}: ${items.length} messages, ~${sum} tokens, ${blockId(first)}..${blockId(items.at(-1) ?? first)}] ${summary}`;
}

class Acm implements PolicyRun {
  private readonly subTasks: SubTasks;
  private readonly summaries: StandIns;
  private readonly cascade: Cascade;
  private readonly ws: Workspace;
  private pins: number[] = [];
  private plan: number[] = [];
  private arrived: number[] = [];

  constructor(private readonly setup: PolicySetup) {
    const { ws, parameters } = setup;
    this.ws = ws;
    this.subTasks = new SubTasks(ws, numberOf(parameters, 'minTurns'), numberOf(parameters, 'maxTurns'));
    this.summaries = new StandIns(ws, (at, items, by, summary) => archive(at, items, { ...by, label: labelOf(at.columns.n) }, summary, removedText));
    this.cascade = new Cascade(ws);
  }

  admitted(items: readonly number[]): void {
    this.subTasks.admitted(items);
    this.arrived.push(...items);
  }

  act(): void {
    const { ws } = this;
    const { parameters, management } = this.setup;
    const opsBefore = ws.ops.length;
    const input = Math.min(ws.size, ws.budget);
    this.pinNew();
    const ended = this.subTasks.take();
    const pinsOnly = ws.ops.length;
    if (ended && ws.size > numberOf(parameters, 'floor') * ws.budget) this.remove(ended.from, ended.to, -Infinity, `sub-task of steps ${ended.from}–${ended.to} is finished`);
    if (ws.size > numberOf(parameters, 'utilisation') * ws.budget) {
      this.remove(1, ws.step - numberOf(parameters, 'minAge'), numberOf(parameters, 'target') * ws.budget, `utilisation above ${Math.round(100 * numberOf(parameters, 'utilisation'))} %`);
    }
    // Pins go along with the next removal or cost their own short call.
    if (ws.ops.length > opsBefore) management.charge(ws.step, input, this.outputOf(pinsOnly));
  }

  overflow(): void {
    const { ws } = this;
    const input = ws.budget;
    const opsBefore = ws.ops.length;
    this.remove(1, ws.step - 1, ws.budget * numberOf(this.setup.parameters, 'target'), 'the context does not fit', 1);
    if (ws.size > ws.budget && setPins(ws, 'unpin', this.pins, { actor: 'agent', reason: 'the context does not fit: pins given up' })) this.pins = [];
    if (ws.ops.length > opsBefore) this.setup.management.charge(ws.step, input, this.outputOf(opsBefore));
  }

  /** User constraints stay pinned while there is room; of plans the newest, as the decision that holds. */
  private pinNew(): void {
    const { ws } = this;
    const most = numberOf(this.setup.parameters, 'pinShare') * ws.budget;
    const wanted: number[] = [];
    for (const item of this.arrived.splice(0)) {
      if (ws.columns.base.get(item) < 0) continue;
      if (ws.columns.kind.get(item) === KIND.user) wanted.push(item);
      else if (ws.columns.kind.get(item) === KIND.tool_result && PLAN_TOOL.test(toolOf(ws, item))) {
        setPins(ws, 'unpin', this.plan, { actor: 'agent', reason: 'an older plan no longer holds' });
        this.pins = this.pins.filter((pin) => !this.plan.includes(pin));
        this.plan = roundOf(ws, item);
        wanted.push(...this.plan);
      }
    }
    let pinned = this.pins.reduce((sum, pin) => sum + ws.costOf(pin), 0);
    for (const item of wanted) {
      pinned += ws.costOf(item);
      if (pinned > most) break;
      if (setPins(ws, 'pin', [item], { actor: 'agent', reason: 'the user\'s words or the current plan' })) this.pins.push(item);
    }
  }

  /** Removes what was born in [from, to], oldest first, until the context is at most `target`; −∞ = all of it. */
  private remove(from: number, to: number, target: number, reason: string, least = numberOf(this.setup.parameters, 'least')): void {
    const { ws } = this;
    const chosen: number[] = [];
    let freed = 0;
    for (let slot = ws.stream.head; slot >= 0 && ws.size - freed > target; ) {
      const next = ws.stream.after(slot);
      const item = ws.stream.at(slot);
      const born = ws.columns.bornStep.get(slot);
      if (born > to || born >= ws.step) break;
      if (born >= from && ws.isFree(item) && !ws.isFresh(item) && ws.columns.kind.get(item) !== KIND.handle) {
        if (isSpareCopy(ws, item)) offload(ws, item, { actor: 'agent', reason: `${reason}: retrieved text is done with` });
        else {
          chosen.push(item);
          freed += ws.costOf(item);
        }
      }
      slot = next;
    }
    if (freed < least) return;
    const { effective, refused } = this.cascade.close(chosen);
    const kept = refused.length > 0 ? `; ${refused.length} stay because of a pin` : '';
    const by: By = { actor: 'agent', reason: `${reason}${kept}` };
    if (effective.length > 0) this.summaries.add(this.archiveWithLabel(effective, by));
    const share = numberOf(this.setup.parameters, 'summaryShare') * ws.budget;
    while (this.summaries.size > share) if (!this.summaries.bundleOlderHalf({ actor: 'agent', reason: 'summaries take too much room: the older half under one label' })) break;
  }

  private archiveWithLabel(items: readonly number[], by: By): number {
    const { ws } = this;
    const { text } = summaryText(ws, items, numberOf(this.setup.parameters, 'summaryTokens'), 'summary:');
    return archive(ws, items, { ...by, label: labelOf(ws.columns.n) }, text, removedText);
  }

  private outputOf(fromOp: number): number {
    const { ws } = this;
    let output = 0;
    for (let k = fromOp; k < ws.ops.length; k++) {
      const result = ws.ops[k]?.result;
      if (result) output += ws.columns.tokens.get(Number(result.slice(1)) - 1);
    }
    return output;
  }
}

export const acm: PolicyDefinition = {
  ...LOSSLESS_BY_AGENT,
  id: 'acm',
  name: 'Agentic Context Management',
  explanation: 'The agent removes finished stretches with a summary and a label, and retrieves them by label or id; calls and results go together; pins (the task, the user\'s words, the current plan) win over removal. '
    + 'Every message begins with its id, and the numbers and labels stand at the tail of the prompt, so the cached prefix holds. Simulated: sub-tasks are found as in Active Context Compression.',
  source: 'Agentic Context Management, essay of March 2026 (systems.md §3.1); target, ages and lengths are ours',
  parameters: [
    share('utilisation', 'Utilisation', 'The agent manages above this share of B.', 0.3),
    share('target', 'Target', 'It removes until the context is at most this share of B.', 0.2),
    share('floor', 'Floor', 'A finished sub-task is removed only above this share of B.', 0.1),
    turns('minAge', 'Youngest age', 'Younger messages stay.', 2),
    turns('minTurns', 'Shortest sub-task', 'A shift ends a sub-task of at least so many turns.', 4),
    turns('maxTurns', 'Longest sub-task', 'A sub-task ends after so many turns.', 20),
    tokens('least', 'Least gain', 'A removal must free so many tokens.', 2000, 200_000),
    share('pinShare', 'Pinned share', 'Pins may take this share of B.', 0.1),
    share('summaryShare', 'Summary share', 'When summaries take more than this share of B, the older half goes under one label.', 0.08),
    summaryTokens(500, 200_000),
  ],
  capabilities: { ...LOSSLESS_BY_AGENT.capabilities, contextDashboard: true },
  replayClass: 'stand-in',
  showsIds: true,
  dashboard: () => ({ kind: 'acm-stats', foldArchived: true }),
  protocol: (_, budget) => acmProtocol(budget),
  start: (setup) => new Acm(setup),
};
