/** The audit of removals as text, and in one sentence. */
import type { ManagerAudit } from '../../core/workspace/audit';
import { count, plural } from '../shared/format';
import type { TableRows } from '../shared/table-text';

/** Columns as `inspect --audit` names them. */
export function auditTable({ rows }: ManagerAudit): TableRows {
  return [
    ['step', 'op', 'actor', 'reason', 'ids', 'blocks', 'tokensGone', 'tokensFreed', 'usedAt', 'uses', 'usedWeight', 'missedAt', 'misses', 'missedWeight', 'missedLexeme', 'backAt', 'back', 'delaySteps', 'tokensBack', 'undone'],
    ...rows.map((row) => [
      row.step, row.op, row.actor, row.reason, row.ids.join(' '), row.blocks, row.tokensGone, row.tokensFreed, row.usedAt, row.uses, row.usedWeight, row.missedAt, row.misses, row.missedWeight, row.missedLexeme,
      row.backAt, row.back, row.delaySteps, row.tokensBack, row.undone,
    ]),
  ];
}

export function auditSentence({ totals }: ManagerAudit): string {
  const { removals, blocks, tokensFreed, usedAgain, missed, cameBack, undone, medianDelay } = totals;
  return `${plural(removals, 'removal')} of ${plural(blocks, 'block')} freed ${count(tokensFreed)} tokens. What went was used again after ${count(usedAgain)}, missed by a call after ${count(missed)}, came back after ${count(cameBack)}${medianDelay === null ? '' : ` (median delay ${plural(medianDelay, 'step')})`}; ${count(undone)} were undone.`;
}
