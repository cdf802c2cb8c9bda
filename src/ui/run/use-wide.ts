import { useSyncExternalStore } from 'react';

/** From this width on the inspector stands beside the tabs, below it under them. */
const WIDE = '(min-width: 1200px)';

const subscribe = (listener: () => void): (() => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

export function useWide(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
}
