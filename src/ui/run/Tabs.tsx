import type { KeyboardEvent, ReactNode } from 'react';
import { TABS, type Tab } from '../../state/view';

export const TAB_NAMES: Record<Tab, string> = { transcript: 'Transcript', ledger: 'Ledger', prompt: 'Prompt', evidence: 'Evidence', geometry: 'Geometry', selectors: 'Selectors', policies: 'Policies', cost: 'Cost', manual: 'Manual' };

/** The tab list with roving focus, and the panel of the chosen one. */
export function Tabs({ tab, onTab, aside, children }: { tab: Tab; onTab: (tab: Tab) => void; aside?: ReactNode; children: ReactNode }) {
  const move = (event: KeyboardEvent<HTMLElement>): void => {
    const at = TABS.indexOf(tab);
    const to: Record<string, number> = { ArrowRight: (at + 1) % TABS.length, ArrowLeft: (at + TABS.length - 1) % TABS.length, Home: 0, End: TABS.length - 1 };
    const next = TABS[to[event.key] ?? -1];
    if (next === undefined || event.shiftKey) return;
    event.preventDefault();
    onTab(next);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <section className="tabs">
      <div className="tab-bar">
        <div role="tablist" aria-label="Views" data-keys="tabs" onKeyDown={move}>
          {TABS.map((one) => (
            <button key={one} type="button" role="tab" id={`tab-${one}`} aria-selected={one === tab} aria-controls={one === tab ? 'tab-panel' : undefined} tabIndex={one === tab ? 0 : -1} onClick={() => onTab(one)}>{TAB_NAMES[one]}</button>
          ))}
        </div>
        <span className="spacer" />
        {aside}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} className="tab-panel">{children}</div>
    </section>
  );
}
