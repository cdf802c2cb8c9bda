import { useDeferredValue, useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { Dialog } from '../shared/Dialog';
import { findEntries, type Entry } from './entries';
import './palette.css';

interface Props { entries: readonly Entry[]; /** What a query asks for outright, e.g. a step by its number. */ asked?: (query: string) => Entry[]; onClose: () => void }

const NOTHING = (): Entry[] => [];

/** ⌘K: type, arrow keys, Enter. Focus stays in the field; the list is told to screen readers as its popup. */
export function Palette({ entries, asked = NOTHING, onClose }: Props) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(query);
  const found = useMemo(() => findEntries(wanted, entries, asked(wanted)), [wanted, entries, asked]);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(at, found.length - 1);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView?.({ block: 'nearest' });
  }, [current, found]);
  const act = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const key = (event: KeyboardEvent): void => {
    const to: Record<string, number> = { ArrowDown: (current + 1) % found.length, ArrowUp: (current + found.length - 1) % found.length, PageDown: Math.min(found.length - 1, current + 8), PageUp: Math.max(0, current - 8) };
    if (event.key === 'Enter') act(found[current]?.entry);
    else if (event.key in to && found.length > 0) setAt(to[event.key] ?? 0);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" onClose={onClose} wide>
      <input
        type="search" role="combobox" className="palette-field" aria-label="Find a command" placeholder="Action, step 120, block B12, tool, run…" autoComplete="off" spellCheck={false}
        aria-expanded="true" aria-controls={id} aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined} aria-autocomplete="list"
        value={query} onChange={(event) => { setQuery(event.target.value); setAt(0); }} onKeyDown={key}
      />
      <ul id={id} ref={list} role="listbox" aria-label="Commands found" className="palette-list" tabIndex={-1}>
        {found.map(({ entry, at: marks }, i) => (
          <li key={entry.id} id={`${id}-${i}`} role="option" aria-selected={i === current} onMouseMove={() => setAt(i)} onClick={() => act(entry)}>
            <span className="palette-group">{entry.group}</span>
            <span className="palette-label cut"><Marked text={entry.label} at={marks} /></span>
            {entry.hint !== undefined && <span className="palette-hint">{entry.hint}</span>}
          </li>
        ))}
      </ul>
      <p className="palette-none muted" role="status">{found.length === 0 ? 'Nothing is called so. Content is searched with /.' : ''}</p>
    </Dialog>
  );
}

/** The text with its matched characters marked. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  const marked = new Set(at);
  const pieces: { text: string; hit: boolean }[] = [];
  for (let i = 0; i < text.length; i++) {
    const hit = marked.has(i);
    const last = pieces.at(-1);
    if (last?.hit === hit) last.text += text[i] ?? '';
    else pieces.push({ text: text[i] ?? '', hit });
  }
  return <>{pieces.map((piece, i) => (piece.hit ? <mark key={i}>{piece.text}</mark> : <span key={i}>{piece.text}</span>))}</>;
}
