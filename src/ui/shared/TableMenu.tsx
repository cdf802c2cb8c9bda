import { ActionMenu, type MenuAction } from './ActionMenu';
import { download } from './download';
import { toCsv, toMarkdown, toTsv, type TableRows } from './table-text';

/** A table as a file or on the clipboard. `rows` is asked at the moment of the click; its first row is the header. */
export function TableMenu({ name, rows, more = [] }: { name: () => string; rows: () => TableRows; more?: readonly MenuAction[] }) {
  return (
    <ActionMenu label="Export" actions={[
      { label: 'CSV file', run: () => download(`${name()}.csv`, toCsv(rows()), 'text/csv;charset=utf-8') },
      { label: 'TSV file', run: () => download(`${name()}.tsv`, toTsv(rows()), 'text/tab-separated-values;charset=utf-8') },
      { label: 'Markdown file', run: () => download(`${name()}.md`, toMarkdown(rows()), 'text/markdown;charset=utf-8') },
      { label: 'Copy as Markdown', run: () => navigator.clipboard.writeText(toMarkdown(rows())) },
      ...more,
    ]} />
  );
}
