import { useMemo, useRef } from 'react';
import { dismissReport, importFiles, type InputFile } from '../../state/imports';
import { useApp, useImports, useView } from '../../state/react/app-context';
import { useLibrary } from '../../state/react/use-library';
import { useStorageProblem } from '../../state/react/use-storage-problem';
import { closeRun, openRun, showPage } from '../../state/view';
import type { LibraryRun } from '../../workers/api';
import { PaletteButton } from '../palette/PaletteButton';
import { Settings } from '../app/Settings';
import { Notice } from '../shared/Notice';
import { plural } from '../shared/format';
import { Examples } from './Examples';
import type { Example } from './examples';
import { FirstLook } from './FirstLook';
import { ImportReport } from './ImportReport';
import { LibraryTable } from './LibraryTable';
import './opening.css';

/** Interrupted files that are named. */
const NAMES_SHOWN = 5;

/** The first screen: what it is, where to put a file, what to try, what is stored. */
export function Opening({ onBrowse, onPalette, problems, missing }: { onBrowse: () => void; onPalette: () => void; problems: string[]; missing: boolean }) {
  const app = useApp();
  const runs = useLibrary();
  const closed = useStorageProblem();
  const outcome = useImports((state) => state.outcome);
  const cancelled = useImports((state) => state.cancelled);
  const files = useImports((state) => state.files);
  const waiting = useImports((state) => state.waiting);
  const first = useImports((state) => state.first);
  const interrupted = useImports((state) => state.interrupted);
  const given = useMemo(() => files.map(({ name }) => name), [files]);
  const file = useView((view) => view.file);
  const start = useRef<HTMLElement>(null);
  const open = (run: LibraryRun): void => openRun(app.view, run.id, run.fileName);

  const openExample = async (example: Example): Promise<void> => {
    const response = await fetch(`examples/${example.file}`);
    if (!response.ok) return app.imports.setState({ outcome: { reports: [], runs: [], alreadyStored: [], failures: [{ file: example.file, message: 'The example is missing on this server. Build the page again with its public folder.' }], overlaps: [] } });
    const input: InputFile = { name: example.file, blob: await response.blob(), example: true };
    const result = await importFiles(app, [input]);
    const id = result?.runs[0];
    if (id !== undefined) openRun(app.view, id, example.file);
  };

  // A file out of an archive is not at hand by its name: then the whole drop is read again.
  const formatChooser = (file: string): ((format: string) => void) | null => {
    const named = files.filter(({ name }) => name === file);
    const again = named.length > 0 ? named : files;
    return again.length === 0 ? null : (format) => void importFiles(app, again, format);
  };

  // The two single runs go when the joined one is there, unless they were in the library before.
  const join = async (names: readonly string[]): Promise<void> => {
    const parts = files.filter(({ name }) => names.includes(name));
    const before = outcome === null ? [] : outcome.reports.filter(({ file }) => names.includes(file) && !outcome.alreadyStored.includes(file)).flatMap(({ sha256, fileId }) => outcome.runs.filter((id) => id.startsWith(`${fileId ?? sha256}#`)));
    const joined = await importFiles(app, parts, undefined, true);
    if (joined?.runs.length === 1) for (const id of before) if (!joined.runs.includes(id)) await app.workbench.library.forget(id).catch(() => undefined);
  };

  return (
    <main className="opening" ref={start}>
      <header className="opening-head">
        <div className="opening-title">
          <h1>Contextscope</h1>
          <span className="opening-tools"><button type="button" onClick={() => showPage(app.view, 'corpus')} aria-keyshortcuts="c" title="The paper’s tables over many runs">Corpus</button><PaletteButton onClick={onPalette} /><Settings /></span>
        </div>
        <p>Replay an agent’s run step by step, see what filled its context, and compare what other policies would have kept. Everything happens in this browser; nothing leaves your machine.</p>
      </header>
      {missing && (
        <Notice tone="failed" title={`This link needs ${file ?? 'a run'} that is not in the library`} action={{ label: 'Forget the link', run: () => closeRun(app.view) }}>
          Drop the file {file !== null && <strong className="mono">{file}</strong>} here and the link opens where it points to. It is recognised by its content, whatever it is called now.
        </Notice>
      )}
      {problems.map((problem) => <p key={problem} className="danger" role="alert">{problem}</p>)}
      <section className="drop" aria-label="Drop zone">
        <p className="drop-line"><strong>Drop trajectory files or a folder anywhere on this page</strong>, paste them, or</p>
        <button type="button" className="primary" onClick={onBrowse} aria-keyshortcuts="o">Open file</button>
        <p className="muted">Claude Code, OpenAI chat, Anthropic messages, pi, SWE-agent, mini-swe-agent and more; the format is recognised from the content.</p>
      </section>
      {waiting > 0 && <p className="muted import-waiting" role="status">{plural(waiting, 'file')} waiting for the import that is running.</p>}
      {first !== null && <FirstLook first={first} />}
      {interrupted.length > 0 && (
        <Notice title={interrupted.length === 1 ? 'An import was interrupted' : `Imports of ${plural(interrupted.length, 'file')} were interrupted`} action={{ label: 'Dismiss', run: () => app.imports.setState({ interrupted: [] }) }}>
          The page was closed or reloaded while <strong className="mono">{interrupted.slice(0, NAMES_SHOWN).join(', ')}{interrupted.length > NAMES_SHOWN ? ', …' : ''}</strong> {interrupted.length === 1 ? 'was' : 'were'} read. What had been finished is in the library; of the rest nothing was stored: drop {interrupted.length === 1 ? 'it' : 'them'} again.
        </Notice>
      )}
      {cancelled.length > 0 && (
        <Notice title="Import cancelled" action={{ label: 'Import again', run: () => void importFiles(app, cancelled) }}>
          {cancelled.length === 1 ? 'Nothing of it was stored.' : 'Files that were finished before are in the library; of the others nothing was stored.'}
        </Notice>
      )}
      {outcome !== null && (
        <ImportReport outcome={outcome} runs={runs} given={given} onOpen={open} onFormat={(file) => formatChooser(file)} onJoin={(names) => void join(names)} onDismiss={() => dismissReport(app.imports)} />
      )}
      <Examples onOpen={(example) => void openExample(example)} />
      {closed !== null && <Notice tone="failed" title="The library cannot be read any more" action={{ label: 'Reload', run: () => window.location.reload() }}>{closed}</Notice>}
      <LibraryTable runs={runs} onOpen={open} />
    </main>
  );
}
