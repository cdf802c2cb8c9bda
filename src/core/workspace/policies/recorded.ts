/** What the agent's own manager did, folded from the recorded events: no trigger of ours, no choice of ours. */
import { archive, destroy, note, recover, recoveredInto, remove, replaceBy, setPins, summarise, type By } from '../operations';
import type { RecordedOp } from '../types';
import type { Workspace } from '../workspace';
import type { PolicyDefinition, PolicyRun, PolicySetup } from './policy';

const CLEARED = '[Old tool result content cleared]';

class Recorded implements PolicyRun {
  private next = 0;
  private readonly ops: readonly RecordedOp[];
  /** The summary made last, of words that stand in no message: the next compaction takes it in. */
  private summary = -1;

  constructor(private readonly setup: PolicySetup) {
    this.ops = [...setup.recorded].sort((a, b) => a.step - b.step);
  }

  act(): void {
    const { ws } = this.setup;
    for (let op = this.ops[this.next]; op && op.step <= ws.step; op = this.ops[++this.next]) {
      if (op.op === 'summarise') this.summarise(ws, op);
      else apply(ws, op);
    }
  }

  private summarise(ws: Workspace, op: RecordedOp): void {
    const words = op.summaryBlock === undefined ? (op.text ?? `[Summary of earlier turns] ${op.label}`) : null;
    const items = itemsOf(ws, op);
    this.summary = summarise(ws, 'summarise', this.summary < 0 ? items : [this.summary, ...items], words, byOf(op));
  }
}

const byOf = (op: RecordedOp): By => ({ actor: 'agent', reason: op.label });
const itemsOf = (ws: Workspace, op: RecordedOp): number[] => op.blocks.map((base) => ws.columns.itemOfBase[base] ?? -1).filter((item) => item >= 0);

function apply(ws: Workspace, op: RecordedOp): void {
  const by = byOf(op);
  const items = itemsOf(ws, op);
  switch (op.op) {
    case 'clear':
      for (const item of items) replaceBy(ws, 'clear', item, CLEARED, by);
      break;
    case 'trim':
      for (const item of items) remove(ws, 'trim', [item], by);
      break;
    case 'archive':
      archive(ws, outermost(ws, items), by, op.text ?? op.label);
      break;
    case 'recover':
      for (const item of items) {
        const holder = ws.columns.container.get(item);
        const shown = op.resultBlock === undefined ? -1 : (ws.columns.itemOfBase[op.resultBlock] ?? -1);
        if (holder >= 0 && shown >= 0) recoveredInto(ws, holder, shown, by);
        else if (holder >= 0) recover(ws, holder, [item], by);
      }
      break;
    case 'delete':
      destroy(ws, items, by);
      break;
    case 'pin':
    case 'unpin':
      setPins(ws, op.op, items, by);
      break;
    case 'note':
      note(ws, by, items);
      break;
  }
}

/** An archived block stands for the handle around it that is visible: archiving it again archives the bundle. */
function outermost(ws: Workspace, items: readonly number[]): number[] {
  const found = items.map((item) => {
    let at = item;
    for (let holder = ws.columns.container.get(at); holder >= 0; holder = ws.columns.container.get(at)) at = holder;
    return at;
  });
  return [...new Set(found)];
}

export const recorded: PolicyDefinition = {
  id: 'recorded',
  name: 'As recorded',
  explanation: 'What the agent that made the run really did with its context: recorded compactions, clears, archives and reads are folded into ops. Not bound by the budget. '
    + 'A run without context events equals "keep everything".',
  source: 'model.md §4, recorded context management',
  parameters: [],
  capabilities: { trainingFree: true, modelAgnostic: true, agentControlled: false, exactRecovery: false, contextDashboard: false },
  replayClass: 'recorded-words',
  causal: true,
  bound: false,
  archive: false,
  recovers: false,
  start: (setup) => new Recorded(setup),
};
