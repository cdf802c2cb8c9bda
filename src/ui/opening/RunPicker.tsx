import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { LibraryRun } from '../../workers/api';
import { MiddleCut } from '../shared/MiddleCut';
import { count, plural } from '../shared/format';
import { pickerLengths, pickerRows, pickerTotals, PICKER_ORDERS, type PickerOrder } from './picker-rows';

const ROW_PX = 28;
/** Rows that Page Up and Page Down move by: what the list shows at once. */
const PAGE_ROWS = 8;
const LIST_PX = ROW_PX * PAGE_ROWS;

/** The runs of one file: how many and how large, a filter, and a list that the keyboard walks; Enter opens the marked one. */
export function RunPicker({ file, runs, onOpen }: { file: string; runs: readonly LibraryRun[]; onOpen: (run: LibraryRun) => void }) {
  const [query, setQuery] = useState('');
  const [order, setOrder] = useState<PickerOrder>('file');
  const [at, setAt] = useState(0);
  const wanted = useDeferredValue(query);
  const totals = useMemo(() => pickerTotals(runs), [runs]);
  const found = useMemo(() => pickerRows(runs, wanted, order), [runs, wanted, order]);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: found.length, getScrollElement: () => list.current, estimateSize: () => ROW_PX, overscan: PAGE_ROWS, initialRect: { width: 0, height: LIST_PX } });
  const current = Math.min(at, found.length - 1);
  const go = (index: number): void => {
    setAt(index);
    virtual.scrollToIndex(index);
  };
  const key = (event: KeyboardEvent): void => {
    const last = found.length - 1;
    const to: Record<string, number> = { ArrowDown: Math.min(last, current + 1), ArrowUp: Math.max(0, current - 1), PageDown: Math.min(last, current + PAGE_ROWS), PageUp: Math.max(0, current - PAGE_ROWS) };
    // Who types and presses Enter at once means what was typed, not the list that still stands there.
    const meant = query === wanted ? found[current] : pickerRows(runs, query, order)[0];
    if (event.key === 'Enter' && meant) onOpen(meant);
    else if (event.key in to && found.length > 0) go(to[event.key] ?? 0);
    else return;
    event.preventDefault();
  };
  return (
    <div className="picker">
      <div className="picker-head">
        <span className="picker-totals">{plural(runs.length, 'run')} <span className="muted">{pickerLengths(totals)}, {plural(totals.messages, 'message')} in all</span></span>
        <span className="spacer" />
        <input
          type="search" role="combobox" aria-label={`Find a run of ${file}`} placeholder="Name, model or number" autoComplete="off" spellCheck={false}
          aria-expanded="true" aria-controls={id} aria-autocomplete="list" aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          value={query} onChange={(event) => { setQuery(event.target.value); setAt(0); virtual.scrollToIndex(0); }} onKeyDown={key}
        />
        <label className="inline"><span className="muted">Order</span>
          <select aria-label="Order of the runs" value={order} onChange={(event) => { setOrder(event.target.value as PickerOrder); setAt(0); virtual.scrollToIndex(0); }}>
            {Object.entries(PICKER_ORDERS).map(([value, title]) => <option key={value} value={value}>{title}</option>)}
          </select>
        </label>
        <span className="muted picker-found" role="status">{found.length === runs.length ? '' : `${count(found.length)} found`}</span>
      </div>
      {/* A list without options is no list. */}
      <div ref={list} id={id} tabIndex={-1} role={found.length === 0 ? undefined : 'listbox'} aria-label={found.length === 0 ? undefined : `Runs of ${file}`} className="picker-list" style={{ height: Math.min(LIST_PX, Math.max(1, found.length) * ROW_PX) }}>
        {found.length === 0 && <p className="muted picker-none">No run is called so.</p>}
        <div role="presentation" className="picker-rows" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const run = found[index]!;
            return (
              <div
                key={run.id} id={`${id}-${index}`} role="option" aria-selected={index === current} aria-posinset={index + 1} aria-setsize={found.length} className="picker-row"
                style={{ transform: `translateY(${start}px)` }} onMouseMove={() => setAt(index)} onClick={() => onOpen(run)}
              >
                <span className="picker-index num muted">{count(run.indexInFile)}</span>
                <span className="picker-name"><MiddleCut text={run.name} /></span>
                <span className="picker-model mono muted">{run.model === null ? '–' : <MiddleCut text={run.model} />}</span>
                <span className="num">{plural(run.steps, 'step')}</span>
                <span className="num">{plural(run.messages, 'message')}</span>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
