import { cellText, originWords, pText, SCOPE_WORDS, splitRows } from './scope-words';
import type { CorpusTable, CorpusTables, TableRow } from './types';

const escape = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table for a person: means with intervals, the paper's numbers, the tests, then every run. */
export function tableMarkdown(table: CorpusTable, { encoder, settings }: Pick<CorpusTables, 'encoder' | 'settings'>): string {
  const { summary, perRun } = splitRows(table);
  const out = [`# Table ${table.id}: ${table.title}`, '', table.origin ?? originWords(encoder, settings), ...table.notes, ''];
  out.push(...grid(table, summary, true), '');
  if (table.tests.length > 0) {
    out.push('Exact two-sided Wilcoxon signed-rank tests over trajectories; adjusted by Holm within each family.', '');
    out.push(line(['family', 'A', 'B', 'n', 'W+', 'W−', 'p', 'p (Holm)']), line(['---', '---', '---', '---:', '---:', '---:', '---:', '---:']));
    for (const test of table.tests) {
      out.push(line([escape(test.family), `\`${test.columns[0]}\``, `\`${test.columns[1]}\``, String(test.n), String(test.wPlus), String(test.wMinus), pText(test.p), pText(test.pHolm)]));
    }
    out.push('');
  }
  if (perRun.length > 0) out.push('## By run', '', ...grid(table, perRun, false), '');
  return out.join('\n');
}

function grid({ columns }: CorpusTable, rows: readonly TableRow[], withScope: boolean): string[] {
  const head = [...(withScope ? ['', 'what'] : ['run']), 'n', ...columns.map((column) => column.title)];
  return [
    line(head),
    line(head.map((_, i) => (i < (withScope ? 2 : 1) ? '---' : '---:'))),
    ...rows.map((row) => line([
      ...(withScope ? [escape(row.label), SCOPE_WORDS[row.scope]] : [escape(row.label)]), row.n === null ? '' : String(row.n),
      ...columns.map((column) => cellText(row.cells[column.key], column)),
    ])),
  ];
}
