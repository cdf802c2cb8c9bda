// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCorpusStore } from '../../state/corpus';
import { createImportsStore } from '../../state/imports';
import { createJobsStore } from '../../state/jobs';
import { createPreferencesStore } from '../../state/preferences';
import { AppContext } from '../../state/react/app-context';
import { createViewStore } from '../../state/view';
import { fakeWorkbench } from '../../testing/fake-workbench';
import { lineOf, replayOf } from '../../testing/line';
import { Ledger } from './Ledger';

const LINE = lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash, A 5');
const REPLAY = replayOf(LINE, { policy: 'keep-everything', budget: 1000 });

beforeAll(() => {
  // The row window is computed from sizes, and happy-dom lays nothing out.
  Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 400 });
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => 900 });
});
afterEach(cleanup);

function Harness() {
  const [selected, select] = useState<number | null>(null);
  return (
    <>
      <Ledger line={LINE} replay={REPLAY} step={3} selected={selected} onSelect={select} />
      <output aria-label="selection">{selected ?? 'none'}</output>
    </>
  );
}

function show(): void {
  const services = { workbench: fakeWorkbench({ line: LINE }), view: createViewStore(), jobs: createJobsStore(), imports: createImportsStore(), corpus: createCorpusStore(), preferences: createPreferencesStore(null) };
  render(<AppContext.Provider value={services}><Harness /></AppContext.Provider>);
}

const ids = (): string[] => within(screen.getByRole('table', { name: 'Ledger' })).getAllByRole('row').slice(1).map((row) => row.querySelector('td')?.textContent ?? '');
const selection = (): string | null => screen.getByLabelText('selection').textContent;

describe('Ledger', () => {
  it('shows the largest blocks first and sorts by a header', () => {
    show();
    expect(ids()).toEqual(['B6', 'B4', 'B1', 'B2', 'B5', 'B3']);
    fireEvent.click(screen.getByRole('button', { name: /^ID/ }));
    expect(ids()).toEqual(['B1', 'B2', 'B3', 'B4', 'B5', 'B6']);
    expect(screen.getByRole('columnheader', { name: /^ID/ }).getAttribute('aria-sort')).toBe('ascending');
  });

  it('filters and says how many are left', () => {
    show();
    fireEvent.change(screen.getByLabelText('Filter the ledger'), { target: { value: 'bash' } });
    expect(ids()).toEqual(['B6']);
    expect(screen.getByText(/^1 block of 6/)).toBeTruthy();
  });

  it('a click and the arrow keys move one selection', () => {
    show();
    const table = screen.getByRole('table', { name: 'Ledger' });
    const rows = within(table).getAllByRole('row');
    fireEvent.click(rows[1] as HTMLElement);
    expect(selection()).toBe('5');
    fireEvent.keyDown(within(table).getAllByRole('row')[1] as HTMLElement, { key: 'ArrowDown' });
    expect(selection()).toBe('3');
    fireEvent.keyDown(within(table).getAllByRole('row')[2] as HTMLElement, { key: 'End' });
    expect(selection()).toBe('2');
    expect(within(table).getAllByRole('row').filter((row) => row.getAttribute('aria-current') === 'true')).toHaveLength(1);
  });

  it('hides and shows columns', () => {
    show();
    expect(screen.queryByRole('columnheader', { name: /^Parent/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Parent' }));
    expect(screen.getByRole('columnheader', { name: /^Parent/ })).toBeTruthy();
  });
});
