import type { SelectReport } from '../../core/selection/types';

/** Why GEM keeps an interaction block whatever else it chooses (gem.md §7); null = the block is not in the report. */
export interface ProtectionWords {
  /** A sentence for each rule that fired; empty = none did. */
  rules: readonly string[];
  /** Where the algorithm returns the request as it is: why. Then nothing is removed, protected or not. */
  unchanged: string | null;
}

export function protectionWords(report: SelectReport, index: number): ProtectionWords | null {
  if (index < 0 || index >= report.blocks.length) return null;
  const gem = report.selectors.find(({ selector }) => selector === 'gem');
  return { rules: report.protectedWhy[String(index)] ?? [], unchanged: gem?.stop === 'unchanged' ? gem.reason : null };
}
