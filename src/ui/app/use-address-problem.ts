import { useSyncExternalStore } from 'react';
import { addressProblem } from '../../state/view-hash';

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  window.addEventListener('popstate', listener);
  return () => {
    window.removeEventListener('hashchange', listener);
    window.removeEventListener('popstate', listener);
  };
};

/** Why the address of the page leads nowhere; null = it does not, or there is none. */
export function useAddressProblem(): string | null {
  return useSyncExternalStore(subscribe, () => addressProblem(window.location.hash));
}
