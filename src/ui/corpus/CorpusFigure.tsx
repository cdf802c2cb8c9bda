import { useMemo } from 'react';
import { chartPng } from '../charts/svg-export';
import { ActionMenu, SAVE_FACE } from '../shared/ActionMenu';
import { download } from '../shared/download';

/** The figure as it is saved; a dark page shows it with its lightness turned around. */
export function CorpusFigure({ id, title, svg }: { id: string; title: string; svg: string }) {
  const url = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, [svg]);
  const { width, height } = sizeOf(svg);
  return (
    <figure className="corpus-figure">
      <img src={url} width={width} height={height} alt={`Figure of table ${id}: ${title}. The numbers are those of the table.`} />
      <ActionMenu className="corpus-figure-menu" label={`Save figure ${id}`} face={SAVE_FACE} actions={[
        { label: 'SVG file', run: () => download(`figure-${id}.svg`, svg, 'image/svg+xml') },
        { label: 'PNG file', run: async () => download(`figure-${id}.png`, await chartPng({ text: svg, width, height })) },
      ]} />
    </figure>
  );
}

/** Width and height as the file says. */
function sizeOf(svg: string): { width: number; height: number } {
  const of = (name: string): number => Number(new RegExp(`^<svg[^>]*\\s${name}="([\\d.]+)"`).exec(svg)?.[1] ?? 0);
  return { width: of('width'), height: of('height') };
}
