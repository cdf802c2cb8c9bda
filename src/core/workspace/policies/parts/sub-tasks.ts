/**
 * Trigger: a sub-task has ended. Seen from the past alone: the user says something new, a plan or to-do list was
 * updated, the agent goes back from changing things to looking at things, or the stretch is long.
 */
import { KIND } from '../../kinds';
import type { Workspace } from '../../workspace';
import { isErrorBlock, toolOf } from './block-words';

export const PLAN_TOOL = /todo|plan|milestone|checklist/i;
const LOOKING = /read|view|open|cat|grep|glob|search|find|list|\bls\b|fetch|browse|navigate|lookup/i;
const CHANGING = /write|edit|patch|replace|create|insert|apply|delete|move/i;

export interface Stretch {
  /** Births of its blocks: [from, to]. */
  from: number;
  to: number;
  /** Did its last result report an error? */
  stuck: boolean;
}

export class SubTasks {
  private start = 1;
  private turns = 0;
  private changed = false;
  private boundary = false;
  private stuck = false;

  /** `minTurns`: a shift from changing to looking ends only a stretch of at least this; `maxTurns`: every stretch ends then. */
  constructor(private readonly ws: Workspace, private readonly minTurns: number, private readonly maxTurns: number) {}

  admitted(items: readonly number[]): void {
    const { ws } = this;
    for (const item of items) {
      if (ws.columns.base.get(item) < 0) continue;
      const kind = ws.columns.kind.get(item);
      if (kind === KIND.assistant) this.turns += 1;
      else if (kind === KIND.user) this.boundary ||= this.turns > 0;
      else if (kind === KIND.tool_result) this.result(item);
    }
    this.boundary ||= this.turns >= this.maxTurns;
  }

  /** The stretch that ended since the last call, or null. Its last round is not part of it. */
  take(): Stretch | null {
    if (!this.boundary) return null;
    const stretch = { from: this.start, to: this.ws.step - 1, stuck: this.stuck };
    this.start = this.ws.step;
    this.turns = 0;
    this.changed = false;
    this.boundary = false;
    return stretch;
  }

  private result(item: number): void {
    const tool = toolOf(this.ws, item);
    this.stuck = isErrorBlock(this.ws, item);
    if (PLAN_TOOL.test(tool)) this.boundary ||= this.turns > 1;
    else if (CHANGING.test(tool)) this.changed = true;
    else if (LOOKING.test(tool) && this.changed && this.turns >= this.minTurns) this.boundary = true;
  }
}
