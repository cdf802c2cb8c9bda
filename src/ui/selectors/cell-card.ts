import { formatCount } from '../../core/layout/format';
import type { SelectReport } from '../../core/selection/types';
import { reasonWords, type CellReason } from './selector-reasons';

/** What the pointer is told about one cell. `reasons`: by row, then by block. */
export function cellCard(report: SelectReport, reasons: readonly (readonly CellReason[])[], row: number, index: number, nameOf: (index: number) => string, isNearest: boolean) {
  const result = report.selectors[row];
  const reason = reasons[row]?.[index] ?? { kind: 'out' };
  const keepers = report.selectors.filter(({ kept }) => kept.includes(index)).map(({ selector }) => selector);
  const why = report.protectedWhy[String(index)] ?? [];
  return {
    title: `Block ${formatCount(index)} · ${result?.selector ?? ''}`,
    rows: [
      ['here', reasonWords(reason)], ['tokens', formatCount(report.blocks[index]?.tokens ?? NaN)], ['age', `${formatCount(report.blocks.length - 1 - index)} blocks`],
      ['kept by', keepers.length > 0 ? keepers.join(', ') : 'none'], ...(isNearest ? [['next action', 'among the nearest three (measured only)'] as const] : []),
    ] as const,
    excerpt: nameOf(index),
    ...(why.length > 0 ? { definition: `Protected: ${why.join(' ')}` } : {}),
  };
}
