import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { addCorpusFiles, CORPUS_JOB, MOST_FILES } from '../../state/corpus';
import { importFiles } from '../../state/imports';
import { servedFiles } from '../../state/served-files';
import { useApp, useView } from '../../state/react/app-context';
import { useLibrary } from '../../state/react/use-library';
import { openRun, showPage } from '../../state/view';
import { Opening } from '../opening/Opening';
import { firstFiles, MAX_FILES, type GivenFiles } from '../opening/drop-files';
import { Palette } from '../palette/Palette';
import { commonEntries } from '../palette/common-entries';
import { Notice } from '../shared/Notice';
import { count } from '../shared/format';
import { KeysHelp } from './KeysHelp';
import { ProgressRegion } from './ProgressRegion';
import { useAddressProblem } from './use-address-problem';
import { useDrop } from './use-drop';
import { useKeys } from './use-keys';
import { useTheme } from './use-theme';

const CorpusPage = lazy(() => import('../corpus/CorpusPage').then((module) => ({ default: module.CorpusPage })));
const RunPage = lazy(() => import('../run/RunPage').then((module) => ({ default: module.RunPage })));

const CUT = `Only the first ${count(MAX_FILES)} files were taken. Drop the others in parts, or read the whole folder on the Corpus page.`;

/** The shell: opening screen or run page, and what works on both: drop, paste, open, help, progress. */
export function App() {
  const app = useApp();
  const run = useView((view) => view.run);
  const page = useView((view) => view.page);
  const runs = useLibrary();
  const [help, setHelp] = useState(false);
  const [palette, setPalette] = useState(false);
  const [problems, setProblems] = useState<string[]>([]);
  const [wasCut, setWasCut] = useState(false);
  const addressProblem = useAddressProblem();
  const picker = useRef<HTMLInputElement>(null);
  const known = run !== null && (runs?.some(({ id }) => id === run) ?? false);
  useTheme();
  const onCorpus = run === null && page === 'corpus';
  const take = ({ files, cut }: GivenFiles): void => {
    // There, files are read where they lie: a corpus may be larger than what a browser keeps.
    if (onCorpus) return addCorpusFiles(app, files, cut);
    setWasCut(cut);
    // A drop on the run page leads to its report; a link waiting for its file stays and opens by itself.
    if (known) app.view.setState({ run: null, file: null });
    void importFiles(app, files);
  };
  const dragging = useDrop(take, onCorpus ? MOST_FILES : MAX_FILES);
  const browse = (): void => picker.current?.click();
  const entries = useMemo(() => (palette ? commonEntries(app, runs ?? [], { onBrowse: () => picker.current?.click(), onHelp: () => setHelp(true) }) : []), [palette, app, runs]);
  useKeys((command) => {
    if (command === 'open') browse();
    else if (command === 'corpus') showPage(app.view, 'corpus');
    else if (command === 'help') setHelp(true);
    // The run page has a palette of its own that offers more.
    else if (command === 'palette' && !known) setPalette(true);
    else return false;
    return true;
  });
  useEffect(() => {
    let stopped = false;
    void servedFiles(window.location, window.fetch.bind(window)).then(async ({ files, problems: found }) => {
      if (stopped) return;
      setProblems(found);
      const outcome = await importFiles(app, files);
      const id = outcome?.runs[0];
      if (id !== undefined) openRun(app.view, id, files[0]?.name ?? '');
    });
    return () => { stopped = true; };
  }, [app]);

  return (
    <>
      {known
        ? <Suspense fallback={<Notice tone="loading" title="Opening" />}><RunPage key={run} runId={run} run={runs?.find(({ id }) => id === run)} onHelp={() => setHelp(true)} onBrowse={browse} /></Suspense>
        : onCorpus
          ? <Suspense fallback={<Notice tone="loading" title="Opening" />}><CorpusPage onPalette={() => setPalette(true)} /></Suspense>
        : run !== null && runs === null
          ? <Notice tone="loading" title="Looking in the library" />
          : <Opening onBrowse={browse} onPalette={() => setPalette(true)} problems={[...(addressProblem === null ? [] : [addressProblem]), ...(wasCut ? [CUT] : []), ...problems]} missing={run !== null} />}
      <input ref={picker} type="file" multiple hidden data-testid="file-input" onChange={(event) => {
        const files = [...(event.target.files ?? [])].map((file) => ({ name: file.name, blob: file }));
        event.target.value = '';
        take(firstFiles(files, onCorpus ? MOST_FILES : MAX_FILES));
      }} />
      {dragging && <div className="drop-overlay"><span>{onCorpus ? 'Drop to add to the corpus' : 'Drop to import'}</span></div>}
      {palette && <Palette entries={entries} onClose={() => setPalette(false)} />}
      {help && <KeysHelp onClose={() => setHelp(false)} />}
      <ProgressRegion bar={known} without={onCorpus ? CORPUS_JOB : undefined} />
    </>
  );
}
