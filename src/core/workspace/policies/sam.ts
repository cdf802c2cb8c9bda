/** SAM: trigger half the window, choice the oldest blocks by the page, replacement a memory cue, way back the raw page. */
import { archive } from '../operations';
import { isStandIn } from '../preflight';
import { StandIns } from './parts/bundles';
import { Compactor } from './parts/compactor';
import { share, tokens } from './parts/parameters';
import { LOSSLESS } from './parts/shape';
import { summaryText } from './parts/summary-text';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class Sam implements PolicyRun {
  private readonly cues: StandIns;
  private readonly old: Compactor;

  constructor(private readonly setup: PolicySetup) {
    this.cues = new StandIns(setup.ws);
    this.old = new Compactor(setup, { heading: '', limit: 1 });
  }

  act(): void {
    const { ws, parameters } = this.setup;
    const target = numberOf(parameters, 'trigger') * ws.budget;
    if (ws.size <= target) return;
    const pageTokens = numberOf(parameters, 'page');
    let page: number[] = [];
    let size = 0;
    for (const item of this.old.olderThan(ws.step - 1)) {
      if (isStandIn(ws, item)) continue;
      page.push(item);
      size += ws.columns.tokens.get(item);
      if (size < pageTokens) continue;
      this.close(page, size);
      page = [];
      size = 0;
      if (ws.size <= target) break;
    }
    const most = numberOf(parameters, 'cueShare') * ws.budget;
    while (this.cues.size > most) if (!this.cues.bundleOlderHalf({ actor: 'policy', reason: 'cues take too much room: the older half behind one' })) break;
  }

  private close(page: readonly number[], size: number): void {
    const { ws, parameters, management } = this.setup;
    const cue = summaryText(ws, page, numberOf(parameters, 'cue'), 'cue:');
    this.cues.add(archive(ws, page, { actor: 'policy', reason: `page of ${size} tokens behind a memory cue` }, cue.text));
    management.charge(ws.step, size, cue.tokens);
  }
}

export const sam: PolicyDefinition = {
  ...LOSSLESS,
  id: 'sam',
  name: 'SAM',
  explanation: 'Above half the window the oldest blocks become pages of a token budget; a memory model leaves a cue for each, and the raw page is recalled when an action needs it. Cues that take too much room are put behind one.',
  source: 'SAM arXiv 2605.24468, manages at 64 K of 128 K (systems.md §5); page and cue lengths are ours',
  parameters: [
    share('trigger', 'Trigger', 'Make pages above this share of B.', 0.5),
    tokens('page', 'Page', 'Tokens of a page.', 4096, 128_000, 64),
    tokens('cue', 'Cue', 'Most tokens of a memory cue.', 256, 128_000, 16),
    share('cueShare', 'Cue share', 'Cues may take this share of B.', 0.15),
  ],
  replayClass: 'stand-in',
  start: (setup) => new Sam(setup),
};
