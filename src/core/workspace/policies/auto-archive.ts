/**
 * VISTA's fixed archive: trigger |C| > trigger·B, choice the oldest blocks of any type, replacement a placeholder, way
 * back recovery on demand.
 */
import { archive, offload } from '../operations';
import { isStandIn, MIN_OFFLOAD_TOKENS } from '../preflight';
import type { Workspace } from '../workspace';
import { StandIns } from './parts/bundles';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class AutoArchive implements PolicyRun {
  private slot = 0;
  private small: number[] = [];
  private readonly standIns: StandIns;
  private readonly ws: Workspace;
  private readonly trigger: number;
  private readonly target: number;
  private readonly placeholders: number;

  constructor({ ws, parameters }: PolicySetup) {
    this.ws = ws;
    this.standIns = new StandIns(ws);
    this.trigger = numberOf(parameters, 'trigger') * ws.budget;
    this.target = Math.min(numberOf(parameters, 'target'), numberOf(parameters, 'trigger')) * ws.budget;
    this.placeholders = numberOf(parameters, 'placeholderShare') * ws.budget;
  }

  act(): void {
    const { ws, target } = this;
    if (ws.size <= this.trigger) return;
    const reason = `context above ${Math.round(this.trigger)} tokens: oldest blocks go behind placeholders`;
    for (; ws.size > target && this.slot < ws.columns.n; this.slot++) {
      // Slots are in order of birth: from here on everything belongs to the last round.
      if (ws.columns.bornStep.get(this.slot) >= ws.step) break;
      const item = ws.stream.at(this.slot);
      if (item < 0 || !ws.isFree(item) || ws.isFresh(item) || isStandIn(ws, item)) continue;
      if (ws.columns.tokens.get(item) < MIN_OFFLOAD_TOKENS) this.small.push(item);
      else this.standIns.add(offload(ws, item, { actor: 'policy', reason }));
    }
    if (ws.size > target) this.bundleSmall();
    while (ws.size > target || this.standIns.size > this.placeholders) {
      if (!this.standIns.bundleOlderHalf({ actor: 'policy', reason: 'placeholders take too much room: the older half behind one handle' })) break;
    }
  }

  /** Blocks shorter than a placeholder go behind one handle together. */
  private bundleSmall(): void {
    const { ws } = this;
    const small = this.small.filter((item) => ws.isFree(item));
    let tokens = 0;
    for (const item of small) tokens += ws.costOf(item);
    this.small = small;
    if (tokens < 2 * MIN_OFFLOAD_TOKENS) return;
    this.small = [];
    this.standIns.add(archive(ws, small, { actor: 'policy', reason: 'blocks too small for a placeholder each, behind one handle' }));
  }
}

export const autoArchive: PolicyDefinition = {
  id: 'auto-archive',
  name: 'Auto-archive + recover',
  explanation: 'A fixed rule of the harness: when the context nears the budget, the oldest blocks of any type (never the system prompt, the task, pinned blocks or the last round) '
    + 'are stored without loss behind placeholders until it fits again; what an action needs is read back on demand. Nobody sees sizes or ages.',
  source: 'VISTA, fixed-archive ablation (systems.md §2.4)',
  parameters: [
    { key: 'trigger', label: 'Trigger', explanation: 'Archive when the context is above this share of B.', type: 'number', default: 0.98, unit: 'share of B', min: 0.05, max: 1, step: 0.01 },
    { key: 'target', label: 'Target', explanation: 'Archive until the context is at most this share of B.', type: 'number', default: 0.98, unit: 'share of B', min: 0.02, max: 1, step: 0.01 },
    { key: 'placeholderShare', label: 'Placeholder share', explanation: 'When placeholders take more than this share of B, the older half of them go behind one handle.', type: 'number', default: 0.25, unit: 'share of B', min: 0.01, max: 1, step: 0.01 },
  ],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: true, contextDashboard: false },
  replayClass: 'exact',
  causal: true,
  bound: true,
  archive: true,
  recovers: true,
  start: (setup) => new AutoArchive(setup),
};
