/**
 * Dynamic context pruning for opencode: duplicates go, inputs of failed calls go after some turns, and above a length the
 * oldest range is compressed to a summary; no way back.
 */
import { KIND } from '../kinds';
import type { Workspace } from '../workspace';
import { isErrorBlock, toolOf } from './parts/block-words';
import { Compactor } from './parts/compactor';
import { names, summaryTokens, tokens, turns } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { shorten } from './parts/shorten';
import { listOf, numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

class OpencodeDcp implements PolicyRun {
  /** Newest result with the same tool and bytes. */
  private readonly newest = new Map<string, number>();
  private readonly repeated: number[] = [];
  private readonly failed: number[] = [];
  private nextFailed = 0;
  private readonly ws: Workspace;
  private readonly compactor: Compactor;
  private readonly kept: ReadonlySet<string>;

  constructor(private readonly setup: PolicySetup) {
    this.ws = setup.ws;
    this.kept = listOf(setup.parameters, 'tools');
    this.compactor = new Compactor(setup, { heading: '[Compressed range]', limit: numberOf(setup.parameters, 'summaryTokens'), writer: 'agent' });
  }

  admitted(items: readonly number[]): void {
    const { ws } = this;
    for (const item of items) {
      if (ws.columns.kind.get(item) !== KIND.tool_result || this.kept.has(toolOf(ws, item))) continue;
      const key = `${toolOf(ws, item)}\n${ws.columns.table.contentHash[ws.columns.base.get(item)] ?? ''}`;
      const before = this.newest.get(key);
      if (before !== undefined) this.repeated.push(before);
      this.newest.set(key, item);
      if (isErrorBlock(ws, item) && ws.marks.callOf(item) >= 0) this.failed.push(ws.marks.callOf(item));
    }
  }

  act(): void {
    const { ws } = this;
    const { parameters } = this.setup;
    for (const item of this.repeated.splice(0)) {
      if (ws.isFree(item)) shorten(ws, item, '[Output removed: the same call was made again later]', { actor: 'policy', reason: 'duplicate: a later call gave the same bytes' }, 'clear', true);
    }
    const age = numberOf(parameters, 'errorTurns');
    for (; this.nextFailed < this.failed.length; this.nextFailed++) {
      const call = this.failed[this.nextFailed] ?? 0;
      if (ws.columns.bornStep.get(call) > ws.step - age) break;
      if (ws.isFree(call)) shorten(ws, call, '[Input of a failed call removed]', { actor: 'policy', reason: `input of a call that failed ${age} turns ago` }, 'clear', true);
    }
    if (ws.size > numberOf(parameters, 'maxContext')) this.compress(numberOf(parameters, 'minContext'));
  }

  replayClass(): ReturnType<NonNullable<PolicyRun['replayClass']>> {
    return this.compactor.usedClass;
  }

  /** The oldest range, as much as it takes to come down to the lower length. */
  private compress(target: number): void {
    const { ws } = this;
    const range: number[] = [];
    let freed = 0;
    for (const item of this.compactor.olderThan(ws.step - 1)) {
      if (ws.size - freed <= target) break;
      if (this.kept.has(toolOf(ws, item))) continue;
      range.push(item);
      freed += ws.costOf(item);
    }
    this.compactor.compact(range, { actor: 'agent', reason: 'context above its upper length: oldest range compressed' });
  }
}

export const opencodeDcp: PolicyDefinition = {
  ...LOSSY,
  id: 'opencode-dcp',
  name: 'opencode DCP',
  explanation: 'Three rules without a model (of the same outputs the newest stays; the input of a failed call goes after 4 turns; protected tools stay) and a compress tool above 150 000 tokens. '
    + 'Two calls count as the same when their tool and output bytes are: a stricter test than the published one (tool and arguments). The rule for overwritten inputs needs arguments by call and is left out.',
  source: 'opencode-dynamic-context-pruning (systems.md §5); window 200 000',
  parameters: [
    turns('errorTurns', 'Failed inputs stay', 'Turns after which the input of a failed call goes.', 4),
    tokens('maxContext', 'Upper length', 'Compress above this.', 150_000, 200_000),
    tokens('minContext', 'Lower length', 'Compress down to this.', 50_000, 200_000),
    names('tools', 'Protected tools', 'Their outputs stay.', 'task, skill, todowrite, todoread, compress, batch, plan_enter, plan_exit'),
    summaryTokens(4000, 200_000),
  ],
  replayClass: 'stand-in',
  start: (setup) => new OpencodeDcp(setup),
};
