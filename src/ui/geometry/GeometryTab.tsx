import { useMemo, useState } from 'react';
import { formatCount, formatFixed } from '../../core/layout/format';
import { COVERAGE_TARGET } from '../../core/selection/constants';
import type { LabReport } from '../../core/selection/lab';
import type { GeometryOverTime, GeometryReport } from '../../core/selection/types';
import { AnalysisNotice, type AnalysisActions } from '../charts/AnalysisNotice';
import type { AnalysisStatus } from '../charts/analysis-status';
import { encoderWords } from '../charts/encoder-words';
import { CoverageChart } from './CoverageChart';
import { geometrySentence, intervalWords } from './geometry-words';
import { MapChart } from './MapChart';
import { ErankOverTime, R90OverTime } from './OverTimeChart';
import { RankingTable } from './RankingTable';
import { RankBandsChart } from './RankBandsChart';
import { SpectrumChart } from './SpectrumChart';
import '../charts/chart.css';
import './geometry.css';

export interface KeptSet { selector: string; kept: readonly number[] }

export interface GeometryTabProps extends AnalysisActions {
  /** The report shown; may be that of an earlier step while a newer one is computed (status `loading`). */
  report: GeometryReport | null;
  overTime: GeometryOverTime | null;
  status: AnalysisStatus;
  /** Encoder id, for the states before there is a report. */
  encoder: string;
  step: number;
  /** Interaction blocks complete before the step: where the playhead stands in the charts over time. */
  checkpoint: number;
  /** Interaction-block index. */
  selected: number | null;
  onSelectBlock: (index: number) => void;
  /** Sets to outline on the map, e.g. those of the Selectors tab. */
  keptSets?: readonly KeptSet[];
  nameOf?: (index: number) => string;
  /** Brushed interaction blocks when the page shares them with other views; the tab keeps its own otherwise. */
  brushed?: readonly number[];
  onBrush?: (indices: number[]) => void;
  onCheckpoint?: (checkpoint: number) => void;
  /** UMAP, where the page offers it: asked for by `onWanted`, in the words of `state` until it is there. */
  umap?: UmapState;
  /** What gem would add next; absent or null = not known yet. */
  ranking?: (LabReport & { part: 'ranking' }) | null;
  tau?: number;
}

export interface UmapState {
  wanted: boolean;
  onWanted: (wanted: boolean) => void;
  state: 'idle' | 'loading' | 'ready' | 'failed';
  value: { checkpoint: number; map: readonly number[] } | null;
  problem: string | null;
  onRetry: () => void;
}

const NONE: readonly number[] = [];

