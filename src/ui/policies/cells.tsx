import { createContext, useContext } from 'react';
import { PinGlyph } from '../shared/PinGlyph';
import { middleCut } from '../shared/format';
import { referenceWords, valueOf, type ComparisonRow } from './comparison-model';

export interface ComparisonActions {
  /** Replays the page under it. */
  onPolicy: (policy: string) => void;
  onPin: (policy: string, pinned: boolean) => void;
  /** Opens a step under a policy, where its losses are told. */
  onLoss: (policy: string, step: number) => void;
}

/** Cells are made by column definitions that know no page. */
export const ComparisonContext = createContext<ComparisonActions>({ onPolicy: () => undefined, onPin: () => undefined, onLoss: () => undefined });

export function PolicyName({ row: { info, pinned, replayed, summary } }: { row: ComparisonRow }) {
  const { onPolicy, onPin } = useContext(ComparisonContext);
  const words = referenceWords(info);
  return (
    <span className="policy-name">
      <button type="button" className="quiet square policy-pin" aria-pressed={pinned} aria-label={`${pinned ? 'Unpin' : 'Pin'} ${info.id}`} title={pinned ? 'Unpin' : 'Pin to the top'} onClick={() => onPin(info.id, !pinned)}><PinGlyph /></button>
      <button type="button" className="link mono" title={`${info.name}: ${info.explanation}`} aria-current={replayed ? 'true' : undefined} onClick={() => onPolicy(info.id)}>{info.id}</button>
      {summary?.encoder !== undefined && <span className="policy-badge" title={[`Vectors: ${summary.encoder.id}`, ...(summary.notes ?? [])].join('\n')}>{summary.encoder.id.split('-')[0]}</span>}
      {replayed && <span className="policy-badge policy-now">replayed</span>}
      {words !== null && <span className={info.causal ? 'policy-badge' : 'policy-badge policy-future'} title={info.causal ? 'A line to compare with, not a system anyone would run' : 'Reference line: it looks at later calls, which no real manager can'}>{words}</span>}
    </span>
  );
}

export function FirstLoss({ row: { info, summary }, short = false }: { row: ComparisonRow; short?: boolean }) {
  const { onLoss } = useContext(ComparisonContext);
  if (!summary) return null;
  const loss = summary.totals.firstLoss;
  if (loss === null) return <span className="muted">none</span>;
  return (
    <button type="button" className="link policy-loss" title={`Step ${loss.step}: ${loss.lexeme}`} aria-label={`First loss of ${info.id}: step ${loss.step}`} onClick={() => onLoss(info.id, loss.step)}>
      {short ? <>✕ loses from step {loss.step}</> : <><span>step {loss.step}</span> <span className="mono">{middleCut(loss.lexeme.replace(/\s+/g, ' '), 16)}</span></>}
    </button>
  );
}

const PARTS = ['visible', 'recoverable', 'lost'] as const;

/** Visible share in figures, and all three as a bar whose parts differ by pattern as well. */
export function EvidenceShare({ row }: { row: ComparisonRow }) {
  const shares = PARTS.map((part) => valueOf(row, part));
  if (!shares.every((share) => typeof share === 'number')) return row.summary ? <>–</> : null;
  return (
    <span className="evidence-cell">
      <span className="evidence-bar-cell" aria-hidden="true">{PARTS.map((part, i) => <span key={part} className={`share-${part}`} style={{ width: `${(shares[i] ?? 0) * 100}%` }} />)}</span>
      <span>{((shares[0] ?? 0) * 100).toFixed(1)}</span>
    </span>
  );
}
