import { useState } from 'react';
import type { ReplayBlocks } from '../../core/workspace/types';
import { KindTag } from '../shared/KindTag';
import { count } from '../shared/format';
import { kindOf } from '../shared/kinds';

/** Children listed at once; a long bundle is opened piece by piece. */
const PAGE = 50;

interface Props {
  blocks: ReplayBlocks;
  block: number;
  onSelect: (block: number) => void;
}

/** What a summary, handle or placeholder stands for, down to the recorded blocks: the summary DAG of LCM, the levels of VISTA's bundles. */
export function SourceTree({ blocks, block, onSelect }: Props) {
  const [shown, setShown] = useState(PAGE);
  const from = blocks.memberStart[block] ?? 0;
  const to = blocks.memberStart[block + 1] ?? from;
  const children = blocks.members.subarray(from, Math.min(to, from + shown));
  return (
    <ul className="source-tree">
      {[...children].map((child) => <li key={child}><Node blocks={blocks} block={child} onSelect={onSelect} /></li>)}
      {to - from > shown && <li><button type="button" className="link" onClick={() => setShown(shown + PAGE)}>{count(to - from - shown)} more</button></li>}
    </ul>
  );
}

function Node({ blocks, block, onSelect }: Props) {
  const [open, setOpen] = useState(false);
  const inner = (blocks.memberStart[block + 1] ?? 0) - (blocks.memberStart[block] ?? 0);
  return (
    <>
      <span className="source-node">
        {inner === 0
          ? <span className="source-toggle" />
          : <button type="button" className="link source-toggle" aria-expanded={open} aria-label={`Sources of B${block + 1}`} onClick={() => setOpen(!open)}><span aria-hidden="true">{open ? '▾' : '▸'}</span></button>}
        <KindTag kind={kindOf(blocks.kind[block])} word={false} />
        <button type="button" className="link mono" onClick={() => onSelect(block)}>B{block + 1}</button>
        <span className="muted cut">{inner > 0 ? `${count(inner)} blocks in ` : ''}{count(blocks.tokens[block])} tokens</span>
      </span>
      {/* A node may stand for thousands: its children are made when it is opened. */}
      {open && <SourceTree blocks={blocks} block={block} onSelect={onSelect} />}
    </>
  );
}
