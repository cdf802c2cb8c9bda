import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startHash, syncHash } from './state/hash-sync';
import { createCorpusStore } from './state/corpus';
import { createImportMarks } from './state/import-marks';
import { createImportsStore } from './state/imports';
import { createJobsStore } from './state/jobs';
import { createPreferencesStore } from './state/preferences';
import { AppContext } from './state/react/app-context';
import { createViewStore } from './state/view';
import { decodeView } from './state/view-hash';
import { App } from './ui/app/App';
import { StartFailed } from './ui/app/StartFailed';
import { ownerLocks } from './storage/owner-locks';
import { createWorkbench } from './workers/client';
import { randomToken } from './workers/random-token';
import './ui/theme/tokens.css';
import './ui/theme/base.css';

/** Composition root: the only file that may know everything. */
function savedPreferences(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    // Blocked by the browser: the page works, it only forgets pane sizes.
    return null;
  }
}

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root');
const root = createRoot(element);

createWorkbench().then(
  (workbench) => {
    const view = createViewStore(decodeView(startHash(window)) ?? {});
    const marks = createImportMarks(savedPreferences(), ownerLocks(), randomToken);
    const services = { workbench, view, jobs: createJobsStore(), imports: createImportsStore(), corpus: createCorpusStore(), preferences: createPreferencesStore(savedPreferences()), marks };
    void marks.takeInterrupted().then((interrupted) => services.imports.setState({ interrupted }));
    syncHash(view, window);
    root.render(
      <StrictMode>
        <AppContext.Provider value={services}>
          <App />
        </AppContext.Provider>
      </StrictMode>,
    );
  },
  (error: unknown) => root.render(<StartFailed message={error instanceof Error ? error.message : String(error)} />),
);
