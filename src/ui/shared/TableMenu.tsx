import { ActionMenu, type MenuAction } from './ActionMenu';
import { download } from './download';
import { toCsv, toLatex, toMarkdown, toTsv, type TableRows } from './table-text';

/** A table as a file or on the clipboard. `rows` is asked at the moment of the click; its first row is the header. */
export function TableMenu({ name, rows, caption, more = [] }: { name: () => string; rows: () => TableRows; /** Under the LaTeX table; absent = its file's name. */ caption?: string; more?: readonly MenuAction[] }) {
  return (
    <ActionMenu label="Export" actions={[
      { label: 'CSV file', run: () => download(`${name()}.csv`, toCsv(rows()), 'text/csv;charset=utf-8') },
      { label: 'TSV file', run: () => download(`${name()}.tsv`, toTsv(rows()), 'text/tab-separated-values;charset=utf-8') },
      { label: 'Markdown file', run: () => download(`${name()}.md`, toMarkdown(rows()), 'text/markdown;charset=utf-8') },
      { label: 'LaTeX file', run: () => download(`${name()}.tex`, toLatex(rows(), caption ?? name().replaceAll('-', ' ')), 'application/x-tex;charset=utf-8') },
      { label: 'Copy as Markdown', run: () => navigator.clipboard.writeText(toMarkdown(rows())) },
      ...more,
    ]} />
  );
}
