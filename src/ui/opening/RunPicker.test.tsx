// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { libraryRun } from '../../testing/fake-workbench';
import type { LibraryRun } from '../../workers/api';
import { RunPicker } from './RunPicker';

// The test page has no layout: the list is as high as it asks to be.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(function (this: HTMLElement) { return parseFloat(this.style.height) || 28; });
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const runs = Array.from({ length: 5000 }, (_, i) => libraryRun({ id: `f#${i}`, name: `task ${i}`, indexInFile: i, steps: i % 50, messages: 2 }));
function show(): LibraryRun[] {
  const opened: LibraryRun[] = [];
  render(<RunPicker file="many.jsonl" runs={runs} onOpen={(run) => opened.push(run)} />);
  return opened;
}
const field = (): HTMLElement => screen.getByRole('combobox', { name: 'Find a run of many.jsonl' });
const list = () => within(screen.getByRole('listbox', { name: 'Runs of many.jsonl' }));
const marked = (): string => list().getByRole('option', { selected: true }).id;

describe('picker of a file with many runs', () => {
  it('says how many there are and draws a window of them', () => {
    show();
    expect(screen.getByText(/5\D?000 runs/)).toBeTruthy();
    const options = list().getAllByRole('option');
    expect(options.length).toBeGreaterThan(3);
    expect(options.length).toBeLessThan(60);
    expect(options[0]!.getAttribute('aria-setsize')).toBe('5000');
  });

  it('is walked by the keyboard from its field; Enter opens the marked run', () => {
    const opened = show();
    expect(field().getAttribute('aria-activedescendant')).toBe(marked());
    fireEvent.keyDown(field(), { key: 'ArrowDown' });
    fireEvent.keyDown(field(), { key: 'ArrowDown' });
    fireEvent.keyDown(field(), { key: 'ArrowUp' });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(opened.map(({ name }) => name)).toEqual(['task 1']);
    expect(field().getAttribute('aria-activedescendant')).toBe(marked());
  });

  it('finds by name, says how many, and opens the first with Enter', async () => {
    const opened = show();
    fireEvent.change(field(), { target: { value: 'task 499' } });
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('15 found'));
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(opened.map(({ name }) => name)).toEqual(['task 499']);
    fireEvent.change(field(), { target: { value: 'none such' } });
    await waitFor(() => expect(screen.getByText('No run is called so.')).toBeTruthy());
    expect(screen.queryByRole('listbox')).toBeNull();
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(opened).toHaveLength(1);
  });

  it('Enter right after typing means what was typed', () => {
    const opened = show();
    fireEvent.change(field(), { target: { value: 'task 4321' } });
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(opened.map(({ name }) => name)).toEqual(['task 4321']);
  });

  it('changes its order, and a click opens', () => {
    const opened = show();
    fireEvent.change(screen.getByLabelText('Order of the runs'), { target: { value: 'steps' } });
    fireEvent.click(list().getAllByRole('option')[0]!);
    expect(opened[0]!.steps).toBe(49);
  });
});
