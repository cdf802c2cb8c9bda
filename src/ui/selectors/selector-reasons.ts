/** Why a selector kept a block, in the words of the report: protected as what, or which pick with which residual. */
import { formatFixed } from '../../core/layout/format';
import { selectorById } from '../../core/selection/selectors';
import { PROTECTION_GROUPS, type ProtectionGroup, type SelectReport, type SelectorResult } from '../../core/selection/types';

export const GROUP_LETTERS: Record<ProtectionGroup, string> = { recent: 'r', goal: 'g', state: 's', error: 'e', source: 'u' };
export const GROUP_WORDS: Record<ProtectionGroup, string> = {
  recent: 'recent', goal: 'nearest to the goal', state: 'execution state', error: 'fresh error', source: 'source',
};
export const COMPLETION_LETTER = 'c';

export type CellReason =
  | { kind: 'out' }
  | { kind: 'protected'; groups: readonly ProtectionGroup[] }
  /** `rank` from 1 among the completion picks. */
  | { kind: 'completion'; rank: number; residual: number }
  /** Kept by a rule that looks at no residual: the residual is what the block still added at its turn. */
  | { kind: 'rule'; residual: number | null };

/** Selectors whose choice is by residual, gain or distance: only their picks are a completion. */
const COMPLETING = /^(gem(-.*)?|geometry|max-gain|k-center)$/;

/** Reasons of one row by interaction-block index; length n. */
export function rowReasons(report: SelectReport, result: SelectorResult): CellReason[] {
  const groups = selectorById(result.selector)?.groups ?? [];
  const reasons: CellReason[] = Array.from({ length: report.blocks.length }, () => ({ kind: 'out' }));
  for (const index of result.kept) reasons[index] = { kind: 'rule', residual: null };
  result.picks.forEach((pick, i) => {
    if (reasons[pick.index]?.kind !== 'rule') return;
    reasons[pick.index] = COMPLETING.test(result.selector) ? { kind: 'completion', rank: i + 1, residual: pick.residual } : { kind: 'rule', residual: pick.residual };
  });
  for (const index of result.kept) {
    const why = groups.filter((group) => report.protected[group].includes(index));
    // A protected block is never a pick: the protected set is there before the completion begins.
    if (why.length > 0) reasons[index] = { kind: 'protected', groups: why };
  }
  return reasons;
}

export function reasonWords(reason: CellReason): string {
  switch (reason.kind) {
    case 'out': return 'left out';
    case 'protected': return `protected: ${reason.groups.map((group) => GROUP_WORDS[group]).join(', ')}`;
    case 'completion': return `completion ${reason.rank}, residual ${formatFixed(reason.residual, 3)}`;
    case 'rule': return `kept by its rule${reason.residual === null ? '' : `, residual ${formatFixed(reason.residual, 3)}`}`;
  }
}

/** Letter in the cell and class of its hue. */
export function reasonMark(reason: CellReason): { letter: string; tone: string } {
  switch (reason.kind) {
    case 'out': return { letter: '', tone: 'out' };
    case 'protected': return { letter: GROUP_LETTERS[reason.groups[0] ?? 'recent'], tone: reason.groups[0] ?? 'recent' };
    case 'completion': return { letter: COMPLETION_LETTER, tone: 'completion' };
    case 'rule': return { letter: '', tone: 'rule' };
  }
}

/** Groups that occur in any row, for the legend. */
export function usedGroups(report: SelectReport): ProtectionGroup[] {
  return PROTECTION_GROUPS.filter((group) => report.protected[group].length > 0);
}

/** Blocks that exactly one selector of the report keeps, by selector id. */
export function onlyKept(report: SelectReport): Map<string, number[]> {
  const keepers = new Uint16Array(report.blocks.length);
  for (const { kept } of report.selectors) for (const index of kept) keepers[index] = (keepers[index] ?? 0) + 1;
  return new Map(report.selectors.map(({ selector, kept }) => [selector, kept.filter((index) => keepers[index] === 1).sort((a, b) => a - b)]));
}
