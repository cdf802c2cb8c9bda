// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SelectionMetrics, SelectReport, SelectSettings } from '../../core/selection/types';
import { cellWidth, columnWindow, scrollToColumn, shownColumns, windowScroll } from './column-window';
import { metricDifference, METRIC_COLUMNS, selectorTable } from './selector-columns';
import { onlyKept, reasonWords, rowReasons } from './selector-reasons';
import { SelectorsTab, type SelectorsTabProps } from './SelectorsTab';

afterEach(cleanup);

const metrics = (top3: number, tokens: number): SelectionMetrics => ({ top3, top3Older: top3 / 2, actionProjection: 0.5, finalProjection: null, goalProjection: 0.2, centroid: 0.98, coverage: 0.9, tokens, chars: 0 });
const N = 20;
const report: SelectReport = {
  file: 'run.jsonl', encoder: { id: 'static-minilm-384@1', dim: 384, sha256: null }, checkpoint: N, k: 5,
  blocks: Array.from({ length: N }, (_, index) => ({ index, messageIndices: [], chars: 10, tokens: 100 + index, hash: '' })),
  spectrum: null, protected: { recent: [18, 19], goal: [3], state: [19], error: [], source: [] }, protectedWhy: { 3: ['nearest to the task.'] }, nextActionTop3: [3, 7, 19],
  selectors: [
    { selector: 'gem', kept: [3, 18, 19, 7, 1], picks: [{ index: 7, residual: 0.6123, coverage: 0.8 }, { index: 1, residual: 0.5, coverage: 0.9 }], stop: 'capacity', reason: null, metrics: metrics(1, 3224) },
    { selector: 'random', kept: [3, 18, 19, 4, 9], picks: [], stop: 'fixed', reason: null, metrics: metrics(0.67, 3000) },
    { selector: 'recency', kept: [15, 16, 17, 18, 19], picks: [{ index: 19, residual: 1, coverage: 0.1 }], stop: 'fixed', reason: null, metrics: metrics(0.33, 4469) },
    { selector: 'max-gain', kept: [3, 18, 19, 7, 2], picks: [{ index: 7, residual: 0.6, coverage: 0.8 }, { index: 2, residual: 0.4, coverage: 0.9 }], stop: 'fixed', reason: null, metrics: metrics(1, 3224) },
  ],
};
const settings: SelectSettings = { checkpoint: N, k: 'auto', tau: 0.9, selectors: ['gem', 'random', 'recency', 'max-gain'], mode: 'core', seed: 0 };

function show(change: Partial<SelectorsTabProps> = {}) {
  const props: SelectorsTabProps = {
    report, settings, onSettings: vi.fn(), status: { state: 'ready' }, encoder: 'static-minilm-384@1', step: 21, selected: null, onSelectBlock: vi.fn(), reference: 'gem', onReference: vi.fn(), ...change,
  };
  return { props, ...render(<SelectorsTab {...props} />) };
}

describe('reasons', () => {
  it('tell protection, completion with residual, and a rule apart', () => {
    const words = (selector: number): string[] => rowReasons(report, report.selectors[selector]!).map(reasonWords);
    expect(words(0)[3]).toBe('protected: nearest to the goal');
    expect(words(0)[19]).toBe('protected: recent, execution state');
    expect(words(0)[7]).toBe('completion 1, residual 0.612');
    expect(words(0)[0]).toBe('left out');
    expect(words(1)[4]).toBe('kept by its rule');
    // Recency protects nothing: that a block is in a protected group is not why it keeps it.
    expect(words(2)[19]).toBe('kept by its rule, residual 1.000');
  });

  it('find what only one selector keeps', () => {
    expect(Object.fromEntries(onlyKept(report))).toEqual({ gem: [1], random: [4, 9], recency: [15, 16, 17], 'max-gain': [2] });
  });

  it('print differences with their sign and none for the reference', () => {
    const [gem, , recency] = report.selectors;
    const column = (key: string) => METRIC_COLUMNS.find((entry) => entry.key === key)!;
    expect(metricDifference(recency!, gem, column('top3'))).toBe('−0.67');
    expect(metricDifference(recency!, gem, column('tokens'))).toBe('+1\u202f245');
    expect(metricDifference(recency!, gem, column('finalProjection'))).toBe('');
    expect(metricDifference(gem!, gem, column('top3'))).toBe('');
  });
});

