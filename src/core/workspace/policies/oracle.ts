/** Reference line: trigger and replacement of auto-archive, choice by the next use (Belady), way back recovery on demand. */
import { LaterUses, usedAt } from './parts/later-uses';
import { LOSSLESS } from './parts/shape';
import { ARCHIVE_PARAMETERS, WeightedArchive } from './parts/weighted-archive';
import type { PolicyDefinition, PolicyRun } from './policy';

/** Above every step: what is never used again goes before what is used late. */
const NEVER = 2 ** 32;

export const oracle: PolicyDefinition = {
  ...LOSSLESS,
  id: 'oracle',
  name: 'Oracle (knows later use)',
  explanation: 'Reference line, not causal: it knows which blocks the recorded calls use again and when. What is never used again goes first, the largest before the smaller; then what is used latest. '
    + 'No policy can know this; it shows how much of a loss was avoidable at this budget.',
  source: 'policies.md, reference lines; Belady\'s rule',
  parameters: ARCHIVE_PARAMETERS,
  replayClass: 'exact',
  causal: false,
  reference: true,
  start: (setup): PolicyRun => {
    const { ws, evidence } = setup;
    const uses = new LaterUses(evidence);
    const leaves = (item: number): number[] => (ws.columns.base.get(item) >= 0 ? [item] : ws.columns.membersOf(item));
    const rule = new WeightedArchive(setup, (item) => {
      const next = Math.min(...leaves(item).map((leaf) => uses.next(Math.max(0, ws.columns.base.get(leaf)), ws.step)));
      return next === Infinity ? NEVER + ws.columns.tokens.get(item) : next;
    }, 'blocks that are used last');
    return {
      admitted: (items) => rule.admitted(items),
      act: () => {
        // What the last call used has another next use now.
        for (const block of usedAt(evidence, ws.step - 1)) {
          const item = ws.columns.itemOfBase[block] ?? -1;
          if (item >= 0 && ws.isVisible(item)) rule.again(item);
        }
        rule.act();
      },
    };
  },
};
