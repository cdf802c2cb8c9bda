import { useState } from 'react';
import type { LibraryRun } from '../../workers/api';
import { MiddleCut } from '../shared/MiddleCut';
import { bytes, count, when } from '../shared/format';

interface Props {
  run: LibraryRun;
  /** Place in the whole table, from 1 = the header. */
  rowIndex: number;
  renaming: boolean;
  onOpen: (run: LibraryRun) => void;
  onPin: (run: LibraryRun) => void;
  /** A run to give a new name to; null = none. */
  onRenaming: (run: LibraryRun | null) => void;
  onRename: (run: LibraryRun, name: string) => void;
  onForget: (run: LibraryRun) => void;
}

/** One run: its facts, and what can be done with it at a place that names of any length leave free. */
export function LibraryRow({ run, rowIndex, renaming, onOpen, onPin, onRenaming, onRename, onForget }: Props) {
  return (
    <tr aria-rowindex={rowIndex}>
      <td className="library-name">
        {renaming
          ? <Rename run={run} onDone={(name) => { onRenaming(null); if (name !== null) onRename(run, name); }} />
          : (
            <span className="library-name-line">
              <button type="button" className="link" aria-label={run.name} onClick={() => onOpen(run)}><MiddleCut text={run.name} title={`${run.name}\n${run.fileName}`} /></button>
              {run.example && <span className="muted small">example</span>}
            </span>
          )}
      </td>
      <td title={run.format}>{run.format}</td>
      <td className="mono">{run.model === null ? <span className="muted">–</span> : <MiddleCut text={run.model} />}</td>
      <td className="num">{count(run.steps)}</td>
      <td className="num">{count(run.peakTokens)}</td>
      <td className="num">{bytes(run.sizeBytes)}</td>
      <td className="num">{when(run.addedMs)}</td>
      <td className="library-actions">
        <button type="button" className="quiet" aria-pressed={run.pinned} aria-label={`Pin ${run.name}`} onClick={() => onPin(run)}>{run.pinned ? 'Pinned' : 'Pin'}</button>
        <button type="button" className="quiet" aria-label={`Rename ${run.name}`} onClick={() => onRenaming(run)}>Rename</button>
        <button type="button" className="quiet" aria-label={`Forget ${run.name}`} onClick={() => onForget(run)}>Forget</button>
      </td>
    </tr>
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
