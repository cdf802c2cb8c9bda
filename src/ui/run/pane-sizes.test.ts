import { describe, expect, it } from 'vitest';
import { inspectorHeight, isWide, timelineSize } from './pane-sizes';

describe('pane sizes', () => {
  it('all three jobs fit 1024 × 700: the tabs keep at least 200 px', () => {
    const small = { width: 1024, height: 700 };
    const timeline = timelineSize({ timelinePx: null }, small).px;
    const inspector = inspectorHeight({ inspectorHeightPx: null }, small).px;
    expect(isWide(small)).toBe(false);
    // Two header rows, the progress line and the tab bar.
    expect(700 - timeline - inspector - 70 - 24 - 34).toBeGreaterThanOrEqual(140);
  });

  it('a size dragged in a large window is clamped in a small one, not forgotten', () => {
    expect(timelineSize({ timelinePx: 900 }, { width: 1920, height: 1300 }).px).toBe(900);
    expect(timelineSize({ timelinePx: 900 }, { width: 1024, height: 700 }).px).toBe(400);
  });
});