describe('the table as text', () => {
  it('holds every number unrounded, unknown empty, and the kept blocks', () => {
    const [head, gem] = selectorTable(report);
    expect(head).toEqual(['selector', 'k', 'kept', 'top3', 'top3Older', 'actionProjection', 'finalProjection', 'goalProjection', 'centroid', 'coverage', 'tokens', 'stopped by', 'blocks']);
    expect(gem).toEqual(['gem', 5, 5, 1, 0.5, 0.5, null, 0.2, 0.98, 0.9, 3224, 'capacity reached', '1 3 7 18 19']);
  });
});

describe('columns', () => {
  it('are all in the page up to 100 and a window of them beyond', () => {
    expect(columnWindow(100, 5, 900, 800)).toEqual({ from: 0, to: 100 });
    const window = columnWindow(5000, 5, 10_000, 800);
    expect(window.from).toBeLessThanOrEqual(2000);
    expect(window.to).toBeGreaterThanOrEqual(2160);
    expect(window.to - window.from).toBeLessThan(320);
    expect(columnWindow(5000, 5, 24_900, 800).to).toBe(5000);
    // Not laid out yet: what is near the start.
    expect(columnWindow(5000, 5, 0, -700)).toEqual({ from: 0, to: 20 });
  });

  it('in view are in the page at every scroll position, at every width of a cell', () => {
    for (const cellPx of [5, 9, 18]) {
      for (let scrollLeft = 0; scrollLeft < 500 * cellPx - 430; scrollLeft += 37) {
        const { from, to } = columnWindow(500, cellPx, windowScroll(scrollLeft), 430);
        expect(from).toBeLessThanOrEqual(Math.floor(scrollLeft / cellPx));
        expect(to).toBeGreaterThanOrEqual(Math.min(500, Math.ceil((scrollLeft + 430) / cellPx)));
      }
    }
  });

  it('hold the tab stop wherever it is, in order and once', () => {
    expect(shownColumns({ from: 5, to: 8 }, null)).toEqual([5, 6, 7]);
    expect(shownColumns({ from: 5, to: 8 }, 6)).toEqual([5, 6, 7]);
    expect(shownColumns({ from: 5, to: 8 }, 0)).toEqual([0, 5, 6, 7]);
    expect(shownColumns({ from: 5, to: 8 }, 8)).toEqual([5, 6, 7, 8]);
  });

  it('come into view from either side and stay where they are in view', () => {
    expect(scrollToColumn(143, 5, 0, 300)).toBe(146 * 5 - 300);
    expect(scrollToColumn(0, 5, 430, 300)).toBe(0);
    expect(scrollToColumn(50, 5, 430, 300)).toBe(240);
    expect(scrollToColumn(100, 5, 430, 300)).toBe(430);
  });

  it('are never too narrow to point at', () => {
    expect(cellWidth(365, 600)).toBe(5);
    expect(cellWidth(20, 600)).toBe(18);
    expect(cellWidth(0, 600)).toBe(14);
  });
});

