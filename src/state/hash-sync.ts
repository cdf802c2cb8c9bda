/**
 * Keeps the address bar and the view store the same. The hash is written with replaceState when the view has rested
 * for `REST_MS`, at the latest `LONGEST_MS` after a change, and when the page is hidden or left: a write costs some
 * milliseconds of the frame, and browsers refuse more than about 100 in 10 s, while a held key makes 300.
 * Opening and closing a run, and going to another page, makes a history entry, so that Back leads to where one was; an address that was read is only
 * put into its shortest form, in its own entry. A reload takes the address as it was when the reload began, so what is
 * written while the page is left is handed over in the tab's session storage as well (`startHash`).
 */
import { addressProblem, decodeView, encodeView } from './view-hash';
import { closeRun, type ViewStore } from './view';

const REST_MS = 300;
const LONGEST_MS = 3000;

/** What was written while the page was left, and over which address. */
const LEFT_KEY = 'contextscope.left';

/**
 * The hash to start with: the address, or what the page that was left a moment ago still wrote over just this address.
 * Puts it into the address bar.
 */
export function startHash(target: Window): string {
  const now = target.location.hash;
  let left: unknown = null;
  try {
    left = JSON.parse(target.sessionStorage.getItem(LEFT_KEY) ?? 'null');
    target.sessionStorage.removeItem(LEFT_KEY);
  } catch {
    // Blocked or damaged: the address alone counts.
    return now;
  }
  if (!Array.isArray(left) || left[0] !== now || typeof left[1] !== 'string' || left[1] === now) return now;
  target.history.replaceState(null, '', target.location.pathname + target.location.search + left[1]);
  return left[1];
}

/** Starts both directions; returns a function that stops them. */
export function syncHash(view: ViewStore, target: Window): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  /** Time of the first change that is not written yet. */
  let waitingSince = 0;
  let written = target.location.hash;
  /** The view is being set to what the address says: whatever else it comes to is the same place, not a new one. */
  let reading = false;

  /** Something was handed over, and the page lives on. */
  let handed = false;

  const write = (push: boolean): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const hash = encodeView(view.getState());
    if (hash === written) return;
    written = hash;
    if (handed) {
      handed = false;
      target.sessionStorage.removeItem(LEFT_KEY);
    }
    const url = target.location.pathname + target.location.search + hash;
    if (push) target.history.pushState(null, '', url);
    else target.history.replaceState(null, '', url);
  };
  const flush = (): void => {
    if (timer !== null) write(false);
  };
  const leave = (): void => {
    if (timer === null) return;
    const before = target.location.hash;
    write(false);
    try {
      target.sessionStorage.setItem(LEFT_KEY, JSON.stringify([before, written]));
      handed = true;
    } catch {
      // Blocked: a reload within a moment of a change may then lose it.
    }
  };
  const read = (): void => {
    if (target.location.hash === written) return;
    written = target.location.hash;
    const problem = addressProblem(written);
    const next = problem === null ? decodeView(written === '' ? '#v=1' : written) : null;
    reading = true;
    try {
      if (next === null) closeRun(view);
      else view.setState(next, true);
    } finally {
      reading = false;
    }
    // An address that leads nowhere stays as it is, to be read and mended.
    if (problem === null) write(false);
  };
  const unsubscribe = view.subscribe((next, before) => {
    if (reading) return;
    if (next.run !== before.run || next.page !== before.page) write(true);
    else {
      const now = performance.now();
      if (timer === null) waitingSince = now;
      else clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, Math.min(REST_MS, waitingSince + LONGEST_MS - now)));
    }
  });
  const onHide = (): void => {
    if (target.document.visibilityState === 'hidden') leave();
  };
  target.addEventListener('hashchange', read);
  target.addEventListener('popstate', read);
  target.addEventListener('pagehide', leave);
  target.document.addEventListener('visibilitychange', onHide);
  return () => {
    if (timer !== null) clearTimeout(timer);
    unsubscribe();
    target.removeEventListener('hashchange', read);
    target.removeEventListener('popstate', read);
    target.removeEventListener('pagehide', leave);
    target.document.removeEventListener('visibilitychange', onHide);
  };
}
