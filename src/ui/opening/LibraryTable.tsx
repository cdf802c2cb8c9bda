import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useApp } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import type { LibraryRun } from '../../workers/api';
import { Dialog } from '../shared/Dialog';
import { Notice } from '../shared/Notice';
import { bytes, count, plural } from '../shared/format';
import { LibraryRow } from './LibraryRow';
import { filterRuns, searchable, sortRuns, type LibraryColumn } from './library-rows';

/** Width in CSS pixels; null = what the others leave. */
const COLUMNS: { key: LibraryColumn; title: string; numeric: boolean; width: number | null }[] = [
  { key: 'name', title: 'Name', numeric: false, width: null },
  { key: 'format', title: 'Format', numeric: false, width: 118 },
  { key: 'model', title: 'Model', numeric: false, width: 156 },
  { key: 'steps', title: 'Steps', numeric: true, width: 66 },
  { key: 'peakTokens', title: 'Peak, tokens', numeric: true, width: 110 },
  { key: 'sizeBytes', title: 'Size', numeric: true, width: 72 },
  { key: 'addedMs', title: 'Added', numeric: true, width: 92 },
];
const ACTIONS_PX = 182;
const ROW_PX = 28;
/** A library of fewer runs is drawn whole, so that the page's own search finds every one. */
const WINDOWED_FROM = 200;

export function LibraryTable({ runs, onOpen }: { runs: LibraryRun[] | null; onOpen: (run: LibraryRun) => void }) {
  const { workbench } = useApp();
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<{ key: LibraryColumn; descending: boolean }>({ key: 'addedMs', descending: true });
  const [renaming, setRenaming] = useState<string | null>(null);
  const [asking, setAsking] = useState<LibraryRun | 'all' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const usage = useResource(`usage ${runs?.length ?? 0}`, () => workbench.library.usage());
  const act = (work: Promise<void>): void => void work.then(() => setProblem(null), (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));

  // Typing comes first: the rows follow when there is time.
  const wanted = useDeferredValue(filter);
  const all = useMemo(() => searchable(runs ?? []), [runs]);
  const shown = useMemo(() => sortRuns(filterRuns(all, wanted), sort.key, sort.descending), [all, wanted, sort]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 12, scrollPaddingStart: ROW_PX });
  const items = virtual.getVirtualItems();
  const isWindowed = shown.length >= WINDOWED_FROM;
  const first = isWindowed ? (items[0]?.index ?? 0) : 0;
  const end = isWindowed ? (items.at(-1)?.index ?? -1) + 1 : shown.length;
  const gap = (rows: number) => rows > 0 && <tr aria-hidden="true" className="library-gap"><td colSpan={COLUMNS.length + 1} style={{ height: rows * ROW_PX }} /></tr>;
  return (
    <section className="library" aria-label="Library">
      <header className="library-head">
        <h2>Library</h2>
        <span className="muted">{runs === null ? '' : shown.length === runs.length ? plural(runs.length, 'run') : `${count(shown.length)} of ${plural(runs.length, 'run')}`}</span>
        <input type="search" aria-label="Filter the library" placeholder="Filter" value={filter} onChange={(event) => setFilter(event.target.value)} />
        <span className="spacer" />
        <span className="muted small">
          {workbench.persistent ? '' : 'This browser keeps nothing here: runs last until the page is closed. '}
          {usage.value !== undefined && `${bytes(usage.value.usedBytes)} used${usage.value.quotaBytes === null ? '' : ` of ${bytes(usage.value.quotaBytes)}`}`}
        </span>
        <button type="button" disabled={runs === null || runs.length === 0} onClick={() => setAsking('all')}>Forget all…</button>
      </header>
      {problem !== null && <p className="danger" role="alert">{problem}</p>}
      {runs !== null && runs.length === 0 && <Notice title="No runs yet">Drop a trajectory file, or try an example. Runs are kept in this browser only.</Notice>}
      {runs !== null && runs.length > 0 && (
        <div className="library-scroll" ref={scroll}>
          <table aria-label="Runs" aria-rowcount={shown.length + 1}>
            <colgroup>{COLUMNS.map(({ key, width }) => <col key={key} style={{ width: width ?? undefined }} />)}<col style={{ width: ACTIONS_PX }} /></colgroup>
            <thead>
              <tr>
                {COLUMNS.map(({ key, title, numeric }) => (
                  <th key={key} scope="col" className={numeric ? 'num' : ''} aria-sort={sort.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
                    <button type="button" className="sort" onClick={() => setSort({ key, descending: sort.key === key ? !sort.descending : numeric })}>
                      {title}<span aria-hidden="true">{sort.key === key ? (sort.descending ? ' ↓' : ' ↑') : ''}</span>
                    </button>
                  </th>
                ))}
                <th scope="col" className="library-actions"><span className="hidden-visually">Actions</span></th>
              </tr>
            </thead>
            <tbody>
              {gap(first)}
              {shown.slice(first, end).map((run, i) => (
                <LibraryRow
                  key={run.id}
                  run={run}
                  rowIndex={first + i + 2}
                  renaming={renaming === run.id}
                  onOpen={onOpen}
                  onPin={({ id, pinned }) => act(workbench.library.setPinned(id, !pinned))}
                  onRenaming={(next) => setRenaming(next?.id ?? null)}
                  onRename={({ id }, name) => act(workbench.library.rename(id, name))}
                  onForget={setAsking}
                />
              ))}
              {gap(shown.length - end)}
            </tbody>
          </table>
          {shown.length === 0 && <Notice title={`No run matches “${wanted}”`} action={{ label: 'Clear the filter', run: () => setFilter('') }} />}
        </div>
      )}
      {asking !== null && (
        <Dialog title={asking === 'all' ? 'Forget all runs?' : `Forget ${asking.fileName}?`} onClose={() => setAsking(null)}>
          <p>{asking === 'all'
            ? `All ${count(runs?.length)} runs with their manual scenarios, vectors and derived columns go from this browser. The original files are not touched.`
            : 'Every run of this file, its manual scenarios, vectors and derived columns go from this browser. The original file is not touched.'}</p>
          <p className="dialog-actions">
            <button type="button" className="primary" onClick={() => { act(asking === 'all' ? workbench.library.forgetAll() : workbench.library.forget(asking.id)); setAsking(null); }}>Forget</button>
            <button type="button" data-autofocus onClick={() => setAsking(null)}>Keep</button>
          </p>
        </Dialog>
      )}
    </section>
  );
}
