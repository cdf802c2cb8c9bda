// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
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

function Harness({ onMenu }: { onMenu?: (blocks: readonly number[], x: number, y: number) => void }) {
  const [selected, select] = useState<number | null>(null);
  return (
    <>
      <Ledger line={LINE} replay={REPLAY} step={3} selected={selected} onSelect={select} onMenu={onMenu} />
      <output aria-label="selection">{selected ?? 'none'}</output>
    </>
  );
}

function show(onMenu?: (blocks: readonly number[], x: number, y: number) => void): void {
  const services = { workbench: fakeWorkbench({ line: LINE }), view: createViewStore(), jobs: createJobsStore(), imports: createImportsStore(), corpus: createCorpusStore(), preferences: createPreferencesStore(null) };
  render(<AppContext.Provider value={services}><Harness onMenu={onMenu} /></AppContext.Provider>);
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

  it('marks blocks by key and pointer, and asks what to do with them together', () => {
    const onMenu = vi.fn();
    show(onMenu);
    const table = screen.getByRole('table', { name: 'Ledger' });
    const rowOf = (id: string): HTMLElement => screen.getByRole('checkbox', { name: `Mark ${id}` }).closest('tr') as HTMLElement;
    const byHand = screen.getByRole('button', { name: 'By hand' });
    expect((byHand as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(rowOf('B6'));
    fireEvent.keyDown(rowOf('B6'), { key: ' ' });
    fireEvent.keyDown(rowOf('B6'), { key: 'ArrowDown', shiftKey: true });
    fireEvent.click(rowOf('B3'), { ctrlKey: true });
    expect(screen.getByRole('status', { name: 'Marked blocks' }).textContent).toContain('3 blocks marked');
    fireEvent.keyDown(rowOf('B3'), { key: 'm' });
    expect(onMenu.mock.lastCall?.[0]).toEqual([2, 3, 5]);
    // The menu of a block that is not marked is about it alone.
    fireEvent.contextMenu(rowOf('B1'), { button: 2, clientX: 10, clientY: 20 });
    expect(onMenu.mock.lastCall).toEqual([[0], 10, 20]);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Mark B3' }));
    fireEvent.click(byHand);
    expect(onMenu.mock.lastCall?.[0]).toEqual([3, 5]);
    fireEvent.click(screen.getByRole('button', { name: 'clear' }));
    expect(screen.queryByRole('status', { name: 'Marked blocks' })).toBeNull();
    expect(within(table).getAllByRole('row').filter((row) => row.getAttribute('aria-selected') === 'true')).toEqual([]);
  });

  it('shows the label under which a block was put away, and finds it', () => {
    const replay = replayOf(LINE, { policy: 'manual', budget: 100_000, scenario: [{ id: 'a1', step: 3, op: 'archive', blocks: ['base:3'], label: 'the read' }] });
    const services = { workbench: fakeWorkbench({ line: LINE }), view: createViewStore(), jobs: createJobsStore(), imports: createImportsStore(), corpus: createCorpusStore(), preferences: createPreferencesStore(null) };
    render(<AppContext.Provider value={services}><Ledger line={LINE} replay={replay} step={3} selected={null} onSelect={() => undefined} /></AppContext.Provider>);
    expect(screen.getAllByTitle('Put away under the label “the read”')).toHaveLength(3);
    fireEvent.change(screen.getByLabelText('Filter the ledger'), { target: { value: 'the read' } });
    expect(ids().sort()).toEqual(['B3', 'B4', 'B7']);
  });

  it('hides and shows columns', () => {
    show();
    expect(screen.queryByRole('columnheader', { name: /^Parent/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Parent' }));
    expect(screen.getByRole('columnheader', { name: /^Parent/ })).toBeTruthy();
  });
});
