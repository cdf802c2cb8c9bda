import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useDismiss } from '../shared/use-dismiss';
import type { MenuEntry } from './asked';
import './manual.css';

interface Props {
  title: string;
  entries: readonly MenuEntry[];
  /** CSS pixels in the window. */
  x: number;
  y: number;
  onChoose: (entry: MenuEntry) => void;
  onClose: () => void;
}

const MARGIN_PX = 8;

/** What can be done to blocks by hand. Arrow keys walk, Enter chooses, Escape closes and gives the focus back. */
export function BlockMenu({ title, entries, x, y, onChoose, onClose }: Props) {
  const host = useDismiss<HTMLDivElement>(true, onClose);
  const back = useRef<Element | null>(null);
  const [at, setAt] = useState({ x, y });
  useLayoutEffect(() => {
    const box = host.current?.getBoundingClientRect();
    if (!box) return;
    setAt({ x: Math.max(MARGIN_PX, Math.min(x, window.innerWidth - box.width - MARGIN_PX)), y: Math.max(MARGIN_PX, Math.min(y, window.innerHeight - box.height - MARGIN_PX)) });
  }, [host, x, y]);
  useEffect(() => {
    back.current = document.activeElement;
    host.current?.querySelector('button')?.focus();
  }, [host]);
  const giveBack = (): void => {
    if (back.current instanceof HTMLElement || back.current instanceof SVGElement) back.current.focus({ preventScroll: true });
  };
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      giveBack();
      return onClose();
    }
    const items = [...(host.current?.querySelectorAll('button') ?? [])];
    const now = items.indexOf(document.activeElement as HTMLButtonElement);
    const to: Record<string, number> = { ArrowDown: (now + 1) % items.length, ArrowUp: (now + items.length - 1) % items.length, Home: 0, End: items.length - 1 };
    const next = items[to[event.key] ?? -1] ?? (event.key.length === 1 ? items.find((item) => item.textContent?.toLowerCase().startsWith(event.key.toLowerCase())) : undefined);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div className="block-menu action-menu" role="menu" aria-label={title} ref={host} style={{ left: at.x, top: at.y }} onKeyDown={key} onContextMenu={(event) => event.preventDefault()}>
      <p className="block-menu-title muted small" aria-hidden="true">{title}</p>
      {entries.map((entry) => (
        <button key={entry.label} type="button" role="menuitem" className="quiet" onClick={() => { giveBack(); onChoose(entry); }}>
          <span>{entry.label}</span>{entry.hint !== '' && <span className="muted small">{entry.hint}</span>}
        </button>
      ))}
    </div>
  );
}
