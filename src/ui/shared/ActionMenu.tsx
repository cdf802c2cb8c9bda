import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useDismiss } from './use-dismiss';
import './action-menu.css';

export interface MenuAction { label: string; run: () => void | Promise<void> }

interface Props { label: string; actions: readonly MenuAction[]; /** What the button shows; its name is `label`. */ face?: ReactNode; className?: string }

/** A button with a short list of actions. Arrow keys walk, Enter acts, Escape closes; what went wrong is said in place. */
export function ActionMenu({ label, actions, face, className = '' }: Props) {
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState('');
  const host = useDismiss<HTMLSpanElement>(open, () => setOpen(false));
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (open) list.current?.querySelector('button')?.focus();
  }, [open]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const act = (action: MenuAction): void => {
    setFailed('');
    Promise.resolve().then(action.run).then(close, (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)));
  };
  const key = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      return close();
    }
    const items = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const to: Record<string, number> = { ArrowDown: (at + 1) % items.length, ArrowUp: (at + items.length - 1) % items.length, Home: 0, End: items.length - 1 };
    const next = items[to[event.key] ?? -1];
    // Letters and arrows move nothing else while the menu is open.
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <span className={`menu-host ${className}`} ref={host} onPointerDown={(event) => event.stopPropagation()} onClick={(event) => event.stopPropagation()}>
      <button ref={button} type="button" className={face === undefined ? '' : 'quiet square'} aria-haspopup="menu" aria-expanded={open} aria-label={face === undefined ? undefined : label} title={face === undefined ? undefined : label} onClick={() => { setFailed(''); setOpen(!open); }}>
        {face ?? label}
      </button>
      {open && (
        <div className="action-menu" role="menu" aria-label={label} ref={list} onKeyDown={key}>
          {actions.map((action) => <button key={action.label} type="button" role="menuitem" className="quiet" onClick={() => act(action)}>{action.label}</button>)}
          {failed !== '' && <p className="danger small" role="alert">{failed}</p>}
        </div>
      )}
    </span>
  );
}

/** An arrow into a tray: save. */
export const SAVE_FACE = (
  <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M6 1v6.200M3.400 4.800 6 7.400l2.600-2.600M1.500 8.500V11h9V8.500" fill="none" stroke="currentColor" strokeWidth="1.300" /></svg>
);
