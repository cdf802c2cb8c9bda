import { describe, expect, it } from 'vitest';
import { rowToY } from '../../core/layout/row-scale';
import { stepToX } from '../../core/layout/time-scale';
import { replay } from '../../core/workspace';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import { blockCard, timelineCard } from './timeline-cards';
import { timelineModel } from './timeline-data';
import { dragMode } from './timeline-gestures';
import { TimelineScene } from './timeline-scene';
import { timelineSummary } from './timeline-summary';

const input = inputOf(blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read !, A 30, O 300 grep, A 30, O 900 bash, A 10, O 200 bash, A 40'), [{ step: 2, sources: [3] }]);
const replayed = replay(input, { policy: 'auto-archive', budget: 1400 }, countWords);
const model = timelineModel({ replay: replayed, blocks: input.blocks, facts: input.facts, evidence: input.evidence, events: [] });
const scene = new TimelineScene(model);

describe('what a drag does', () => {
  const context = scene.hitContext();
  const { frame } = scene;
  const x = (step: number): number => stepToX(scene.time(), step);
  const mode = (px: number, py: number, shift = false): string | undefined => dragMode(context, 3, px, py, shift)?.mode;

  it('depends on where it begins', () => {
    expect(mode(x(3) + 2, frame.composition.top + 20)).toBe('playhead');
    expect(mode(x(5), frame.composition.top + 20)).toBe('brush');
    expect(mode(x(5), frame.axis.top + 5)).toBe('playhead');
    expect(mode(x(5), rowToY(scene.rows(), 3.5))).toBe('pan');
    expect(mode(x(1), rowToY(scene.rows(), 9.5))).toBe('brush');
    expect(mode(x(5), frame.composition.top + 20, true)).toBe('pan');
    expect(mode(4, frame.composition.top + 20)).toBeUndefined();
  });

  it('scrolls by its bar when rows do not fit', () => {
    const tall = new TimelineScene(model);
    tall.rowHeight = 24;
    const right = tall.frame.left + tall.frame.plotWidth;
    expect(dragMode(tall.hitContext(), 3, right + 5, tall.frame.lifelines.top + 10, false)?.mode).toBe('scroll');
  });
});

describe('cards and the summary', () => {
  it('say name, value, share, definition and source', () => {
    const card = timelineCard(model, { band: 'composition', step: 2, tokens: 300, swatch: 5 });
    expect(card).toMatchObject({ title: 'Step 2 · tool results', swatch: 'tool_result' });
    expect(card?.rows.map(([label]) => label)).toEqual(expect.arrayContaining(['tool results', 'of the window', 'whole window', 'of the budget']));
    expect(card?.definition).toContain('tools returned');
    expect(card?.source).toContain('exact, o200k_base');
  });

  it('name a block by kind and tool, its use and its status at that step', () => {
    const card = blockCard(model, 3, 6);
    expect(card.title).toBe('B4 tool result · read');
    expect(Object.fromEntries(card.rows)).toMatchObject({ tokens: '500', 'born at step': '2', 'last use': 'step 2', uses: '1', 'at step 6': 'offloaded to a placeholder' });
  });

  it('describe the drawing in words', () => {
    const words = timelineSummary(model);
    expect(words).toMatch(/^Timeline of 6 steps and \d+ blocks under auto-archive: at most 1\u202f\d{3} tokens of a budget of 1\u202f400/);
    expect(words).toContain('archived');
    expect(words).toContain('1 error');
  });

  it('mark estimates, and never call a stand-in exact', () => {
    const estimated = timelineModel({ replay: replayed, blocks: { ...input.blocks, tokensAre: 'estimated' }, facts: input.facts, evidence: input.evidence, events: [] });
    expect(estimated.approx).toBe('≈\u202f');
    expect(timelineCard(estimated, { band: 'composition', step: 2, tokens: 0, swatch: -1 })?.source).toContain('≈ estimated');
  });
});
