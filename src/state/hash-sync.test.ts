// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHash, syncHash } from './hash-sync';
import { createViewStore, openRun, showPage } from './view';

const RUN = `${'ab'.repeat(32)}#0`;

describe('address bar and view', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    window.history.replaceState(null, '', '/');
  });
  afterEach(() => vi.useRealTimers());

  it('opening a run makes a history entry, moving the playhead does not', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    const push = vi.spyOn(window.history, 'pushState');
    const replace = vi.spyOn(window.history, 'replaceState');
    openRun(view, RUN, 'run.jsonl');
    for (let step = 2; step <= 200; step++) view.setState({ step });
    vi.advanceTimersByTime(1000);
    expect(push).toHaveBeenCalledTimes(1);
    expect(replace).toHaveBeenCalledTimes(1);
    expect(window.location.hash).toContain('step=200');
    stop();
  });

  it('going from a run to another page makes one history entry: Back leads to the run', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    openRun(view, RUN, 'run.jsonl');
    const push = vi.spyOn(window.history, 'pushState');
    push.mockClear();
    showPage(view, 'corpus');
    expect(push).toHaveBeenCalledTimes(1);
    expect(window.location.hash).toContain('page=corpus');
    stop();
  });

  it('waits until the view rests, at most three seconds of a held key, and writes at once when the page is hidden', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    openRun(view, RUN, 'run.jsonl');
    const replace = vi.spyOn(window.history, 'replaceState');
    replace.mockClear();
    const press = (from: number, to: number): void => {
      for (let step = from; step <= to; step++) {
        view.setState({ step });
        vi.advanceTimersByTime(100);
      }
    };
    press(2, 29);
    expect(replace).not.toHaveBeenCalled();
    press(30, 40);
    expect(replace).toHaveBeenCalledTimes(1);
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(window.location.hash).toContain('step=40');
    hidden.mockRestore();
    stop();
  });

  it('what is written while the page is left is found by the reload, and by nothing else', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    openRun(view, RUN, 'run.jsonl');
    view.setState({ step: 14 });
    vi.advanceTimersByTime(1000);
    const before = window.location.hash;
    view.setState({ step: 13 });
    window.dispatchEvent(new Event('pagehide'));
    const after = window.location.hash;
    expect(after).toContain('step=13');
    stop();
    // The browser reloads the address as it was when the reload began.
    window.history.replaceState(null, '', before);
    expect(startHash(window)).toBe(after);
    expect(window.location.hash).toBe(after);
    window.history.replaceState(null, '', before);
    expect(startHash(window)).toBe(before);

    const next = syncHash(view, window);
    view.setState({ step: 20 });
    window.dispatchEvent(new Event('pagehide'));
    // Another address was typed meanwhile.
    window.history.replaceState(null, '', '#v=1&theme=dark');
    expect(startHash(window)).toBe('#v=1&theme=dark');
    // The page came back and moved on: what was handed over is old.
    view.setState({ step: 21 });
    vi.advanceTimersByTime(1000);
    const here = window.location.hash;
    view.setState({ step: 22 });
    window.dispatchEvent(new Event('pagehide'));
    view.setState({ step: 21 });
    vi.advanceTimersByTime(1000);
    expect(window.location.hash).toBe(here);
    expect(startHash(window)).toBe(here);
    next();
  });

  it('a hash typed by hand moves the view', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    window.location.hash = `#v=1&run=${'ab'.repeat(32)}.0&step=7&tab=prompt`;
    window.dispatchEvent(new Event('hashchange'));
    expect(view.getState()).toMatchObject({ run: RUN, step: 7, tab: 'prompt' });
    stop();
  });

  it('an address that leads nowhere closes the run and stays to be mended', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    openRun(view, RUN, 'run.jsonl');
    window.location.hash = '#v=9&run=abc';
    window.dispatchEvent(new Event('hashchange'));
    vi.advanceTimersByTime(5000);
    expect(view.getState().run).toBeNull();
    expect(window.location.hash).toBe('#v=9&run=abc');
    stop();
  });

  it('an address in another order or with values of no use is put right in its own history entry', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    const push = vi.spyOn(window.history, 'pushState');
    push.mockClear();
    window.location.hash = `#step=7&tab=nothing&run=${'ab'.repeat(32)}.0&v=1`;
    const entries = window.history.length;
    window.dispatchEvent(new Event('hashchange'));
    vi.advanceTimersByTime(1000);
    expect(view.getState()).toMatchObject({ run: RUN, step: 7 });
    expect(window.location.hash).toBe(`#v=1&run=${'ab'.repeat(32)}.0&step=7`);
    expect(push).not.toHaveBeenCalled();
    expect(window.history.length).toBe(entries);
    stop();
  });
});
