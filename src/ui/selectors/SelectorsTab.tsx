import { useMemo, useState } from 'react';
import { formatCount, formatFixed } from '../../core/layout/format';
import type { SelectReport, SelectSettings } from '../../core/selection/types';
import { AnalysisNotice, type AnalysisActions } from '../charts/AnalysisNotice';
import type { AnalysisStatus } from '../charts/analysis-status';
import { encoderWords } from '../charts/encoder-words';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import type { SelectorPane } from '../../state/view';
import { LabBody, type LabState } from './LabBody';
import { onlyKept } from './selector-reasons';
import { selectorTable } from './selector-columns';
import { SelectorGrid } from './SelectorGrid';
import { SelectorLegend } from './SelectorLegend';
import { SelectorSettings } from './SelectorSettings';
import '../charts/card.css';
import '../charts/chart.css';
import './selectors.css';

export interface SelectorsTabProps extends AnalysisActions {
  /** The report shown; may be that of an earlier step while a newer one is computed (status `loading`). */
  report: SelectReport | null;
  settings: SelectSettings;
  onSettings: (settings: SelectSettings) => void;
  status: AnalysisStatus;
  /** Encoder id, for the states before there is a report. */
  encoder: string;
  step: number;
  /** Interaction-block index. */
  selected: number | null;
  onSelectBlock: (index: number) => void;
  /** Selector the others are compared with. */
  reference: string;
  onReference: (selector: string) => void;
  nameOf?: (index: number) => string;
  /** Matrix, or a part of the laboratory. */
  pane?: SelectorPane;
  onPane?: (pane: SelectorPane) => void;
  /** What is known of that part. */
  lab?: LabState;
  wide?: boolean;
  onWide?: (wide: boolean) => void;
}

const PANES: readonly [SelectorPane, string][] = [['matrix', 'Matrix'], ['capacity', 'K sweep'], ['target', 'τ sweep'], ['ablation', 'Ablations'], ['replacement', 'Replacement']];
const NOTHING: LabState = { report: null, status: 'loading', error: null, onRetry: () => undefined };

/** What each selector would keep at this step with the same number of blocks (interface.md §2 "Selectors"). */
export function SelectorsTab(props: SelectorsTabProps) {
  const { report, settings, onSettings, status, encoder, step, selected, onSelectBlock, onReference } = props;
  const [focusedRow, setFocusedRow] = useState<string | null>(null);
  const only = useMemo(() => (report ? onlyKept(report) : new Map<string, number[]>()), [report]);
  const words = encoderWords(report?.encoder.id ?? encoder);
  const shown = report?.selectors.map((result) => result.selector) ?? settings.selectors;
  const reference = shown.includes(props.reference) ? props.reference : (shown[0] ?? 'gem');
  const nameOf = props.nameOf ?? ((index: number) => report?.blocks[index]?.selectionText ?? '');
  const isUsable = status.state === 'ready' || status.state === 'loading';
  const row = focusedRow !== null && shown.includes(focusedRow) ? focusedRow : reference;

  const pane = props.pane ?? 'matrix';
  const panes = props.onPane && (
    <span className="segments selector-panes" role="group" aria-label="Views of the selection">
      {PANES.map(([id, name]) => <button key={id} type="button" aria-pressed={pane === id} onClick={() => props.onPane?.(id)}>{name}</button>)}
    </span>
  );
  const dials = <>{panes}<SelectorSettings settings={settings} effectiveK={report?.k ?? null} blocks={report?.blocks.length ?? settings.checkpoint} reference={reference} shown={shown} onSettings={onSettings} onReference={onReference} /></>;
  if (!report || !isUsable) {
    return (
      <div className="selectors">
        {dials}
        <AnalysisNotice {...props} status={report === null && status.state === 'ready' ? { state: 'loading' } : status} encoder={words.title} />
        {status.state !== 'too-small' && <div className="chart-skeleton selector-skeleton" aria-hidden="true" />}
      </div>
    );
  }
  if (pane !== 'matrix') {
    return (
      <div className="selectors">
        {dials}
        <LabBody lab={props.lab ?? NOTHING} settings={settings} wide={props.wide ?? false} onWide={props.onWide ?? (() => undefined)} reference={reference} step={step} encoder={words.title} approximate={words.approximate} nameOf={nameOf} onSelectBlock={onSelectBlock} />
        <p className="selector-note">° measured afterwards with the recorded next action or final state; no selector sees them. Simulated: the recorded run goes on as it did, whatever is kept.</p>
      </div>
    );
  }
  const rowOnly = only.get(row) ?? [];
  return (
    <div className="selectors" aria-busy={status.state === 'loading'}>
      {dials}
      <div className="selector-title">
        <p>
          <strong>Kept interaction blocks by selector</strong>
          <span className="muted"> step {formatCount(step)} · checkpoint {formatCount(report.blocks.length)} blocks · k = {formatCount(report.k)}{settings.k === 'auto' ? ' (natural size of the evidence core)' : ''}{report.matchedTokens === undefined ? '' : `, the others within its ${formatCount(report.matchedTokens)} tokens`} · τ {formatFixed(settings.tau, 2)} · seed {settings.seed} · {words.title}</span>
          {words.approximate && <span className="chart-approx"> · ≈ approximate</span>}
          <span className="muted" role="status">{status.state === 'loading' ? ' · updating…' : ''}</span>
        </p>
        <TableMenu name={() => fileName('selectors', 'step', step, 'k', report.k)} rows={() => selectorTable(report)} />
      </div>
      <SelectorGrid report={report} reference={reference} selected={selected} only={only} onSelectBlock={onSelectBlock} onRow={setFocusedRow} nameOf={nameOf} />
      <SelectorLegend report={report} />
      <p className="selector-only">
        <label className="inline">Blocks that only{' '}
          <select value={row} aria-label="Selector whose own blocks are listed" onChange={(event) => setFocusedRow(event.target.value)}>{shown.map((id) => <option key={id} value={id}>{id}</option>)}</select> keeps:
        </label>{' '}
        {rowOnly.length === 0 ? <span className="muted">none</span> : rowOnly.map((index) => <button key={index} type="button" className="link" title={nameOf(index)} onClick={() => onSelectBlock(index)}>{index}</button>)}
      </p>
      <p className="selector-note">
        ° measured afterwards with the recorded next action or final state; no selector sees them. Top-3 rewards recency: recency and random completion often score above gem on it, so gem is never shown without them. The residual rule is greedy, not optimal.
      </p>
    </div>
  );
}