describe('the tab', () => {
  it('is a grid with rows named by selector and cells by block and reason', () => {
    show();
    const grid = screen.getByRole('grid', { name: 'Selector comparison' });
    expect(within(grid).getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['gem', 'random', 'recency', 'max-gain']);
    expect(within(grid).getByRole('gridcell', { name: 'block 7, completion 1, residual 0.612, among the three nearest to the next action' })).toBeTruthy();
    expect(within(grid).getAllByRole('gridcell', { name: /^block 0, left out$/ })).toHaveLength(4);
  });

  it('says in the title line step, k, encoder and that it is approximate', () => {
    show();
    const title = screen.getByText('Kept interaction blocks by selector').parentElement?.textContent;
    for (const part of ['step 21', 'checkpoint 20 blocks', 'k = 5', 'natural size', 'τ 0.90', 'seed 0', '≈ approximate']) expect(title).toContain(part);
    expect(screen.getByText(/no selector sees them/)).toBeTruthy();
  });

  it('selects a block by click and by keyboard, with one tab stop', () => {
    const { props } = show();
    const rows = screen.getAllByRole('row').slice(1);
    const first = within(rows[0]!).getAllByRole('gridcell')[0]!;
    expect(screen.getAllByRole('gridcell').filter((cell) => cell.tabIndex === 0)).toEqual([first]);
    fireEvent.click(within(rows[1]!).getByRole('gridcell', { name: /^block 4,/ }));
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(4);
    first.focus();
    fireEvent.keyDown(first, { key: 'ArrowDown' });
    fireEvent.keyDown(document.activeElement!, { key: 'End' });
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^block 19, protected/);
    expect(document.activeElement?.closest('[role=row]')?.textContent).toContain('random');
    fireEvent.keyDown(document.activeElement!, { key: 'Enter' });
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(19);
  });

  it('keeps one tab stop on a long history, and End and Home reach its ends', () => {
    const long: SelectReport = { ...report, checkpoint: 500, blocks: Array.from({ length: 500 }, (_, index) => ({ index, messageIndices: [], chars: 10, tokens: 100, hash: '' })) };
    const { rerender, props } = show({ report: long });
    const grid = screen.getByRole('grid', { name: 'Selector comparison' });
    const cells = (): HTMLElement[] => [...grid.querySelectorAll<HTMLElement>('[data-index]')];
    const stops = (): (string | undefined)[] => cells().filter((cell) => cell.tabIndex === 0).map((cell) => cell.dataset['index']);
    expect(grid.getAttribute('aria-colcount')).toBe(String(500 + 12));
    expect(cells().length).toBeLessThan(4 * 120);
    cells()[0]!.focus();
    fireEvent.keyDown(document.activeElement!, { key: 'End' });
    expect(document.activeElement?.getAttribute('aria-colindex')).toBe('501');
    expect(stops()).toEqual(['499']);
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowDown' });
    expect(document.activeElement?.closest('[role=row]')?.textContent).toContain('random');
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowLeft' });
    expect(stops()).toEqual(['498']);
    fireEvent.keyDown(document.activeElement!, { key: 'Enter' });
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(498);
    // A report with fewer blocks still has its stop; every column index is there once a row.
    rerender(<SelectorsTab {...props} report={report} />);
    expect(stops()).toEqual(['19']);
    const columns = within(grid).getAllByRole('row')[1]!.querySelectorAll('[aria-colindex]');
    expect([...columns].map((cell) => Number(cell.getAttribute('aria-colindex')))).toEqual(Array.from({ length: 32 }, (_, i) => i + 1));
  });

  it('sends k from the spin button and goes back to the natural size', () => {
    const { props } = show();
    const dial = screen.getByRole('spinbutton', { name: 'k' });
    expect((dial as HTMLInputElement).value).toBe('5');
    fireEvent.change(dial, { target: { value: '8' } });
    expect(props.onSettings).toHaveBeenLastCalledWith({ ...settings, k: 8 });
    fireEvent.change(dial, { target: { value: '900' } });
    fireEvent.change(dial, { target: { value: '' } });
    expect(props.onSettings).toHaveBeenCalledTimes(1);
    fireEvent.click(screen.getByRole('button', { name: 'natural size' }));
    expect(props.onSettings).toHaveBeenLastCalledWith({ ...settings, k: 5 });
  });

  it('lists what only the chosen selector keeps', () => {
    const { props } = show();
    fireEvent.change(screen.getByRole('combobox', { name: 'Selector whose own blocks are listed' }), { target: { value: 'recency' } });
    fireEvent.click(screen.getByRole('button', { name: '16' }));
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(16);
  });

  it('never lets gem stand without random, recency and max-gain', () => {
    const { props } = show();
    expect((screen.getByRole('checkbox', { name: /^recency/ }) as HTMLInputElement).disabled).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: /^uniform/ }));
    expect(props.onSettings).toHaveBeenLastCalledWith({ ...settings, selectors: ['gem', 'random', 'recency', 'uniform', 'max-gain'] });
  });

  it('has a sentence and a next action in every other state', () => {
    const onRetry = vi.fn();
    show({ report: null, status: { state: 'failed', message: 'the hash differs' }, onRetry });
    expect(screen.getByRole('alert').textContent).toContain('the hash differs');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledOnce();
    cleanup();
    show({ report: null, status: { state: 'no-vectors', done: 3, total: 20 } });
    expect(screen.getByRole('progressbar', { name: 'Blocks embedded' }).getAttribute('value')).toBe('3');
    cleanup();
    show({ report: null, status: { state: 'too-small', blocks: 11 } });
    expect(screen.getByText('11 of 16 interaction blocks')).toBeTruthy();
    cleanup();
    show({ report: null, status: { state: 'cancelled', done: 3, total: 20 }, onEmbed: onRetry });
    expect(screen.getByRole('button', { name: 'Go on' })).toBeTruthy();
  });
});
