// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { syncHash } from './hash-sync';
import { createViewStore, openRun } from './view';

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

  it('a hash typed by hand moves the view', () => {
    const view = createViewStore();
    const stop = syncHash(view, window);
    window.location.hash = `#v=1&run=${'ab'.repeat(32)}.0&step=7&tab=prompt`;
    window.dispatchEvent(new Event('hashchange'));
    expect(view.getState()).toMatchObject({ run: RUN, step: 7, tab: 'prompt' });
    stop();
  });
});
