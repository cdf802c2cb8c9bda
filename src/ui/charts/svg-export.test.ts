// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { HEAD_PX, chartSvg, plainColour } from './svg-export';

afterEach(() => document.body.replaceChildren());

describe('a chart as a file', () => {
  it('stands alone: styles written in, title and summary inside, no class left', () => {
    const sheet = document.createElement('style');
    sheet.textContent = '.line { stroke: rgb(1, 2, 3); stroke-width: 2px; fill: none }';
    const host = document.createElement('div');
    host.innerHTML = '<svg width="300" height="100"><g class="axis"><path class="line" d="M0 0L5 5"></path></g></svg>';
    document.body.append(sheet, host);
    const svg = host.querySelector('svg')!;
    const out = chartSvg(svg, { title: 'Rank & file', what: 'step 3', summary: 'It rises.' });
    const read = new DOMParser().parseFromString(out.text, 'image/svg+xml');
    expect(read.querySelector('title')?.textContent).toBe('Rank & file: step 3');
    expect(read.querySelector('desc')?.textContent).toBe('It rises.');
    expect(read.querySelectorAll('[class], [style]')).toHaveLength(0);
    expect(read.querySelector('path')?.getAttribute('stroke')).toBe('rgb(1, 2, 3)');
    expect(out).toMatchObject({ width: 316, height: 100 + HEAD_PX + 16 });
    // The chart in the page is as it was.
    expect(svg.querySelector('path')?.getAttribute('class')).toBe('line');
  });

  it('writes mixed colours as programs read them', () => {
    expect(plainColour('color(srgb 0.5 0 1 / 0.14)')).toBe('rgba(128, 0, 255, 0.14)');
    expect(plainColour('color(srgb 1 1.2 0)')).toBe('rgb(255, 255, 0)');
    expect(plainColour('rgb(1, 2, 3)')).toBe('rgb(1, 2, 3)');
  });
});
