import { useEffect, useMemo, useRef } from 'react';
import { layoutStrip } from '../../core/layout/policy-strip';
import { STRIP_EVENT, type StripColumns } from '../../core/workspace/summary';
import { drawStrip } from '../../draw/policy-strip';
import { readPalette } from '../../draw/palette';
import { canvasPatternMaker, PatternCache } from '../../draw/patterns';
import { fitCanvas } from '../../draw/surface';
import { count, plural } from '../shared/format';

interface Props { name: string; strip: StripColumns; budget: number; maxTokens: number; width: number; height: number; theme: string }

/** One canvas a policy; drawn again only when its data, the scale, its size or the theme change. */
export function PolicyStrip({ name, strip, budget, maxTokens, width, height, theme }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useMemo(() => ({ width, height, maxTokens }), [width, height, maxTokens]);
  const layout = useMemo(() => layoutStrip(strip, frame), [strip, frame]);
  useEffect(() => {
    const element = canvas.current;
    const surface = element?.getContext('2d');
    if (!element || !surface || width < 1) return;
    const pixelRatio = window.devicePixelRatio || 1;
    fitCanvas(element, width, height, pixelRatio);
    surface.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    drawStrip({ surface, pixelRatio }, readPalette(document.documentElement), new PatternCache(canvasPatternMaker(surface)), frame, layout, budget);
  }, [layout, frame, width, height, budget, theme]);
  return <canvas ref={canvas} className="strip-canvas" role="img" aria-label={stripWords(name, strip, budget)} style={{ width, height }} />;
}

/** The drawing in words. */
function stripWords(name: string, strip: StripColumns, budget: number): string {
  const steps = { out: 0, back: 0, lost: 0, over: 0 };
  let peak = 0;
  for (let row = 0; row < strip.n; row++) {
    peak = Math.max(peak, strip.contextTokens[row] ?? 0);
    for (const kind of ['out', 'back', 'lost', 'over'] as const) if ((strip.events[row] ?? 0) & STRIP_EVENT[kind]) steps[kind]++;
  }
  return `${name}: up to ${count(peak)} tokens of a budget of ${count(budget)} over ${plural(strip.n, 'step')}; something left the context in ${count(steps.out)}, came back in ${count(steps.back)}, was needed and lost in ${count(steps.lost)}, and ${count(steps.over)} were above the budget.`;
}
