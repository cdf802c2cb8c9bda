import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { CorpusItemState, LibraryRun } from '../../workers/api';
import { MiddleCut } from '../shared/MiddleCut';
import { Notice } from '../shared/Notice';
import { count, plural } from '../shared/format';
import { filterRows, isChosen, stateWords, type CorpusRow } from './corpus-rows';

interface Props {
  rows: readonly CorpusRow[];
  chosen: ReadonlySet<string> | null;
  states: ReadonlyMap<string, CorpusItemState>;
  known: ReadonlySet<string>;
  /** No change of the choice while its runs are computed. */
  locked: boolean;
  onChoose: (ids: string[], isIn: boolean) => void;
  onOpen: (run: LibraryRun) => void;
  onFolder: () => void;
  onForgetFiles: (() => void) | null;
}

const ROW_PX = 28;
/** A choice of fewer rows is drawn whole. */
const WINDOWED_FROM = 200;

/** Which runs: the library and the files of folders, with a filter and a checkbox each. */
export function CorpusRuns({ rows, chosen, states, known, locked, onChoose, onOpen, onFolder, onForgetFiles }: Props) {
  const [filter, setFilter] = useState('');
  const wanted = useDeferredValue(filter);
  const shown = useMemo(() => filterRows(rows, wanted), [rows, wanted]);
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => scroll.current, estimateSize: () => ROW_PX, overscan: 12, scrollPaddingStart: ROW_PX });
  const items = virtual.getVirtualItems();
  const isWindowed = shown.length >= WINDOWED_FROM;
  const first = isWindowed ? (items[0]?.index ?? 0) : 0;
  const end = isWindowed ? (items.at(-1)?.index ?? -1) + 1 : shown.length;
  const inNow = shown.filter(({ id }) => isChosen(chosen, id)).length;
  const total = rows.filter(({ id }) => isChosen(chosen, id)).length;
  const gap = (n: number) => n > 0 && <tr aria-hidden="true" className="corpus-gap"><td colSpan={6} style={{ height: n * ROW_PX }} /></tr>;
  return (
    <section className="corpus-runs" aria-label="Runs of the corpus">
      <header className="corpus-bar">
        <h2>Runs</h2>
        <span className="muted" role="status" aria-label="Chosen runs">{`${count(total)} of ${plural(rows.length, 'run')} chosen`}</span>
        <input type="search" aria-label="Filter the runs" placeholder="Filter" value={filter} onChange={(event) => setFilter(event.target.value)} />
        <span className="spacer" />
        {onForgetFiles !== null && <button type="button" disabled={locked} onClick={onForgetFiles}>Take the files out</button>}
        <button type="button" disabled={locked} onClick={onFolder} title="Its files are read where they lie and are not stored">Add a folder…</button>
      </header>
      {rows.length === 0 && <Notice title="No runs to choose from" action={{ label: 'Add a folder…', run: onFolder }}>Drop files or a folder here: they are read where they lie. Or import runs into the library first.</Notice>}
      {rows.length > 0 && (
        <div className="corpus-scroll" ref={scroll} tabIndex={0} role="region" aria-label="List of runs">
          <table aria-label="Runs to choose from" aria-rowcount={shown.length + 1}>
            <colgroup><col className="corpus-col-check" /><col /><col className="corpus-col-file" /><col className="corpus-col-format" /><col className="corpus-col-length" /><col className="corpus-col-state" /></colgroup>
            <thead>
              <tr>
                <th scope="col" className="corpus-check">
                  <input
                    type="checkbox"
                    aria-label={wanted.trim() === '' ? 'All runs' : `All ${shown.length} shown`}
                    disabled={locked || shown.length === 0}
                    checked={shown.length > 0 && inNow === shown.length}
                    ref={(box) => { if (box) box.indeterminate = inNow > 0 && inNow < shown.length; }}
                    onChange={() => onChoose(shown.map(({ id }) => id), inNow < shown.length)}
                  />
                </th>
                <th scope="col">{wanted.trim() === '' ? 'Name' : `Name · all ${count(shown.length)} shown`}</th><th scope="col">File</th><th scope="col">Format</th><th scope="col" className="num">Length</th><th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {gap(first)}
              {shown.slice(first, end).map((row, i) => (
                <Row key={row.id} row={row} rowIndex={first + i + 2} isIn={isChosen(chosen, row.id)} state={states.get(row.id)} known={known.has(row.id)} locked={locked} onChoose={onChoose} onOpen={onOpen} />
              ))}
              {gap(shown.length - end)}
            </tbody>
          </table>
          {shown.length === 0 && <Notice title={`No run matches “${wanted}”`} action={{ label: 'Clear the filter', run: () => setFilter('') }} />}
        </div>
      )}
    </section>
  );
}

function Row({ row, rowIndex, isIn, state, known, locked, onChoose, onOpen }: { row: CorpusRow; rowIndex: number; isIn: boolean; state: CorpusItemState | undefined; known: boolean } & Pick<Props, 'locked' | 'onChoose' | 'onOpen'>) {
  const { run } = row;
  const words = stateWords(state, known);
  return (
    <tr aria-rowindex={rowIndex} className={isIn ? '' : 'corpus-out'}>
      <td className="corpus-check"><input type="checkbox" aria-label={`Choose ${row.name}`} checked={isIn} disabled={locked} onChange={(event) => onChoose([row.id], event.target.checked)} /></td>
      <td>{run === null ? <MiddleCut text={row.name} /> : <button type="button" className="link corpus-name" aria-label={`Open ${row.name}`} onClick={() => onOpen(run)}><MiddleCut text={row.name} /></button>}</td>
      <td><MiddleCut text={run === null ? 'not stored' : row.path} title={row.path} /></td>
      <td title={row.format}>{row.format}</td>
      <td className="num">{row.length}</td>
      <td className={state?.state === 'failed' ? 'danger' : words === '–' ? 'muted' : ''} title={words}>
        {state?.state === 'running' ? <span className="corpus-running"><progress max={1} value={state.share} aria-label={`${row.name}: ${words}`} />{words}</span> : words}
      </td>
    </tr>
  );
}
