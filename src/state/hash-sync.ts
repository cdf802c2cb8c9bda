/**
 * Keeps the address bar and the view store the same. The hash is written with replaceState, at most every
 * `WRITE_DELAY_MS`: browsers refuse more than about 100 history writes in 10 s, and dragging the playhead makes more.
 * Opening and closing a run makes a history entry, so that Back leads to the library.
 */
import { decodeView, encodeView } from './view-hash';
import type { ViewStore } from './view';

const WRITE_DELAY_MS = 150;

/** Starts both directions; returns a function that stops them. */
export function syncHash(view: ViewStore, target: Window): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let written = target.location.hash;

  const write = (push: boolean): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const hash = encodeView(view.getState());
    if (hash === written) return;
    written = hash;
    const url = target.location.pathname + target.location.search + hash;
    if (push) target.history.pushState(null, '', url);
    else target.history.replaceState(null, '', url);
  };
  const flush = (): void => write(false);
  const read = (): void => {
    if (target.location.hash === written) return;
    written = target.location.hash;
    const next = decodeView(written) ?? (written === '' ? decodeView('#v=1') : null);
    if (next !== null) view.setState(next, true);
  };
  const unsubscribe = view.subscribe((now, before) => {
    if (now.run !== before.run) write(true);
    else timer ??= setTimeout(flush, WRITE_DELAY_MS);
  });
  target.addEventListener('hashchange', read);
  target.addEventListener('popstate', read);
  target.addEventListener('pagehide', flush);
  return () => {
    if (timer !== null) clearTimeout(timer);
    unsubscribe();
    target.removeEventListener('hashchange', read);
    target.removeEventListener('popstate', read);
    target.removeEventListener('pagehide', flush);
  };
}
