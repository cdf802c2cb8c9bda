import { useEffect, useSyncExternalStore } from 'react';
import { useApp, usePreference, useView } from '../../state/react/app-context';
import type { Theme } from '../../state/view';

/** Asked for once: every new query object is one more that the browser keeps in step. */
let query: MediaQueryList | undefined;
const darkQuery = (): MediaQueryList => (query ??= window.matchMedia('(prefers-color-scheme: dark)'));
const subscribe = (listener: () => void): (() => void) => {
  const query = darkQuery();
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

/** Puts the chosen theme on the root element (a link's theme before the preference) and says which one is shown. */
export function useTheme(): 'light' | 'dark' {
  const linked = useView((view) => view.theme);
  const preferred = usePreference((state) => state.theme);
  const theme: Theme = linked === 'system' ? preferred : linked;
  const systemDark = useSyncExternalStore(subscribe, () => darkQuery().matches);
  useEffect(() => {
    if (theme === 'system') document.documentElement.removeAttribute('data-theme');
    else document.documentElement.setAttribute('data-theme', theme);
  }, [theme]);
  return theme === 'system' ? (systemDark ? 'dark' : 'light') : theme;
}

/** Switches to the other theme; the choice is remembered and a theme that came with a link is given up. */
export function useToggleTheme(): () => void {
  const { view, preferences } = useApp();
  const shown = useTheme();
  return () => {
    preferences.setState({ theme: shown === 'dark' ? 'light' : 'dark' });
    view.setState({ theme: 'system' });
  };
}
