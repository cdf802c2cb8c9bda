import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { BLOCK_KINDS } from '../../core/trace/blocks-types';
import { MessageFlag, ROLES } from '../../core/trace/model';
import type { Replay } from '../../core/workspace/types';
import { useMessage } from '../../state/react/use-messages';
import type { OpenLine } from '../../workers/api';
import { KindTag } from '../shared/KindTag';
import { PinGlyph } from '../shared/PinGlyph';
import { count } from '../shared/format';
import { kindOf, statusGlyph, statusReason } from '../shared/kinds';
import { MessageParts } from './MessageParts';
import { RawRecord } from './RawRecord';
import { unansweredCalls } from './unanswered-calls';
import { blocksByMessage, messageStatus, replayIndexOfBase, type MessageBlocks } from './message-status';
import './transcript.css';

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  /** Replay index of the selected block. */
  selected: number | null;
  onSelect: (block: number) => void;
}

/** The run as one reads it, up to the action of the step; what is out of the context is dimmed with its reason. */
export function Transcript({ line, replay, step, selected, onSelect }: Props) {
  const [later, setLater] = useState(false);
  const [follow, setFollow] = useState(true);
  const scroll = useRef<HTMLDivElement>(null);
  const ofMessage = useMemo(() => blocksByMessage(line), [line]);
  const indexOfBase = useMemo(() => replayIndexOfBase(replay, line.blocks.n), [replay, line]);
  const playhead = line.facts.stepMessage[step - 1] ?? line.rows.length - 1;
  const shown = later ? line.rows.length : Math.min(line.rows.length, playhead + 1);
  const virtual = useVirtualizer({ count: shown, getScrollElement: () => scroll.current, estimateSize: () => 132, overscan: 2, getItemKey: (i) => line.rows[i] ?? i });

  const selectedBase = selected === null ? -1 : (replay.blocks.base[selected] ?? -1);
  const selectedMessage = selectedBase < 0 ? -1 : (line.blocks.messageIndex[selectedBase] ?? -1);
  useEffect(() => {
    // 'start' of the last message shows its end where it fits the pane, and its beginning where it is longer.
    if (follow && shown > 0) virtual.scrollToIndex(Math.min(playhead, shown - 1), { align: 'start' });
  }, [follow, playhead, shown, virtual]);
  const clickedHere = useRef(-1);
  useEffect(() => {
    if (selectedMessage < 0 || selectedMessage >= shown || clickedHere.current === selectedMessage) return;
    virtual.scrollToIndex(selectedMessage, { align: 'start' });
    // Only a new selection moves the list; the guard above keeps more messages becoming visible from doing so.
    clickedHere.current = selectedMessage;
  }, [selectedMessage, shown, virtual]);

  const choose = (position: number): void => {
    const base = ofMessage.order[ofMessage.start[position] ?? 0];
    const has = (ofMessage.start[position + 1] ?? 0) > (ofMessage.start[position] ?? 0);
    const index = has && base !== undefined ? (indexOfBase[base] ?? -1) : -1;
    clickedHere.current = position;
    if (index >= 0) onSelect(index);
  };
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">{count(shown)} of {count(line.rows.length)} messages, up to the action of step {count(step)}</span>
        <span className="spacer" />
        <label className="inline"><input type="checkbox" checked={follow} onChange={(event) => setFollow(event.target.checked)} />Follow the playhead</label>
        <label className="inline"><input type="checkbox" checked={later} onChange={(event) => setLater(event.target.checked)} />Later messages</label>
      </div>
      <div className="transcript-scroll" ref={scroll} tabIndex={0} role="region" aria-label="Messages" data-keys="rows">
        <div className="transcript-list" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => (
            <div key={item.key} data-index={item.index} ref={virtual.measureElement} className="transcript-item" style={{ transform: `translateY(${item.start}px)` }}>
              <MessageRow line={line} replay={replay} step={step} position={item.index} playhead={item.index === playhead} selected={item.index === selectedMessage} ofMessage={ofMessage} indexOfBase={indexOfBase} onChoose={choose} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps { line: OpenLine; replay: Replay; step: number; position: number; playhead: boolean; selected: boolean; ofMessage: MessageBlocks; indexOfBase: Int32Array; onChoose: (position: number) => void }

function MessageRow({ line, replay, step, position, playhead, selected, ofMessage, indexOfBase, onChoose }: RowProps) {
  const message = useMessage(line, position);
  const [raw, setRaw] = useState(false);
  const row = line.rows[position] ?? 0;
  const { columns } = line.trajectory;
  const base = (ofMessage.start[position + 1] ?? 0) > (ofMessage.start[position] ?? 0) ? ofMessage.order[ofMessage.start[position] ?? 0] : undefined;
  const status = messageStatus(replay, indexOfBase, ofMessage, position, step);
  const role = ROLES[columns.role[row] ?? 0] ?? 'user';
  const kind = base === undefined ? (role === 'tool' ? 'tool_result' : role) : kindOf(line.blocks.kind[base]);
  const flags = columns.flags[row] ?? 0;
  const out = !playhead && status !== null && status.status !== 'visible';
  const ids = idsOf(ofMessage, indexOfBase, position);
  const tokens = tokensOf(line, ofMessage, position);
  return (
    <article className={`message${out ? ' message-out' : ''}${selected ? ' message-selected' : ''}${playhead ? ' message-playhead' : ''}`} aria-current={selected ? 'true' : undefined} onClick={() => onChoose(position)}>
      <header className="message-head">
        <KindTag kind={BLOCK_KINDS.includes(kind) ? kind : 'notice'} isError={base !== undefined && line.blocks.isError[base] === 1} />
        <button type="button" className="link mono message-id" onClick={() => onChoose(position)}>{ids || `message ${position + 1}`}</button>
        {playhead && <span className="message-now">action of step {count(step)}</span>}
        {flagWords(flags).map((word) => <span key={word} className="muted">{word}</span>)}
        {out && status !== null && <span className="message-reason" title={statusReason(status.status)}><span aria-hidden="true">{statusGlyph(status.status)}</span> {statusReason(status.status)}</span>}
        {status?.pinned === true && <PinGlyph />}
        <span className="spacer" />
        <span className="muted">{count(tokens)} tokens</span>
        <button type="button" className="quiet" aria-pressed={raw} onClick={(event) => { event.stopPropagation(); setRaw(!raw); }}>Raw</button>
      </header>
      <div className="message-body">
        {raw ? <RawRecord runId={line.runId} row={row} />
          : message === undefined ? <p className="muted message-loading">Reading…</p>
            : message instanceof Error ? <p className="danger">This message could not be read: {message.message}</p>
              : <MessageParts parts={message.parts} markdown={message.role !== 'tool' && (flags & MessageFlag.harness) === 0} source={{ runId: line.runId, row }} unanswered={unansweredCalls(columns)} />}
      </div>
    </article>
  );
}

const WORDS: [number, string][] = [
  [MessageFlag.meta, 'injected by the harness'], [MessageFlag.compactSummary, 'summary of a compaction'], [MessageFlag.synthetic, 'local notice'],
  [MessageFlag.demonstration, 'demonstration'], [MessageFlag.failed, 'failed call'], [MessageFlag.sidechain, 'subagent'],
];

function flagWords(flags: number): string[] {
  return WORDS.filter(([flag]) => (flags & flag) !== 0).map(([, word]) => word);
}

function idsOf(ofMessage: MessageBlocks, indexOfBase: Int32Array, position: number): string {
  const ids: string[] = [];
  for (let at = ofMessage.start[position] ?? 0; at < (ofMessage.start[position + 1] ?? 0); at++) {
    const index = indexOfBase[ofMessage.order[at] ?? 0] ?? -1;
    if (index >= 0) ids.push(`B${index + 1}`);
  }
  return ids.length > 3 ? `${ids[0] ?? ''}–${ids.at(-1) ?? ''}` : ids.join(' ');
}

function tokensOf(line: OpenLine, ofMessage: MessageBlocks, position: number): number {
  let sum = 0;
  for (let at = ofMessage.start[position] ?? 0; at < (ofMessage.start[position + 1] ?? 0); at++) sum += line.blocks.tokens[ofMessage.order[at] ?? 0] ?? 0;
  return sum;
}
