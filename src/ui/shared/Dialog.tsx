import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import './dialog.css';

/** A modal on the browser's own <dialog>: focus is kept inside, Escape closes, the rest of the page is inert. */
export function Dialog({ title, onClose, children, wide = false }: { title: string; onClose: () => void; children: ReactNode; wide?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // The browser would focus the close button; React's autoFocus runs before the dialog is shown.
    const first = dialog?.querySelector<HTMLElement>('[data-autofocus]') ?? dialog?.querySelector<HTMLElement>('.dialog-body :is(input, button, select)');
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    return () => dialog?.close();
  }, []);
  const keyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    // A search field would take the first Escape to clear itself.
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={ref} className={wide ? 'dialog dialog-wide' : 'dialog'} aria-label={title} onCancel={onClose} onKeyDown={keyDown}>
      <header className="dialog-head">
        <h2>{title}</h2>
        <button type="button" className="quiet" onClick={onClose} aria-label="Close">✕</button>
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
