import type { ReactNode } from 'react';
import './notice.css';

/** A designed state of a pane: what is so, and what to do next. `tone` failed is announced. */
export function Notice({ tone = 'empty', title, children, action }: { tone?: 'empty' | 'loading' | 'failed'; title: string; children?: ReactNode; action?: { label: string; run: () => void } }) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'failed' ? 'alert' : undefined}>
      <p className="notice-title">{tone === 'loading' && <span className="spinner" aria-hidden="true" />}{title}</p>
      {children !== undefined && <div className="notice-text">{children}</div>}
      {action !== undefined && <button type="button" onClick={action.run}>{action.label}</button>}
    </div>
  );
}
