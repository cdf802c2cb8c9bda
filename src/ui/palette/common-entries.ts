/** Commands that are there on every screen. */
import type { AppServices } from '../../state/react/app-context';
import { openRun, showPage, type Theme } from '../../state/view';
import type { LibraryRun } from '../../workers/api';
import { plural } from '../shared/format';
import type { Entry } from './entries';

const THEME_WORDS: readonly [Theme, string][] = [['light', 'Light theme'], ['dark', 'Dark theme'], ['system', 'Theme of the system']];

interface Shell { onBrowse: () => void; onHelp: () => void }

export function commonEntries({ view, preferences }: Pick<AppServices, 'view' | 'preferences'>, runs: readonly LibraryRun[], { onBrowse, onHelp }: Shell): Entry[] {
  const action = (label: string, run: () => void, hint?: string): Entry => ({ id: label, group: 'Action', label, hint, run });
  return [
    action('Open file…', onBrowse, 'o'),
    action('Corpus: tables over many runs', () => showPage(view, 'corpus'), 'c'),
    action('List of keys', onHelp, '?'),
    ...THEME_WORDS.map(([theme, label]) => action(label, () => {
      preferences.setState({ theme });
      view.setState({ theme: 'system' });
    })),
    action('Single-key shortcuts on or off', () => preferences.setState(({ shortcuts }) => ({ shortcuts: !shortcuts }))),
    ...runs.map((run): Entry => ({
      id: run.id, group: 'Run', label: `Open ${run.name}`, hint: `${run.fileName === run.name ? run.format : run.fileName} · ${plural(run.steps, 'step')}`,
      run: () => openRun(view, run.id, run.fileName),
    })),
  ];
}
