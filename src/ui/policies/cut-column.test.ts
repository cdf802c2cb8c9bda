import { describe, expect, it } from 'vitest';
import { cutWidth } from './cut-column';

describe('columns cut off at the right', () => {
  it('are covered from the last whole column on, with room for the mark', () => {
    expect(cutWidth([200, 80, 80, 80], 330)).toBe(50);
    expect(cutWidth([200, 80, 80, 80], 365)).toBe(85);
    expect(cutWidth([200, 80, 80, 80], 280)).toBe(80);
  });
  it('are none at the end, and nothing is hidden where not even the first fits', () => {
    expect(cutWidth([200, 80], 280)).toBeNull();
    expect(cutWidth([200, 80], 150)).toBeNull();
  });
});
