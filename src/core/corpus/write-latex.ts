import { latexText } from '../base/latex';
import { cellText, originWords, pText, SCOPE_WORDS, splitRows } from './scope-words';
import type { CorpusTable, CorpusTables, TableRow } from './types';

/** Two `table` environments (booktabs): summary, and every run. Compiles with XeLaTeX or pdfLaTeX with utf8 input. */
export function tableLatex(table: CorpusTable, { encoder, settings }: Pick<CorpusTables, 'encoder' | 'settings'>): string {
  const { summary, perRun } = splitRows(table);
  const tests = table.tests.map((test) => `% ${test.family}: ${test.columns.join(' against ')}, n = ${test.n}, W+ = ${test.wPlus}, W- = ${test.wMinus}, p = ${pText(test.p)}, Holm ${pText(test.pHolm)}`.replaceAll('\n', ' '));
  const caption = [`${table.title}.`, table.origin ?? originWords(encoder, settings), ...table.notes].map(latexText).join(' ');
  return [
    '% needs \\usepackage{booktabs}', ...tests,
    ...environment(table, summary, caption, `tab:${table.id}`, true),
    ...(perRun.length > 0 ? environment(table, perRun, `${latexText(table.title)}, by run.`, `tab:${table.id}-runs`, false) : []),
  ].join('\n') + '\n';
}

function environment({ columns }: CorpusTable, rows: readonly TableRow[], caption: string, label: string, withScope: boolean): string[] {
  const row = (cells: readonly string[]): string => `${cells.map(latexText).join(' & ')} \\\\`;
  return [
    '\\begin{table}', '\\centering\\small', `\\caption{${caption}}`, `\\label{${label}}`,
    `\\begin{tabular}{l${withScope ? 'l' : ''}r${'r'.repeat(columns.length)}}`, '\\toprule',
    row([...(withScope ? ['', 'what'] : ['run']), 'n', ...columns.map((column) => column.title)]), '\\midrule',
    ...rows.map((item) => row([item.label, ...(withScope ? [SCOPE_WORDS[item.scope]] : []), item.n === null ? '' : String(item.n), ...columns.map((column) => cellText(item.cells[column.key], column))])),
    '\\bottomrule', '\\end{tabular}', '\\end{table}',
  ];
}
