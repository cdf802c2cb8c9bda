import { useSyncExternalStore } from 'react';
import type { Viewport } from './pane-sizes';

let current: Viewport | null = null;

/** The same object until the size changes, as useSyncExternalStore asks. */
function read(): Viewport {
  if (current?.width !== window.innerWidth || current.height !== window.innerHeight) current = { width: window.innerWidth, height: window.innerHeight };
  return current;
}

const subscribe = (listener: () => void): (() => void) => {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
};

/** Size of the window in CSS pixels. */
export function useViewport(): Viewport {
  return useSyncExternalStore(subscribe, read);
}
