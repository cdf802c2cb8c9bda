import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { KindTag } from '../shared/KindTag';
import { count } from '../shared/format';
import { LongText } from '../transcript/LongText';
import type { PromptRow } from './prompt-diff';

interface Props { rows: readonly PromptRow[]; selectedId: string | null; onSelectId: (id: string) => void; firstStep: boolean }

/** The rendered messages in order; a line marks where the prefix that a provider would have cached ends. */
export function PromptRows({ rows, selectedId, onSelectId, firstStep }: Props) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroll.current, estimateSize: () => 120, overscan: 4 });
  const broken = rows.findIndex((row) => !row.cached);
  return (
    <div className="prompt-scroll" ref={scroll} tabIndex={0} role="region" aria-label="Prompt messages" data-keys="rows">
      <div className="prompt-list" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <div key={item.key} data-index={item.index} ref={virtual.measureElement} className="prompt-item" style={{ transform: `translateY(${item.start}px)` }}>
              {item.index === broken && <p className="prompt-break">{firstStep ? 'First call: nothing is cached yet' : broken === 0 ? 'The cached prefix is broken at the first message' : 'The cached prefix ends here; everything below is new input'}</p>}
              <article className={row.blocks.some((id) => id === selectedId) ? 'prompt-row prompt-selected' : 'prompt-row'}>
                <PromptHead row={row} onSelectId={onSelectId} />
                <LongText text={row.text} head={1_600} />
              </article>
            </div>
          );
        })}
      </div>
    </div>
  );
}

export function PromptHead({ row, onSelectId }: { row: PromptRow; onSelectId?: (id: string) => void }) {
  return (
    <header className="prompt-head">
      <strong className="prompt-role">{row.role}</strong>
      {row.kind === 'dashboard' || row.kind === 'tools' ? <span className="prompt-kind">{row.kind === 'tools' ? 'tool schemas' : 'dashboard'}</span> : <KindTag kind={row.kind} />}
      {row.blocks.slice(0, 6).map((id) => (onSelectId === undefined ? <span key={id} className="mono">{id}</span> : <button key={id} type="button" className="link mono" onClick={() => onSelectId(id)}>{id}</button>))}
      {row.blocks.length > 6 && <span className="muted">+{row.blocks.length - 6}</span>}
      <span className="spacer" />
      <span className="muted">{row.cached ? 'cached · ' : ''}{count(row.tokens)} tokens</span>
    </header>
  );
}
