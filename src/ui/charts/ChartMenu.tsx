import type { RefObject } from 'react';
import { ActionMenu, SAVE_FACE } from '../shared/ActionMenu';
import { download, fileName } from '../shared/download';
import { toCsv, toLatex, toMarkdown, type TableRows } from '../shared/table-text';
import { chartPng, chartSvg, type ChartWords, type ExportedSvg } from './svg-export';

/** SVG and PNG of the chart in `host`; with `table`, also the numbers that are drawn (first row: header). */
export function ChartMenu({ host, words, table }: { host: RefObject<HTMLElement | null>; words: ChartWords; table?: () => TableRows }) {
  const made = (): ExportedSvg => {
    const svg = host.current?.querySelector('svg');
    if (!svg) throw new Error('The chart is not drawn yet.');
    return chartSvg(svg, words);
  };
  const name = fileName(words.title, /step \d[\d\u202f]*/.exec(words.what)?.[0].replaceAll('\u202f', '') ?? '');
  return (
    <ActionMenu className="chart-menu" label={`Save chart: ${words.title}`} face={SAVE_FACE} actions={[
      { label: 'SVG file', run: () => download(`${name}.svg`, made().text, 'image/svg+xml') },
      { label: 'PNG file', run: async () => download(`${name}.png`, await chartPng(made())) },
      ...(table ? [
        { label: 'CSV file', run: () => download(`${name}.csv`, toCsv(table()), 'text/csv;charset=utf-8') },
        { label: 'Markdown file', run: () => download(`${name}.md`, toMarkdown(table()), 'text/markdown;charset=utf-8') },
        { label: 'LaTeX file', run: () => download(`${name}.tex`, toLatex(table(), `${words.title}, ${words.what}`), 'application/x-tex;charset=utf-8') },
      ] : []),
    ]} />
  );
}
