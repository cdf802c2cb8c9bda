import { latexText } from '../../core/base/latex';

/** Tables as text. The first row is the header. Numbers stay plain: no thousands separators, a point before decimals. */
export type TableCell = string | number | null;
export type TableRows = readonly (readonly TableCell[])[];

const plain = (cell: TableCell): string => (cell === null || (typeof cell === 'number' && Number.isNaN(cell)) ? '' : String(cell));

/** No tabs or line breaks inside a cell. */
export function toTsv(rows: TableRows): string {
  return rows.map((row) => `${row.map((cell) => plain(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`).join('');
}

/** RFC 4180: CRLF, quotes doubled. A leading = + - @ of text is quoted with a blank, so that no spreadsheet runs trace text as a formula. */
export function toCsv(rows: TableRows): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(cell: TableCell): string {
  const text = plain(cell);
  const safe = typeof cell === 'string' && /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? ` ${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** GitHub table; columns that hold only numbers are right-aligned. */
export function toMarkdown(rows: TableRows): string {
  const [head = [], ...body] = rows;
  const numeric = head.map((_, column) => body.length > 0 && body.every((row) => row[column] === null || typeof row[column] === 'number'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const cell = (value: TableCell): string => (plain(value) === '' ? '–' : plain(value).replace(/[\r\n]+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|'));
  return line(head.map(cell)) + line(numeric.map((right) => (right ? '---:' : '---'))) + body.map((row) => line(row.map(cell))).join('');
}

/** A `table` environment (booktabs); columns that hold only numbers are right-aligned, unknown cells are a dash. */
export function toLatex(rows: TableRows, caption: string): string {
  const [head = [], ...body] = rows;
  const numeric = head.map((_, column) => body.length > 0 && body.every((row) => row[column] === null || typeof row[column] === 'number'));
  const line = (cells: readonly TableCell[]): string => `${cells.map((cell) => latexText(plain(cell) === '' ? '–' : plain(cell))).join(' & ')} \\\\`;
  return [
    '% needs \\usepackage{booktabs}', '\\begin{table}', '\\centering\\small', `\\caption{${latexText(caption)}}`,
    `\\begin{tabular}{${numeric.map((right) => (right ? 'r' : 'l')).join('')}}`, '\\toprule', line(head), '\\midrule', ...body.map(line), '\\bottomrule', '\\end{tabular}', '\\end{table}', '',
  ].join('\n');
}
