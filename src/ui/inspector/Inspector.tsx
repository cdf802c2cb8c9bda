import { useMemo } from 'react';
import type { ScenarioOpName } from '../../core/workspace/scenario/types';
import { BLOCK_STATUSES, type BlockStatus, type Replay } from '../../core/workspace/types';
import { usersOfBlock } from '../../core/evidence';
import { sourceOfBlock } from '../../core/layout/names';
import { statusAt } from '../../core/layout/status-at';
import type { SelectionReportStore } from '../../state/selection-report';
import type { OpenLine } from '../../workers/api';
import { CopyButton } from '../shared/CopyButton';
import { KindTag } from '../shared/KindTag';
import { Notice } from '../shared/Notice';
import { PinGlyph } from '../shared/PinGlyph';
import { bytes, count } from '../shared/format';
import { kindLook, kindOf, statusGlyph, statusReason } from '../shared/kinds';
import { BlockContent } from './BlockContent';
import { ProtectedFact } from './ProtectedFact';
import { sourceSize } from './source-size';
import { SourceTree } from './SourceTree';
import './inspector.css';

/** Steps listed as users before "and N more". */
const MAX_USERS = 12;

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  /** Replay index. */
  selected: number | null;
  onSelect: (block: number) => void;
  onStep: (step: number) => void;
  /** Asks for an operation by hand on the block, as it is in this replay. */
  onOperate?: (op: ScenarioOpName, block: number, replay: Replay) => void;
  /** Where the newest selection report is, for the rules that protect the block. */
  selection?: SelectionReportStore;
}

/** Everything about the selected block: what it is, where it came from, who used it, what it says. */
export function Inspector({ line, replay, step, selected, onSelect, onStep, onOperate, selection }: Props) {
  const base = selected === null ? -1 : (replay.blocks.base[selected] ?? -1);
  const users = useMemo(() => (base < 0 ? [] : usersOfBlock(line.evidence, base)), [line, base]);
  const source = useMemo(() => sourceSize(replay.blocks, selected ?? -1), [replay, selected]);
  if (selected === null || selected >= replay.blocks.n) {
    return <aside className="inspector" aria-label="Inspector"><Notice title="No block selected">Click a lifeline, a row of the ledger or a message. The same block is then marked in every view.</Notice></aside>;
  }
  const { blocks } = replay;
  const table = line.blocks;
  const kind = kindOf(blocks.kind[selected]);
  const isError = base >= 0 && table.isError[base] === 1;
  const origin = blocks.base[sourceOfBlock(blocks, selected)] ?? -1;
  const tool = origin < 0 ? '' : (table.strings[table.toolName[origin] ?? 0] ?? '');
  const { status, pinned } = statusAt(replay.history, selected, step);
  const parent = blocks.parent[selected] ?? -1;
  const members = (blocks.memberStart[selected + 1] ?? 0) - (blocks.memberStart[selected] ?? 0);
  const hash = base >= 0 ? (table.contentHash[base] ?? '') : (blocks.checksum[selected] ?? '');
  const reasoning = base < 0 ? 0 : (table.reasoningTokens[base] ?? 0);
  const exact = table.tokensAre === 'exact' || base < 0;
  return (
    <aside className="inspector" aria-label="Inspector">
      <header className="inspector-head">
        <strong className="mono">B{selected + 1}</strong>
        <KindTag kind={kind} isError={isError} word={false} />
        <strong className="cut">{kindLook(kind, isError).word}{tool === '' ? '' : ` · ${tool}`}</strong>
        {pinned && <PinGlyph />}
      </header>
      {onOperate !== undefined && <BlockActions status={status} pinned={pinned} stands={base < 0 && members > 0 && kind !== 'recovered'} onOperate={(op) => onOperate(op, selected, replay)} />}
      <dl className="facts">
        <dt>Status</dt><dd title={statusReason(status)}><span aria-hidden="true">{statusGlyph(status)}</span> {status === 'unborn' ? `not yet, from step ${blocks.bornStep[selected] ?? 1}` : status}</dd>
        <dt>Tokens</dt><dd>{exact ? '' : '≈ '}{count(blocks.tokens[selected])} <span className="muted">{exact ? `exact, ${table.encoding}` : 'estimated, bytes ÷ 4'}{reasoning > 0 ? `, ${count(reasoning)} of them reasoning` : ''}</span></dd>
        {base < 0 && source.tokens > 0 && <><dt>Stands for</dt><dd>{count(source.tokens)} tokens <span className="muted">in {count(source.blocks)} {source.blocks === 1 ? 'block' : 'blocks'}, {bytes(source.bytes)}</span></dd></>}
        {base >= 0 && <><dt>Size</dt><dd>{bytes(table.bytes[base])} <span className="muted">{count(table.chars[base])} characters</span></dd></>}
        <dt>Born</dt><dd><StepLink step={blocks.bornStep[selected] ?? 1} steps={line.facts.steps} onStep={onStep} /></dd>
        {base >= 0 && <><dt>Last use</dt><dd>{(line.evidence.lastUse[base] ?? 0) === 0 ? <span className="muted">no verbatim reuse found</span> : <StepLink step={line.evidence.lastUse[base] ?? 1} steps={line.facts.steps} onStep={onStep} />}</dd></>}
        {(blocks.level[selected] ?? 0) > 0 && <><dt>Level</dt><dd>{blocks.level[selected]}</dd></>}
        {parent >= 0 && <><dt>{base >= 0 ? 'Called by' : 'Parent'}</dt><dd><BlockLink block={parent} onSelect={onSelect} /></dd></>}
        {members > 0 && <><dt>Holds</dt><dd><SourceTree key={selected} blocks={blocks} block={selected} onSelect={onSelect} /></dd></>}
        {base >= 0 && table.incomplete[base] === 1 && <><dt>Complete</dt><dd>no: the result says that it was cut or paginated</dd></>}
        {hash !== '' && <><dt>{base >= 0 ? 'SHA-256' : 'Checksum'}</dt><dd className="mono" title={hash}>{hash.length > 16 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash} <CopyButton label="Copy" text={() => hash} /></dd></>}
        {base >= 0 && <Source line={line} base={base} />}
        {base >= 0 && selection !== undefined && <ProtectedFact line={line} replay={replay} step={step} selected={selected} selection={selection} />}
        {users.length > 0 && <><dt>Used by</dt><dd className="links">{users.slice(0, MAX_USERS).map((user) => <span key={user.step} title={user.lexemes.slice(0, 8).join('\n')}><StepLink step={user.step} steps={line.facts.steps} onStep={onStep} short /></span>)}{users.length > MAX_USERS && <span className="muted">and {count(users.length - MAX_USERS)} more</span>}</dd></>}
        <History replay={replay} block={selected} onStep={onStep} steps={line.facts.steps} />
      </dl>
      <BlockContent key={selected} line={line} replay={replay} block={selected} />
    </aside>
  );
}

