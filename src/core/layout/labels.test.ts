import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMiddle, dropOverlapping, fitParts, placeStacked } from './labels';

const measure = (text: string): number => [...text].length * 6;

describe('text in the room there is', () => {
  it('is cut in the middle, by characters that are whole', () => {
    expect(cutMiddle('src/agent/session.ts', 200, measure)).toBe('src/agent/session.ts');
    expect(cutMiddle('src/agent/session.ts', 60, measure)).toBe('src/a…n.ts');
    expect(cutMiddle('😀😀😀😀😀', 18, measure)).toBe('😀…😀');
    expect(cutMiddle('abc', 3, measure)).toBe('');
  });

  it('never exceeds the width', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 0, max: 400 }), (text, width) => {
      expect(measure(cutMiddle(text, width, measure))).toBeLessThanOrEqual(width);
    }));
  });

  it('drops the less important parts first', () => {
    expect(fitParts(['132 archived', '3 compactions', '1 deleted'], ' · ', 180, measure)).toBe('132 archived · 3 compactions');
    expect(fitParts(['132 archived', '3 compactions'], ' · ', 72, measure)).toBe('132 archived');
  });
});

describe('stacked labels', () => {
  it('never overlap nor leave their room, whatever was asked', () => {
    const label = fc.record({ y: fc.double({ min: -50, max: 250, noNaN: true }), height: fc.integer({ min: 8, max: 28 }), importance: fc.integer({ min: 0, max: 9 }) });
    fc.assert(fc.property(fc.array(label, { maxLength: 14 }), (wanted) => {
      const labels = wanted.map((entry, i) => ({ ...entry, key: String(i) }));
      const placed = placeStacked(labels, 0, 200, 200);
      const boxes = placed.map(({ key, y }) => ({ from: y - labels[Number(key)]!.height / 2, to: y + labels[Number(key)]!.height / 2 }));
      boxes.forEach((box, i) => {
        expect(box.from).toBeGreaterThanOrEqual(-1e-6);
        expect(box.to).toBeLessThanOrEqual(200 + 1e-6);
        if (i > 0) expect(box.from).toBeGreaterThanOrEqual((boxes[i - 1]?.to ?? 0) - 1e-6);
      });
    }));
  });

  it('stay in the order of their places and share the shift', () => {
    const placed = placeStacked([{ key: 'lower', y: 51, height: 14, importance: 1 }, { key: 'upper', y: 50, height: 14, importance: 5 }, { key: 'far', y: 90, height: 14, importance: 1 }], 0, 100, 100);
    expect(placed).toEqual([{ key: 'upper', y: 43.5 }, { key: 'lower', y: 57.5 }, { key: 'far', y: 90 }]);
  });

  it('drop the least important when the room is short, and what would lie too far off', () => {
    expect(placeStacked([{ key: 'a', y: 5, height: 14, importance: 1 }, { key: 'b', y: 5, height: 14, importance: 2 }], 0, 20, 20).map(({ key }) => key)).toEqual(['b']);
    expect(placeStacked([{ key: 'a', y: 500, height: 14, importance: 1 }], 0, 100, 50)).toEqual([]);
  });

  it('keeps tick labels apart', () => {
    expect(dropOverlapping([0, 10, 40], [20, 20, 20], 4)).toEqual([true, false, true]);
  });
});
