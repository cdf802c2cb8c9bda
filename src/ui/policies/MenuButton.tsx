import { useState, type ReactNode } from 'react';
import { useDismiss } from '../shared/use-dismiss';

/** A button with a panel of choices below it; Escape and a click elsewhere close it. */
export function MenuButton({ label, legend, children }: { label: string; legend: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const host = useDismiss<HTMLSpanElement>(open, () => setOpen(false));
  return (
    <span className="menu-host" ref={host}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>{label}</button>
      {open && <fieldset className="menu policies-menu" onKeyDown={(event) => { if (event.key === 'Escape') setOpen(false); }}><legend className="hidden-visually">{legend}</legend>{children}</fieldset>}
    </span>
  );
}
