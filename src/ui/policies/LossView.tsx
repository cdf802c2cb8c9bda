import { useState } from 'react';
import { LOSS_KINDS, type LossKind, type LossOfOp, type LostItem } from '../../core/workspace/loss';
import type { BlockTable } from '../../core/trace/blocks-types';
import type { Replay } from '../../core/workspace/types';
import { KindTag } from '../shared/KindTag';
import { Notice } from '../shared/Notice';
import { count, plural } from '../shared/format';
import { kindOf } from '../shared/kinds';
import { nearestRemovals } from './removals';
import type { Loaded } from './DifferenceView';

const KIND_WORDS: Record<LossKind, readonly [string, string]> = {
  instruction: ['instruction', 'user instructions'], error: ['error', 'error strings'], path: ['path', 'paths'], url: ['URL', 'URLs'], number: ['number', 'numbers'], identifier: ['name', 'names and ids'], literal: ['literal', 'quoted literals'],
};
/** Rows drawn of one operation before a person asks for all. */
const FIRST_ROWS = 40;

interface Props {
  replay: Replay;
  blocks: BlockTable;
  step: number;
  loss: Loaded<LossOfOp[]>;
  onStep: (step: number) => void;
  /** Replay index. */
  onSelect: (block: number) => void;
}

/** What each removal of the step took out of sight, and whether a later action needed it. */
export function LossView({ replay, blocks, step, loss, onStep, onSelect }: Props) {
  const [kind, setKind] = useState<LossKind | 'all'>('all');
  const [neededOnly, setNeededOnly] = useState(false);
  const { previous, next, total } = nearestRemovals(replay, step);
  const reports = loss.current ? loss.value : undefined;
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">Removals by <span className="mono">{replay.policy}</span> at step {count(step)}; {plural(total, 'step')} of the run {total === 1 ? 'has' : 'have'} any</span>
        <button type="button" disabled={previous === null} onClick={() => previous !== null && onStep(previous)}>← {previous === null ? 'none before' : `step ${previous}`}</button>
        <button type="button" disabled={next === null} onClick={() => next !== null && onStep(next)}>{next === null ? 'none after' : `step ${next}`} →</button>
        <span className="spacer" />
        <label className="field"><span className="muted">Show</span>
          <select aria-label="Kind of string" value={kind} onChange={(event) => setKind(LOSS_KINDS.find((one) => one === event.target.value) ?? 'all')}>
            <option value="all">everything</option>
            {LOSS_KINDS.map((one) => <option key={one} value={one}>{KIND_WORDS[one][1]}</option>)}
          </select>
        </label>
        <label className="inline"><input type="checkbox" checked={neededOnly} onChange={(event) => setNeededOnly(event.target.checked)} />Needed later only</label>
      </div>
      {loss.error !== null
        ? <Notice tone="failed" title="The texts could not be read" action={{ label: 'Try again', run: loss.retry }}>{loss.error.message}</Notice>
        : reports === undefined
          ? <Notice tone="loading" title="Reading what went and what stayed" />
          : reports.length === 0
            ? <Notice title={`Nothing left the context at step ${step}`} {...(next ?? previous) !== null ? { action: { label: `Go to step ${next ?? previous}`, run: () => onStep((next ?? previous) as number) } } : {}}>
                Every compaction and removal is inspected at its own step: strings that were in what went, and stand neither in what took its place nor in anything that stayed.
              </Notice>
            : (
              <div className="loss-scroll" tabIndex={0} role="region" aria-label="What was taken out of sight">
                {reports.map((report, i) => <OpLoss key={i} report={report} blocks={blocks} kinds={replay.blocks.kind} keep={(item) => (kind === 'all' || item.kind === kind) && (!neededOnly || item.neededAt > 0)} onSelect={onSelect} onStep={onStep} />)}
              </div>
            )}
    </div>
  );
}

interface OpProps { report: LossOfOp; blocks: BlockTable; kinds: Uint8Array; keep: (item: LostItem) => boolean; onSelect: (block: number) => void; onStep: (step: number) => void }

function OpLoss({ report: { op, blocks: gone, items, total, stillThere }, blocks, kinds, keep, onSelect, onStep }: OpProps) {
  const [all, setAll] = useState(false);
  const shown = items.filter(keep);
  const needed = items.filter(({ neededAt }) => neededAt > 0).length;
  return (
    <section className="loss-op" aria-label={`${op.op} of ${op.ids.join(', ')}`}>
      <h3><span className="loss-word">{op.op}</span> <span className="mono">{op.ids.slice(0, 6).join(' ')}{op.ids.length > 6 ? ` +${op.ids.length - 6}` : ''}</span> <span className="muted">{plural(gone.length, 'block')} · {count(op.tokensBefore)} → {count(op.tokensAfter)} tokens in context · {op.reason}</span></h3>
      <p className="muted loss-sum">{plural(total, 'string')} can be read nowhere else in the context, {count(stillThere)} still can{needed > 0 ? <>; <strong className="evidence-lost">{plural(needed, 'is', 'are')} repeated by a later action</strong></> : '; no later action repeats one word for word'}.</p>
      {shown.length > 0 && (
        <table aria-label={`Strings out of sight after ${op.op} of ${op.ids[0] ?? ''}`}>
          <colgroup><col style={{ width: 92 }} /><col /><col style={{ width: 88 }} /><col style={{ width: 116 }} /><col style={{ width: 92 }} /></colgroup>
          <thead><tr><th scope="col">Kind</th><th scope="col">String</th><th scope="col">From</th><th scope="col">Now</th><th scope="col">Needed at</th></tr></thead>
          <tbody>
            {(all ? shown : shown.slice(0, FIRST_ROWS)).map((item, i) => (
              <tr key={i}>
                <td>{KIND_WORDS[item.kind][0]}</td>
                <td className="mono loss-text" title={item.text}>{item.text}</td>
                <td><button type="button" className="link loss-from" onClick={() => onSelect(item.index)} title={item.base >= 0 ? blocks.preview[item.base] : undefined}><KindTag kind={kindOf(kinds[item.index])} word={false} /> <span className="mono">B{item.index + 1}</span></button></td>
                <td className={item.recoverable ? 'evidence-recoverable' : 'evidence-lost'}>{item.recoverable ? '◐ recoverable' : '✕ lost'}</td>
                <td>{item.neededAt > 0 ? <button type="button" className="link" onClick={() => onStep(item.neededAt)}>step {count(item.neededAt)}</button> : <span className="muted">–</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!all && shown.length > FIRST_ROWS && <button type="button" className="link loss-more" onClick={() => setAll(true)}>Show all {count(shown.length)}</button>}
      {total > items.length && <p className="muted loss-sum">Only the first {count(items.length)} are listed.</p>}
    </section>
  );
}
