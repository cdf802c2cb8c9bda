import { useState } from 'react';
import { useApp } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import type { LibraryRun } from '../../workers/api';
import { Dialog } from '../shared/Dialog';
import { Notice } from '../shared/Notice';
import { bytes, count, middleCut, plural, when } from '../shared/format';

type Column = 'name' | 'format' | 'model' | 'steps' | 'peakTokens' | 'sizeBytes' | 'addedMs';
const COLUMNS: { key: Column; title: string; numeric: boolean }[] = [
  { key: 'name', title: 'Name', numeric: false },
  { key: 'format', title: 'Format', numeric: false },
  { key: 'model', title: 'Model', numeric: false },
  { key: 'steps', title: 'Steps', numeric: true },
  { key: 'peakTokens', title: 'Peak, tokens', numeric: true },
  { key: 'sizeBytes', title: 'Size', numeric: true },
  { key: 'addedMs', title: 'Added', numeric: true },
];

/** Pinned first, then by the chosen column; unknown values last in either direction. */
export function sortRuns(runs: LibraryRun[], key: Column, descending: boolean): LibraryRun[] {
  const sign = descending ? -1 : 1;
  return [...runs].sort((a, b) => {
    if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
    const [x, y] = [a[key], b[key]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return sign * (typeof x === 'string' ? x.localeCompare(String(y)) : x - Number(y));
  });
}

export function LibraryTable({ runs, onOpen }: { runs: LibraryRun[] | null; onOpen: (run: LibraryRun) => void }) {
  const { workbench } = useApp();
  const [filter, setFilter] = useState('');
  const [sort, setSort] = useState<{ key: Column; descending: boolean }>({ key: 'addedMs', descending: true });
  const [renaming, setRenaming] = useState<string | null>(null);
  const [asking, setAsking] = useState<LibraryRun | 'all' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const usage = useResource(`usage ${runs?.length ?? 0}`, () => workbench.library.usage());
  const act = (work: Promise<void>): void => void work.then(() => setProblem(null), (error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));

  const wanted = filter.trim().toLowerCase();
  const shown = sortRuns((runs ?? []).filter((run) => [run.name, run.fileName, run.format, run.model ?? ''].some((text) => text.toLowerCase().includes(wanted))), sort.key, sort.descending);
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
        <div className="library-scroll">
          <table aria-label="Runs">
            <thead>
              <tr>
                {COLUMNS.map(({ key, title, numeric }) => (
                  <th key={key} scope="col" className={numeric ? 'num' : ''} aria-sort={sort.key === key ? (sort.descending ? 'descending' : 'ascending') : 'none'}>
                    <button type="button" className="sort" onClick={() => setSort({ key, descending: sort.key === key ? !sort.descending : numeric })}>
                      {title}<span aria-hidden="true">{sort.key === key ? (sort.descending ? ' ↓' : ' ↑') : ''}</span>
                    </button>
                  </th>
                ))}
                <th scope="col"><span className="hidden-visually">Actions</span></th>
              </tr>
            </thead>
            <tbody>
              {shown.map((run) => (
                <tr key={run.id}>
                  <td className="library-name">
                    {renaming === run.id
                      ? <Rename run={run} onDone={(name) => { setRenaming(null); if (name !== null) act(workbench.library.rename(run.id, name)); }} />
                      : <><button type="button" className="link" title={run.fileName} onClick={() => onOpen(run)}>{middleCut(run.name, 56)}</button>{run.example && <span className="muted small"> example</span>}</>}
                  </td>
                  <td>{run.format}</td>
                  <td className="mono">{run.model === null ? <span className="muted">–</span> : middleCut(run.model, 30)}</td>
                  <td className="num">{count(run.steps)}</td>
                  <td className="num">{count(run.peakTokens)}</td>
                  <td className="num">{bytes(run.sizeBytes)}</td>
                  <td className="num">{when(run.addedMs)}</td>
                  <td className="library-actions">
                    <button type="button" className="quiet" aria-pressed={run.pinned} aria-label={`Pin ${run.name}`} onClick={() => act(workbench.library.setPinned(run.id, !run.pinned))}>{run.pinned ? 'Pinned' : 'Pin'}</button>
                    <button type="button" className="quiet" aria-label={`Rename ${run.name}`} onClick={() => setRenaming(run.id)}>Rename</button>
                    <button type="button" className="quiet" aria-label={`Forget ${run.name}`} onClick={() => setAsking(run)}>Forget</button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {shown.length === 0 && <Notice title={`No run matches “${filter}”`} action={{ label: 'Clear the filter', run: () => setFilter('') }} />}
        </div>
      )}
      {asking !== null && (
        <Dialog title={asking === 'all' ? 'Forget all runs?' : `Forget ${asking.fileName}?`} onClose={() => setAsking(null)}>
          <p>{asking === 'all'
            ? `All ${count(runs?.length)} runs with their vectors and derived columns go from this browser. The original files are not touched.`
            : 'Every run of this file, its vectors and derived columns go from this browser. The original file is not touched.'}</p>
          <p className="dialog-actions">
            <button type="button" className="primary" onClick={() => { act(asking === 'all' ? workbench.library.forgetAll() : workbench.library.forget(asking.id)); setAsking(null); }}>Forget</button>
            <button type="button" data-autofocus onClick={() => setAsking(null)}>Keep</button>
          </p>
        </Dialog>
      )}
    </section>
  );
}

function Rename({ run, onDone }: { run: LibraryRun; onDone: (name: string | null) => void }) {
  const [name, setName] = useState(run.name);
  return (
    <form onSubmit={(event) => { event.preventDefault(); onDone(name.trim() === '' ? null : name.trim()); }}>
      <input type="text" autoFocus aria-label="New name" value={name} onChange={(event) => setName(event.target.value)} onBlur={() => onDone(null)} onKeyDown={(event) => { if (event.key === 'Escape') onDone(null); }} />
    </form>
  );
}
