import { useEffect, useMemo, useRef } from 'react';
import { addCorpusFiles, CORPUS_JOB, runCorpus } from '../../state/corpus';
import { settingsOf, type CorpusChoice } from '../../state/corpus-choice';
import { useApp, useCorpus, useJobs, usePreference } from '../../state/react/app-context';
import { useLibrary } from '../../state/react/use-library';
import { useOwnEncoders } from '../../state/react/use-own-encoders';
import { useResource } from '../../state/react/use-resource';
import { openRun, showPage } from '../../state/view';
import { Settings } from '../app/Settings';
import { PaletteButton } from '../palette/PaletteButton';
import { Notice } from '../shared/Notice';
import { CorpusResults } from './CorpusResults';
import { CorpusRuns } from './CorpusRuns';
import { CorpusSettings } from './CorpusSettings';
import { changeChoice, corpusRows, isChosen } from './corpus-rows';
import './corpus.css';

/** Many runs → the paper's tables on one's own data (interface.md §2 "Corpus"). */
export function CorpusPage({ onPalette }: { onPalette: () => void }) {
  const app = useApp();
  const { view, corpus, preferences, workbench } = app;
  const runs = useLibrary();
  const choice = usePreference((state) => state.corpus);
  const { files, note, states, running, progress, ended, error, outcome, request } = useCorpus((state) => state);
  const job = useJobs(({ jobs }) => jobs.find(({ name }) => name === CORPUS_JOB));
  const own = useOwnEncoders();
  const folder = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => corpusRows(runs ?? [], files), [runs, files]);
  const chosenIds = useMemo(() => (choice.chosen === null ? null : new Set(choice.chosen)), [choice.chosen]);
  const chosen = useMemo(() => rows.filter(({ id }) => isChosen(chosenIds, id)), [rows, chosenIds]);
  const settings = useMemo(() => settingsOf(choice), [choice]);
  const key = useMemo(() => JSON.stringify([rows.map(({ id }) => id), choice.encoder, settings, outcome === null, ended, states.size]), [rows, choice.encoder, settings, outcome, ended, states.size]);
  const stored = useResource(running ? null : key, () => workbench.corpus.known(rows.map(({ entry }) => entry.item), choice.encoder, settings));
  const known = useMemo(() => new Set(stored.current ? rows.filter((_, i) => stored.value?.[i]).map(({ id }) => id) : []), [rows, stored]);

  const change = (next: Partial<CorpusChoice>): void => preferences.setState({ corpus: { ...choice, ...next } });
  useEffect(() => {
    // React knows no attribute of this name.
    folder.current?.setAttribute('webkitdirectory', '');
  }, []);
  return (
    <main className="corpus">
      <header className="corpus-head">
        <div className="corpus-title">
          <button type="button" className="quiet" onClick={() => showPage(view, 'library')}><span aria-hidden="true">‹ </span>Library</button>
          <h1>Corpus</h1>
          <span className="corpus-tools"><PaletteButton onClick={onPalette} /><Settings /></span>
        </div>
        <p className="muted">The paper’s tables on your own runs: spectra with their controls, what selectors retain at the same number of blocks, and what a targeted replacement costs. Computed here, run by run, with the command line’s numbers to the byte.</p>
      </header>
      {note !== null && <p className="danger" role="alert">{note}</p>}
      {runs === null
        ? <Notice tone="loading" title="Looking in the library" />
        : (
          <div className="corpus-setup">
            <CorpusRuns
              rows={rows} chosen={chosenIds} states={states} known={known} locked={running}
              onChoose={(ids, isIn) => change({ chosen: changeChoice(chosenIds, rows, ids, isIn) })}
              onOpen={(run) => openRun(view, run.id, run.fileName)}
              onFolder={() => folder.current?.click()}
              onForgetFiles={files.length === 0 ? null : () => corpus.setState({ files: [] })}
            />
            <CorpusSettings
              choice={choice} onChange={change} own={own} chosen={chosen.length} known={chosen.filter(({ id }) => known.has(id)).length}
              running={running} startedMs={job?.startedMs ?? 0} progress={progress} onCancel={() => job?.cancel()}
              onRun={(onlyKnown) => void runCorpus(app, { entries: chosen.map(({ entry }) => entry), encoder: choice.encoder, settings }, onlyKnown)}
            />
          </div>
        )}
      <input ref={folder} type="file" multiple hidden data-testid="folder-input" onChange={(event) => {
        const list = [...(event.target.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }));
        event.target.value = '';
        addCorpusFiles(app, list);
      }} />
      {ended === 'failed' && <Notice tone="failed" title="No tables could be made">{error}</Notice>}
      {ended === 'cancelled' && <Notice title="Cancelled">What was finished is stored; the button above goes on with the rest.</Notice>}
      {outcome !== null && request !== null
        ? <CorpusResults outcome={outcome} choice={choice} />
        : ended === null && !running && rows.length > 0 && <Notice title="No tables yet">Choose runs and an encoder, then start. The static table takes seconds; MiniLM reads every block with a model and takes minutes.</Notice>}
    </main>
  );
}