/** Geometry of the history up to the playhead (interface.md §2 "Geometry"). */
export function GeometryTab(props: GeometryTabProps) {
  const { report, overTime, status, encoder, step, checkpoint, selected, onSelectBlock, keptSets = [], nameOf, onCheckpoint } = props;
  const [ownBrush, setOwnBrush] = useState<readonly number[]>(NONE);
  const [outlined, setOutlined] = useState('gem');
  const brushed = useMemo(() => new Set(props.brushed ?? ownBrush), [props.brushed, ownBrush]);
  const shown = keptSets.find((set) => set.selector === outlined) ?? keptSets[0];
  const kept = useMemo(() => new Set(shown?.kept ?? NONE), [shown]);
  const words = encoderWords(report?.encoder.id ?? encoder);

  const isUsable = status.state === 'ready' || status.state === 'loading';
  if (!report || !isUsable) {
    return (
      <div className="geometry">
        <AnalysisNotice {...props} status={report === null && status.state === 'ready' ? { state: 'loading' } : status} encoder={words.title} />
        {status.state !== 'too-small' && <Skeleton />}
      </div>
    );
  }
  const what = `step ${formatCount(step)}, ${formatCount(report.checkpoint)} blocks · ${words.title}`;
  const { spectrum } = report;
  const laidOut = props.umap?.wanted && props.umap.value?.checkpoint === report.checkpoint ? props.umap.value.map : null;
  const brush = (indices: number[]): void => {
    setOwnBrush(indices);
    props.onBrush?.(indices);
  };
  return (
    <div className="geometry" aria-busy={status.state === 'loading'}>
      <header className="geometry-head">
        <p className="geometry-sentence">{geometrySentence(report)}</p>
        <dl className="geometry-facts">
          <Fact name="effective rank" value={formatFixed(spectrum.erank, 1)} title="exp of the entropy of the energy shares (energy convention)" />
          <Fact name="feature shift" value={intervalWords(spectrum.featureShift.erank, 1)} title="Effective rank after shifting every feature round the blocks by its own amount" />
          <Fact name="Gaussian" value={intervalWords(spectrum.gaussian.erank, 1)} title="Effective rank of independent normal rows of the same shape" />
          <Fact name="r₉₀" value={`${formatCount(spectrum.r90)} (${formatFixed(spectrum.r90Share, 2)} n)`} title="Least number of directions that carry 90 % of the centred energy" />
          <Fact name="seed" value={String(spectrum.featureShift.seed)} title="Seed of the control draws" />
        </dl>
        <span className="geometry-busy" role="status">{status.state === 'loading' ? 'updating…' : ''}</span>
      </header>
      <div className="geometry-grid">
        <SpectrumChart report={report} what={what} approximate={words.approximate} />
        <CoverageChart report={report} what={what} approximate={words.approximate} />
        <div className="geometry-pair">
          {overTime ? (
            <>
              <ErankOverTime over={overTime} checkpoint={checkpoint} encoder={words.title} approximate={words.approximate} onCheckpoint={onCheckpoint} />
              <R90OverTime over={overTime} checkpoint={checkpoint} encoder={words.title} approximate={words.approximate} onCheckpoint={onCheckpoint} />
            </>
          ) : <div className="chart-skeleton geometry-waiting" role="status">Computing ranks over time…</div>}
        </div>
        <div className="geometry-pair">
          <div className="geometry-map-panel">
            {keptSets.length > 0 && (
              <label className="inline geometry-outline">Outline{' '}
                <select value={shown?.selector ?? ''} onChange={(event) => setOutlined(event.target.value)}>
                  {keptSets.map((set) => <option key={set.selector} value={set.selector}>{set.selector}</option>)}
                </select>
              </label>
            )}
            {props.umap && <MapChoice umap={props.umap} isShown={laidOut !== null} />}
            <MapChart
              report={report} kind={laidOut ? 'umap' : 'pca'} map={laidOut ?? report.map} what={what} approximate={words.approximate} selected={selected} onSelectBlock={onSelectBlock} kept={kept} keptName={shown?.selector ?? null}
              brushed={brushed} onBrush={brush} nameOf={nameOf ?? ((index) => `block ${index}`)}
            />
            {brushed.size > 0 && <Brushed indices={[...brushed]} onSelectBlock={onSelectBlock} onClear={() => brush([])} />}
          </div>
          <RankBandsChart bands={report.rankBands} what={what} approximate={words.approximate} />
        </div>
      </div>
      {props.ranking && <div className="geometry-ranking"><RankingTable report={props.ranking} step={step} what={what} tau={props.tau ?? COVERAGE_TARGET} nameOf={nameOf ?? ((index) => `block ${index}`)} onSelectBlock={onSelectBlock} /></div>}
    </div>
  );
}

/** PCA at once, UMAP on demand: which of them is seen, how far the other is. */
function MapChoice({ umap, isShown }: { umap: UmapState; isShown: boolean }) {
  const { wanted, onWanted, state, problem, onRetry } = umap;
  return (
    <div className="geometry-map-kind">
      <span className="segments" role="group" aria-label="Layout of the map">
        <button type="button" aria-pressed={!wanted} onClick={() => onWanted(false)}>PCA</button>
        <button type="button" aria-pressed={wanted} title="Computed on demand in the background" onClick={() => onWanted(true)}>UMAP</button>
      </span>
      <span className="muted small" role="status">
        {wanted && state === 'failed' && <>{problem} <button type="button" className="link" onClick={onRetry}>Try again</button></>}
        {wanted && state !== 'failed' && !isShown && 'laying out…'}
      </span>
    </div>
  );
}

function Fact({ name, value, title }: { name: string; value: string; title: string }) {
  return <div title={title}><dt>{name}</dt><dd>{value}</dd></div>;
}

/** Most blocks named under the map. */
const MAX_NAMED = 40;

function Brushed({ indices, onSelectBlock, onClear }: { indices: number[]; onSelectBlock: (index: number) => void; onClear: () => void }) {
  const sorted = [...indices].sort((a, b) => a - b);
  return (
    <p className="geometry-brushed">
      Brushed:{' '}
      {sorted.slice(0, MAX_NAMED).map((index) => <button key={index} type="button" className="link" onClick={() => onSelectBlock(index)}>{index}</button>)}
      {sorted.length > MAX_NAMED && <span className="muted">and {formatCount(sorted.length - MAX_NAMED)} more</span>}
      <span className="muted">Marked in the ledger and on the lifelines.</span> <button type="button" className="link" onClick={onClear}>Clear</button>
    </p>
  );
}

/** The final shape before the data: nothing jumps when it arrives. */
function Skeleton() {
  return (
    <div className="geometry-grid" aria-hidden="true">
      {[260, 260, 380, 330].map((height, i) => <div key={i} className="chart-skeleton" style={{ height }} />)}
    </div>
  );
}
