// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GeometryReport } from '../../core/selection/types';
import { cumulativeShares, geometrySentence, interval, intervalWords, nonZeroDirections } from './geometry-words';
import { GeometryTab, type GeometryTabProps } from './GeometryTab';

afterEach(cleanup);

const report: GeometryReport = {
  encoder: { id: 'minilm-l6-v2-int8@1', dim: 384, sha256: null }, checkpoint: 4,
  spectrum: { energy: [6, 3, 1, 0], erank: 2.4, erankSingular: 2.8, r90: 2, r90Share: 0.5, featureShift: { erank: [3, 3.2, 3.1], r90: [3, 3, 3], seed: 0 }, gaussian: { erank: [3.4], r90: [3], seed: 0 } },
  coverage: [0.5, 0.8, 0.95], ceiling: [0.6, 0.9, 1], rankBands: [0.4, 0.2, 0.2, 0.1, 0.1], map: [0, 0, 1, 0, 0, 1, -1, -1],
};

function show(change: Partial<GeometryTabProps> = {}) {
  const props: GeometryTabProps = {
    report, overTime: { checkpoints: [2, 3, 4], erank: [1, 2, 2.4], r90Share: [0.5, 0.6, 0.5], shiftErank: [1, 2.4, 3.1] }, status: { state: 'ready' }, encoder: 'minilm-l6-v2-int8@1',
    step: 9, checkpoint: 4, selected: 1, onSelectBlock: vi.fn(), keptSets: [{ selector: 'gem', kept: [1, 3] }, { selector: 'recency', kept: [2, 3] }], ...change,
  };
  return { props, ...render(<GeometryTab {...props} />) };
}

describe('numbers of the geometry in words', () => {
  it('are shares that end at one, and intervals with their draws', () => {
    expect(cumulativeShares([6, 3, 1, 0])).toEqual([0.6, 0.9, 1, 1]);
    expect(cumulativeShares([0, 0])).toEqual([]);
    expect(nonZeroDirections([6, 3, 1, 1e-13])).toBe(3);
    expect(interval([])).toBeNull();
    expect(interval([3, 1, 2])).toEqual({ low: 1, high: 3, middle: 2 });
    expect(intervalWords([3, 3.2, 3.1], 1)).toBe('3.1 (3.0–3.2, 3 draws)');
  });

  it('claim shared directions only below every draw of the control', () => {
    expect(geometrySentence(report)).toContain('Below every draw');
    expect(geometrySentence({ ...report, spectrum: { ...report.spectrum, erank: 3.05 } })).toContain('Within or above');
  });
});

describe('the tab', () => {
  it('has a title line with quantity, step and encoder on every chart', () => {
    const { container } = show();
    const titles = [...container.querySelectorAll('figcaption')].map((caption) => caption.textContent ?? '');
    expect(titles.map((title) => title.split(' ')[0])).toEqual(['Spectrum', 'Coverage', 'Effective', 'r₉₀', 'Map', 'Next']);
    for (const title of titles) {
      expect(title).toContain('MiniLM (int8)');
      expect(title).not.toContain('approximate');
    }
    expect(titles[0]).toContain('step 9, 4 blocks');
    expect(titles[5]).toContain('measured afterwards');
  });

  it('marks an approximate encoder in every title line', () => {
    const { container } = show({ report: { ...report, encoder: { ...report.encoder, id: 'static-minilm-384@1' } } });
    for (const caption of container.querySelectorAll('figcaption')) expect(caption.textContent).toContain('≈ approximate');
  });

  it('walks over blocks with the arrow keys on the map', () => {
    const { props } = show();
    const map = screen.getByRole('group', { name: /^Map of blocks/ });
    fireEvent.keyDown(map, { key: 'ArrowRight' });
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(2);
    fireEvent.keyDown(map, { key: 'ArrowLeft' });
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(0);
  });

  it('outlines the set that is chosen', () => {
    show();
    expect(screen.getByText(/kept by gem \(2\)/)).toBeTruthy();
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'recency' } });
    expect(screen.getByText(/kept by recency \(2\)/)).toBeTruthy();
  });

  it('shows brushed blocks by name and selects from them', () => {
    const { props } = show({ brushed: [3, 1] });
    fireEvent.click(screen.getByRole('button', { name: '3' }));
    expect(props.onSelectBlock).toHaveBeenLastCalledWith(3);
  });

  it('keeps the older report while a newer one is computed, and says so', () => {
    const { container } = show({ status: { state: 'loading' } });
    expect(screen.getByText('updating…')).toBeTruthy();
    expect(container.querySelectorAll('figcaption')).toHaveLength(6);
  });

  it('keeps its shape before there are vectors', () => {
    const { container } = show({ report: null, status: { state: 'no-vectors', done: 1, total: 4 } });
    expect(screen.getByText(/1 of 4 blocks/)).toBeTruthy();
    expect(container.querySelectorAll('.chart-skeleton')).toHaveLength(4);
  });
});
