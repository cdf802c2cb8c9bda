import type { RefObject } from 'react';
import { ActionMenu, SAVE_FACE } from '../shared/ActionMenu';
import { download, fileName } from '../shared/download';
import { chartPng, chartSvg, type ChartWords, type ExportedSvg } from './svg-export';

/** SVG and PNG of the chart in `host`. */
export function ChartMenu({ host, words }: { host: RefObject<HTMLElement | null>; words: ChartWords }) {
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
    ]} />
  );
}
