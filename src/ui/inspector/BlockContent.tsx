import { useMemo, useState } from 'react';
import { sourceOfBlock } from '../../core/layout/names';
import { MessageFlag } from '../../core/trace/model';
import type { Replay } from '../../core/workspace/types';
import { useMessage } from '../../state/react/use-messages';
import type { OpenLine } from '../../workers/api';
import { LongText } from '../transcript/LongText';
import { MessageParts } from '../transcript/MessageParts';
import { RawRecord } from '../transcript/RawRecord';
import { unansweredCalls } from '../transcript/unanswered-calls';

/** The block's text, or the source record it was read from. A made block has no record of its own. */
export function BlockContent({ line, replay, block }: { line: OpenLine; replay: Replay; block: number }) {
  const [raw, setRaw] = useState(false);
  const own = replay.blocks.text[block];
  const base = replay.blocks.base[block] ?? -1;
  const origin = base >= 0 ? base : own === undefined || own === '' ? (replay.blocks.base[sourceOfBlock(replay.blocks, block)] ?? -1) : -1;
  const position = origin < 0 ? null : (line.blocks.messageIndex[origin] ?? null);
  const message = useMessage(line, position);
  const row = position === null ? -1 : (line.rows[position] ?? -1);
  const parts = useMemo(() => (message === undefined || message instanceof Error ? [] : message.parts.slice(line.blocks.partFrom[origin] ?? 0, line.blocks.partTo[origin] ?? message.parts.length)), [message, line, origin]);
  if (position === null) return <section className="inspector-text" aria-label="Content"><LongText text={own ?? ''} /></section>;
  return (
    <section className="inspector-text" aria-label="Content">
      <p className="inspector-switch" role="group" aria-label="Show">
        <button type="button" aria-pressed={!raw} onClick={() => setRaw(false)}>Content</button>
        <button type="button" aria-pressed={raw} onClick={() => setRaw(true)}>Raw record</button>
      </p>
      {raw
        ? <RawRecord runId={line.runId} row={row} />
        : message === undefined
          ? <p className="muted">Reading…</p>
          : message instanceof Error
            ? <p className="danger">The content could not be read: {message.message}</p>
            : <MessageParts parts={parts} markdown={message.role !== 'tool' && (message.flags & MessageFlag.harness) === 0} source={{ runId: line.runId, row }} unanswered={unansweredCalls(line.trajectory.columns)} />}
    </section>
  );
}