/** What may be done by hand at the playhead. */
function BlockActions({ status, pinned, stands, onOperate }: { status: BlockStatus; pinned: boolean; /** Does it stand for blocks that can be brought back? */ stands: boolean; onOperate: (op: ScenarioOpName) => void }) {
  const visible = status === 'visible';
  if (status === 'unborn' || status === 'deleted') return null;
  return (
    <div className="inspector-actions" role="group" aria-label="By hand">
      {visible && <button type="button" onClick={() => onOperate('archive')}>Archive…</button>}
      {visible && !pinned && <button type="button" onClick={() => onOperate('pin')}>Pin…</button>}
      {pinned && <button type="button" onClick={() => onOperate('unpin')}>Unpin…</button>}
      {(!visible || stands) && <button type="button" onClick={() => onOperate('recover')}>Recover…</button>}
      <button type="button" onClick={() => onOperate('delete')}>Delete…</button>
    </div>
  );
}

function StepLink({ step, steps, onStep, short = false }: { step: number; steps: number; onStep: (step: number) => void; short?: boolean }) {
  // A block after the last call has no step to go to.
  if (step > steps) return <span>after the last call</span>;
  return <button type="button" className="link" aria-label={`Go to step ${step}`} onClick={() => onStep(step)}>{short ? step : `step ${count(step)}`}</button>;
}

function BlockLink({ block, onSelect }: { block: number; onSelect: (block: number) => void }) {
  return <button type="button" className="link mono" onClick={() => onSelect(block)}>B{block + 1}</button>;
}

function Source({ line, base }: { line: OpenLine; base: number }) {
  const row = line.rows[line.blocks.messageIndex[base] ?? 0] ?? 0;
  const { spanStart, spanOffset, spanLength, spanLine } = line.trajectory.columns;
  const from = spanStart[row] ?? 0;
  const to = spanStart[row + 1] ?? from;
  if (to <= from) return null;
  const at = spanLine[from] ?? 0;
  return <><dt>Source</dt><dd>{at > 0 ? `line ${count(at)}, ` : ''}byte {count(spanOffset[from])} <span className="muted">{bytes(spanLength[from])}{to - from > 1 ? ` and ${to - from - 1} more records` : ''}</span></dd></>;
}

/** What happened to the block, step by step. */
function History({ replay, block, onStep, steps }: { replay: Replay; block: number; onStep: (step: number) => void; steps: number }) {
  const { history } = replay;
  const from = history.start[block] ?? 0;
  const to = history.start[block + 1] ?? from;
  if (to - from < 2) return null;
  const rows = Array.from({ length: Math.min(to - from, 12) }, (_, i) => from + i);
  return (
    <>
      <dt>History</dt>
      <dd>{rows.map((h) => <span key={h} className="history-row"><StepLink step={history.step[h] ?? 1} steps={steps} onStep={onStep} short /> {BLOCK_STATUSES[history.status[h] ?? 0]}{history.pinned[h] === 1 ? ', pinned' : ''}</span>)}</dd>
    </>
  );
}
