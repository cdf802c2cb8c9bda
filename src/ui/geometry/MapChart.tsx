import { scaleLinear } from 'd3';
import { memo, useMemo, type KeyboardEvent } from 'react';
import { formatCount } from '../../core/layout/format';
import type { GeometryReport } from '../../core/selection/types';
import { Chart, type Plot } from '../charts/Chart';
import type { Card } from '../charts/card';
import type { Scale } from '../charts/parts';

const MARGINS = { left: 8, right: 8, top: 8, bottom: 8 };
/** Reach of the pointer around a point, CSS pixels. */
const REACH_PX = 14;

/** The plane of the two strongest directions, or a UMAP layout. */
export type MapKind = 'pca' | 'umap';
const KIND_WORDS: Record<MapKind, { what: string; summary: string; definition: string }> = {
  pca: { what: 'principal components 1 and 2', summary: 'the plane of their two strongest principal components', definition: 'Principal components 1 and 2 of the block vectors. Near here does not prove near in all directions.' },
  umap: { what: 'UMAP, 15 neighbours by cosine', summary: 'a UMAP layout', definition: 'UMAP of the block vectors, seeded. Neighbourhoods are kept; distances between groups, sizes and axes mean nothing.' },
};

export interface MapChartProps {
  report: GeometryReport;
  kind: MapKind;
  /** n × 2; NaN = the block has no vector. */
  map: readonly number[];
  what: string;
  approximate: boolean;
  /** Interaction-block index. */
  selected: number | null;
  onSelectBlock: (index: number) => void;
  /** Blocks that the outlined selector keeps, and its name. */
  kept: ReadonlySet<number>;
  keptName: string | null;
  brushed: ReadonlySet<number>;
  onBrush: (indices: number[]) => void;
  /** A few words on a block, e.g. tool and first line. */
  nameOf: (index: number) => string;
}

interface Place { x: Scale; y: Scale }

/** One unit is as long in both directions: distances in the picture are distances in the plane. */
function place(map: readonly number[], plot: Plot): Place {
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < map.length; i += 2) {
    if (!Number.isFinite(map[i])) continue;
    minX = Math.min(minX, map[i] ?? 0);
    maxX = Math.max(maxX, map[i] ?? 0);
    minY = Math.min(minY, map[i + 1] ?? 0);
    maxY = Math.max(maxY, map[i + 1] ?? 0);
  }
  const unit = Math.max((maxX - minX) / (plot.width - 24), (maxY - minY) / (plot.height - 24), 1e-9);
  const midX = (minX + maxX) / 2;
  const midY = (minY + maxY) / 2;
  return {
    x: scaleLinear([midX - (unit * plot.width) / 2, midX + (unit * plot.width) / 2], [plot.left, plot.left + plot.width]),
    y: scaleLinear([midY - (unit * plot.height) / 2, midY + (unit * plot.height) / 2], [plot.top + plot.height, plot.top]),
  };
}

