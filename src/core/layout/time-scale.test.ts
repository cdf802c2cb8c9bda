import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampView, fitView, MIN_SPAN_STEPS, panView, revealStep, snap, stepAtX, stepToX, xToStep, zoomView } from './time-scale';

const steps = fc.integer({ min: 1, max: 20_000 });
const anyView = fc.record({ from: fc.double({ min: -1e5, max: 1e5, noNaN: true }), to: fc.double({ min: -1e5, max: 1e5, noNaN: true }) });

describe('time scale', () => {
  it('puts step t in the middle of its column', () => {
    const scale = { view: fitView(10), left: 100, width: 1000 };
    expect(stepToX(scale, 1)).toBe(150);
    expect(stepToX(scale, 10)).toBe(1050);
    expect(stepAtX(scale, 199, 10)).toBe(1);
    expect(stepAtX(scale, 201, 10)).toBe(2);
    expect(stepAtX(scale, -50, 10)).toBe(1);
    expect(stepAtX(scale, 5000, 10)).toBe(10);
  });

  it('turns back into steps what it made pixels of', () => {
    fc.assert(fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (n, share) => {
      const scale = { view: fitView(n), left: 72, width: 1234 };
      const step = 0.5 + share * n;
      expect(xToStep(scale, stepToX(scale, step))).toBeCloseTo(step, 6);
    }));
  });

  it('never leaves the run nor gets narrower than the least span', () => {
    fc.assert(fc.property(steps, anyView, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (n, view, factor) => {
      for (const next of [clampView(view, n), zoomView(clampView(view, n), n, factor, 1 + n / 3), panView(clampView(view, n), n, factor)]) {
        expect(next.from).toBeGreaterThanOrEqual(0.5 - 1e-9);
        expect(next.to).toBeLessThanOrEqual(n + 0.5 + 1e-9);
        expect(next.to - next.from).toBeGreaterThanOrEqual(Math.min(MIN_SPAN_STEPS, n) - 1e-6);
      }
    }));
  });

  it('keeps what is under the pointer there while zooming away from the edges', () => {
    const view = { from: 200, to: 800 };
    const anchor = 350;
    const next = zoomView(view, 1000, 0.5, anchor);
    expect((anchor - next.from) / (next.to - next.from)).toBeCloseTo((anchor - view.from) / (view.to - view.from), 9);
    expect(next.to - next.from).toBeCloseTo(300, 9);
  });

  it('moves just far enough to show a step, and not at all when it is in view', () => {
    const view = { from: 100, to: 200 };
    expect(revealStep(view, 1000, 150)).toBe(view);
    expect(revealStep(view, 1000, 260)).toEqual({ from: 161.5, to: 261.5 });
    expect(revealStep(view, 1000, 1).from).toBe(0.5);
  });

  it('survives views that are no numbers', () => {
    expect(clampView({ from: NaN, to: NaN }, 50)).toEqual(fitView(50));
  });

  it('snaps to the pixels of the device', () => {
    expect(snap(10.3, 1)).toBe(10);
    expect(snap(10.3, 2)).toBe(10.5);
  });
});
