/** Evidence arcs: one path a state; state is told by hue, by dash and by the mark at the call's end. */
import { ARC_STATES, type PlacedArc } from '../core/layout/evidence-arcs';
import type { TimelineFrame } from '../core/layout/timeline-frame';
import type { Availability } from '../core/workspace/evidence-status';
import { SWATCHES } from '../core/workspace/types';
import type { Palette } from './palette';
import type { Device, Surface } from './surface';

const TOOL = SWATCHES.indexOf('tool_result');
const SUMMARY = SWATCHES.indexOf('summary');
const DASH: Record<Availability, number[]> = { visible: [], recoverable: [6, 3], lost: [2, 3] };
/** Radius of the mark at the call's end, CSS pixels. */
const END_PX = 3;

function arcColour(palette: Palette, state: Availability): string {
  if (state === 'lost') return palette.danger;
  return palette.kindInks[state === 'visible' ? TOOL : SUMMARY] ?? palette.ink;
}

/** `faint`: all arcs of the run, thin and without end marks, over bars that step back. */
export function drawArcs({ surface }: Device, palette: Palette, frame: TimelineFrame, arcs: readonly PlacedArc[], faint: boolean): void {
  if (arcs.length === 0 || frame.lifelines.height === 0) return;
  surface.save();
  surface.beginPath();
  surface.rect(frame.left, frame.lifelines.top, frame.plotWidth, frame.lifelines.height);
  surface.clip();
  if (faint) {
    // Bars of the same hue would hide them.
    surface.globalAlpha = 0.66;
    surface.fillStyle = palette.surface;
    surface.fillRect(frame.left, frame.lifelines.top, frame.plotWidth, frame.lifelines.height);
    surface.globalAlpha = 1;
  }
  for (let at = 0; at < arcs.length; ) {
    const code = arcs[at]?.state ?? 0;
    let end = at;
    while (end < arcs.length && arcs[end]?.state === code) end++;
    const state = ARC_STATES[code] ?? 'lost';
    const colour = arcColour(palette, state);
    // A line of the surface below keeps an arc apart from the bars it crosses.
    if (!faint) strokeArcs(surface, arcs, at, end, palette.surface, 3.5, []);
    surface.globalAlpha = faint ? (state === 'visible' ? 0.4 : 0.8) : 1;
    strokeArcs(surface, arcs, at, end, colour, faint ? 1 : 1.5, DASH[state]);
    surface.globalAlpha = 1;
    if (!faint) drawEnds(surface, palette, arcs, at, end, state);
    at = end;
  }
  surface.restore();
}

function strokeArcs(surface: Surface, arcs: readonly PlacedArc[], from: number, to: number, colour: string, width: number, dash: number[]): void {
  surface.strokeStyle = colour;
  surface.lineWidth = width;
  surface.setLineDash(dash);
  surface.beginPath();
  for (let i = from; i < to; i++) {
    const arc = arcs[i];
    if (arc) trace(surface, arc);
  }
  surface.stroke();
  surface.setLineDash([]);
}

/** Along the source's lifeline first, then bent to the call. */
function trace(surface: Surface, { x1, y1, x2, y2 }: PlacedArc): void {
  surface.moveTo(x1, y1);
  surface.quadraticCurveTo(x2, y1, x2, y2);
}

/** Full disc, half disc, cross: as the glyphs of the Evidence tab. */
function drawEnds(surface: Surface, palette: Palette, arcs: readonly PlacedArc[], from: number, to: number, state: Availability): void {
  surface.fillStyle = arcColour(palette, state);
  surface.strokeStyle = surface.fillStyle;
  surface.lineWidth = 1.5;
  for (let i = from; i < to; i++) {
    const arc = arcs[i];
    if (arc) drawEnd(surface, palette, arc.x2, arc.y2, state);
  }
}

function drawEnd(surface: Surface, palette: Palette, x: number, y: number, state: Availability): void {
  const colour = arcColour(palette, state);
  surface.beginPath();
  if (state === 'lost') {
    surface.moveTo(x - END_PX, y - END_PX);
    surface.lineTo(x + END_PX, y + END_PX);
    surface.moveTo(x + END_PX, y - END_PX);
    surface.lineTo(x - END_PX, y + END_PX);
    surface.stroke();
    return;
  }
  surface.arc(x, y, END_PX, 0, Math.PI * 2);
  surface.fillStyle = state === 'visible' ? colour : palette.surface;
  surface.fill();
  surface.stroke();
  if (state === 'visible') return;
  surface.beginPath();
  surface.arc(x, y, END_PX, Math.PI / 2, (Math.PI * 3) / 2);
  surface.fillStyle = colour;
  surface.fill();
}