/** Blocks in the plane of the two strongest directions; older ones paler. Drag to brush, click to select. */
export function MapChart({ report, kind, map, what, approximate, selected, onSelectBlock, kept, keptName, brushed, onBrush, nameOf }: MapChartProps) {
  const n = report.checkpoint;
  const words = KIND_WORDS[kind];
  const nearest = (px: number, py: number, plot: Plot): number | null => {
    const { x, y } = place(map, plot);
    let best: number | null = null;
    let bestDistance = REACH_PX;
    for (let i = 0; i < n; i++) {
      const distance = Math.hypot(x(map[2 * i] ?? 0) - px, y(map[2 * i + 1] ?? 0) - py);
      if (distance < bestDistance) [best, bestDistance] = [i, distance];
    }
    return best;
  };
  const card = (px: number, py: number, plot: Plot): Card | null => {
    const i = nearest(px, py, plot);
    if (i === null) return null;
    return {
      title: `Block ${formatCount(i)} of ${formatCount(n)}`, excerpt: nameOf(i), rows: keptName ? [[keptName, kept.has(i) ? 'kept' : 'left out']] : [],
      definition: words.definition, source: what,
    };
  };
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSelectBlock(Math.min(n - 1, Math.max(0, (selected ?? (by === 1 ? -1 : n)) + by)));
  };
  const brush = (from: { x: number; y: number }, to: { x: number; y: number }, plot: Plot): void => {
    const { x, y } = place(map, plot);
    const inside = (i: number): boolean => {
      const px = x(map[2 * i] ?? 0);
      const py = y(map[2 * i + 1] ?? 0);
      return px >= Math.min(from.x, to.x) && px <= Math.max(from.x, to.x) && py >= Math.min(from.y, to.y) && py <= Math.max(from.y, to.y);
    };
    onBrush(Array.from({ length: n }, (_, i) => i).filter(inside));
  };
  return (
    <div tabIndex={0} role="group" aria-label="Map of blocks: arrow keys select the previous or next block" onKeyDown={onKey} className="geometry-map">
      <Chart
        title="Map" what={`${words.what} · ${what}`} table={() => [['block', 'x', 'y', 'kept'], ...Array.from({ length: n }, (_, i) => [i, map[2 * i] ?? null, map[2 * i + 1] ?? null, kept.has(i) ? 1 : 0])]} approximate={approximate} height={300} margins={MARGINS} card={card} onBrush={brush} onReset={() => onBrush([])}
        onPick={(px, py, plot) => {
          const i = nearest(px, py, plot);
          if (i !== null) onSelectBlock(i);
          else onBrush([]);
        }}
        summary={`Map of ${formatCount(n)} blocks in ${words.summary}${keptName ? `; ${formatCount(kept.size)} kept by ${keptName} are outlined` : ''}.`}
        footer={
          <p className="geometry-legend">
            <span className="map-key" aria-hidden="true" /> block, older paler
            {keptName && <><span className="map-key map-key-kept" aria-hidden="true" /> kept by {keptName} ({formatCount(kept.size)})</>}
            {brushed.size > 0 ? <><span className="map-key map-key-brushed" aria-hidden="true" /> {formatCount(brushed.size)} brushed</> : <span className="muted">drag to brush</span>}
          </p>
        }
      >
        {(plot) => (
          <>
            <rect className="map-ground" x={plot.left} y={plot.top} width={plot.width} height={plot.height} rx={4} />
            <Points map={map} plot={plot} kept={kept} brushed={brushed} />
            {selected !== null && selected < n && Number.isFinite(map[2 * selected]) && <SelectedPoint map={map} plot={plot} index={selected} />}
          </>
        )}
      </Chart>
    </div>
  );
}

/** Memoised: hovering and selecting must not touch thousands of circles. */
const Points = memo(function Points({ map, plot, kept, brushed }: { map: readonly number[]; plot: Plot; kept: ReadonlySet<number>; brushed: ReadonlySet<number> }) {
  const { x, y } = useMemo(() => place(map, plot), [map, plot]);
  const n = map.length / 2;
  return (
    <g>
      {Array.from({ length: n }, (_, i) => {
        if (!Number.isFinite(map[2 * i])) return null;
        const classes = ['map-point', ...(kept.has(i) ? ['kept'] : []), ...(brushed.has(i) ? ['brushed'] : [])].join(' ');
        return <circle key={i} className={classes} cx={x(map[2 * i] ?? 0)} cy={y(map[2 * i + 1] ?? 0)} r={kept.has(i) ? 5 : 3.5} fillOpacity={0.25 + (0.75 * (i + 1)) / n} />;
      })}
    </g>
  );
}, (before, after) => before.map === after.map && before.kept === after.kept && before.brushed === after.brushed && before.plot.width === after.plot.width && before.plot.height === after.plot.height);

function SelectedPoint({ map, plot, index }: { map: readonly number[]; plot: Plot; index: number }) {
  const { x, y } = place(map, plot);
  const px = x(map[2 * index] ?? 0);
  const py = y(map[2 * index + 1] ?? 0);
  const isRight = px > plot.left + plot.width - 60;
  return (
    <g className="map-selected">
      <circle cx={px} cy={py} r={8} />
      <text x={isRight ? px - 12 : px + 12} y={py} dy="0.35em" textAnchor={isRight ? 'end' : 'start'}>block {formatCount(index)}</text>
    </g>
  );
}
