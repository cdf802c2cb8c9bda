/** What moves: playhead with its values, end labels, selection, hover and brush. One cheap layer above the static one. */
import type { PlacedArc } from '../core/layout/evidence-arcs';
import type { TokenAxis } from '../core/layout/composition';
import { formatCount, formatShare } from '../core/layout/format';
import { fitParts, placeStacked, type StackedLabel } from '../core/layout/labels';
import { SWATCH_LETTERS, SWATCH_WORDS } from '../core/layout/names';
import { rowToY, type RowScale } from '../core/layout/row-scale';
import { snap, stepToX, type TimeScale } from '../core/layout/time-scale';
import type { TimelineFrame } from '../core/layout/timeline-frame';
import { SWATCHES, type ReplaySteps } from '../core/workspace/types';
import { drawArcs } from './arcs';
import { tokensToY } from './composition';
import { AXIS_NAME_GAP_PX, LABEL_GAP_PX } from './frame-labels';
import type { Palette } from './palette';
import type { Device } from './surface';
import { uiFont, type TextMeasurer } from './text';

export interface OverlayDrawing {
  frame: TimelineFrame;
  time: TimeScale;
  rows: RowScale;
  axis: TokenAxis;
  steps: ReplaySteps;
  budget: number;
  measured: Float64Array;
  step: number;
  /** '≈ ' where tokens are estimated or the policy is a stand-in. */
  approx: string;
  blockCount: { visible: number; born: number };
  selectedRow: number | null;
  hoverRow: number | null;
  hoverStep: number | null;
  brush: { from: number; to: number } | null;
  /** Rows of brushed blocks. */
  brushedRows: readonly number[];
  /** Evidence of the selected block, or of the call at the playhead. */
  arcs: readonly PlacedArc[];
}

/** Height of a label line. */
const LABEL_PX = 15;
const MIN_CUT_CHARACTERS = 8;

export function drawOverlay(device: Device, palette: Palette, text: TextMeasurer, drawing: OverlayDrawing): void {
  const { surface } = device;
  const { frame } = drawing;
  surface.clearRect(0, 0, frame.width, frame.height);
  if (drawing.brush) drawBrush(device, palette, drawing, drawing.brush);
  drawBrushedRows(device, palette, drawing);
  drawRow(device, palette, drawing, drawing.hoverRow, false);
  drawRow(device, palette, drawing, drawing.selectedRow, true);
  drawArcs(device, palette, frame, drawing.arcs, false);
  if (drawing.hoverStep !== null) drawHoverStep(device, palette, drawing, drawing.hoverStep);
  drawPlayhead(device, palette, text, drawing);
  drawEndLabels(device, palette, text, drawing);
}

function drawBrush({ surface, pixelRatio }: Device, palette: Palette, { frame, time }: OverlayDrawing, brush: { from: number; to: number }): void {
  const left = snap(stepToX(time, Math.min(brush.from, brush.to) - 0.5), pixelRatio);
  const right = snap(stepToX(time, Math.max(brush.from, brush.to) + 0.5), pixelRatio);
  const top = frame.composition.top;
  const height = frame.axis.top - top;
  surface.globalAlpha = 0.14;
  surface.fillStyle = palette.accent;
  surface.fillRect(left, top, right - left, height);
  surface.globalAlpha = 1;
  surface.fillRect(left, top, 1 / pixelRatio, height);
  surface.fillRect(right - 1 / pixelRatio, top, 1 / pixelRatio, height);
}

/** A tint over the row and a tick at its left end: few pixels where rows are thin, so that many marks stay readable. */
function drawBrushedRows({ surface }: Device, palette: Palette, { frame, rows, brushedRows }: OverlayDrawing): void {
  if (brushedRows.length === 0 || frame.lifelines.height === 0) return;
  surface.save();
  surface.beginPath();
  surface.rect(0, frame.lifelines.top - 2, frame.width, frame.lifelines.height + 4);
  surface.clip();
  surface.fillStyle = palette.accent;
  for (const row of brushedRows) {
    if (row < 0) continue;
    const top = rowToY(rows, row);
    if (top + rows.rowHeight < frame.lifelines.top || top > frame.lifelines.top + frame.lifelines.height) continue;
    const height = Math.max(1, rows.rowHeight - (rows.rowHeight > 3 ? 1 : 0));
    surface.globalAlpha = 0.22;
    surface.fillRect(frame.left, top, frame.plotWidth, height);
    surface.globalAlpha = 1;
    surface.fillRect(frame.left - 5, top, 4, Math.max(2, height));
  }
  surface.restore();
}

function drawRow({ surface, pixelRatio }: Device, palette: Palette, { frame, rows }: OverlayDrawing, row: number | null, isSelected: boolean): void {
  if (row === null || row < 0 || frame.lifelines.height === 0) return;
  const top = snap(rowToY(rows, row), pixelRatio);
  const height = Math.max(3, rows.rowHeight);
  if (top + height < frame.lifelines.top || top > frame.lifelines.top + frame.lifelines.height) return;
  surface.save();
  surface.beginPath();
  surface.rect(0, frame.lifelines.top - 2, frame.width, frame.lifelines.height + 4);
  surface.clip();
  surface.fillStyle = isSelected ? palette.accent : palette.inkMuted;
  surface.globalAlpha = isSelected ? 0.16 : 0.14;
  surface.fillRect(frame.left, top - 1, frame.plotWidth, height + 1);
  surface.globalAlpha = 1;
  if (isSelected) {
    surface.fillRect(frame.left - 4, top - 1, 3, height + 1);
    surface.fillRect(frame.left, top - 1, frame.plotWidth, 1);
    surface.fillRect(frame.left, top + height - 1, frame.plotWidth, 1);
  }
  surface.restore();
}

function drawHoverStep({ surface, pixelRatio }: Device, palette: Palette, { frame, time }: OverlayDrawing, step: number): void {
  surface.fillStyle = palette.inkMuted;
  surface.globalAlpha = 0.5;
  surface.fillRect(snap(stepToX(time, step), pixelRatio), frame.composition.top, 1 / pixelRatio, frame.axis.top - frame.composition.top);
  surface.globalAlpha = 1;
}

function drawPlayhead({ surface, pixelRatio }: Device, palette: Palette, text: TextMeasurer, drawing: OverlayDrawing): void {
  const { frame, time, steps, step, budget } = drawing;
  const x = stepToX(time, step);
  const total = steps.contextTokens[step - 1] ?? 0;
  const share = budget > 0 && Number.isFinite(budget) ? ` · ${formatShare(total / budget)}` : '';
  const flag = `${drawing.approx}${formatCount(total)}${share}`;
  const font = uiFont(palette, true);
  const width = text.width(surface, font, flag) + 12;
  const isInside = x >= frame.left - 0.5 && x <= frame.left + frame.plotWidth + 0.5;
  const anchor = Math.min(Math.max(x, frame.left), frame.left + frame.plotWidth);
  surface.fillStyle = palette.accent;
  if (isInside) surface.fillRect(snap(x, pixelRatio) - 0.5, 18, 1.5, frame.axis.top - 18);
  const left = snap(Math.min(Math.max(anchor - width / 2, frame.left - 20), frame.left + frame.plotWidth - width), pixelRatio);
  surface.fillRect(left, 2, width, 17);
  surface.font = font;
  surface.fillStyle = palette.accentInk;
  surface.textAlign = 'left';
  surface.textBaseline = 'middle';
  surface.fillText(flag, left + 6, 11);
  if (!isInside) return;
  const label = formatCount(step);
  const labelWidth = text.width(surface, font, label) + 8;
  const labelLeft = Math.min(Math.max(x - labelWidth / 2, frame.left - 8), frame.left + frame.plotWidth - labelWidth);
  // Room around it: a tick label that it half covers would read as another number.
  surface.fillStyle = palette.surface;
  const clearLeft = Math.max(labelLeft - 22, frame.left - AXIS_NAME_GAP_PX + 2);
  surface.fillRect(clearLeft, frame.axis.top + 5, labelLeft + labelWidth + 22 - clearLeft, 16);
  surface.fillStyle = palette.accent;
  surface.fillRect(snap(labelLeft, pixelRatio), frame.axis.top + 3, labelWidth, 17);
  surface.fillStyle = palette.accentInk;
  surface.fillText(label, labelLeft + 4, frame.axis.top + 12);
}

interface EndLabel { letter: string; parts: string[]; colour: string; label: StackedLabel }

/** Labels sit where their areas end at the right edge; the numbers are those at the playhead. */
function drawEndLabels({ surface }: Device, palette: Palette, text: TextMeasurer, drawing: OverlayDrawing): void {
  const { frame, axis, steps, step, budget, measured, time } = drawing;
  const band = frame.composition;
  const lastStep = Math.max(1, Math.min(steps.n, Math.floor(time.view.to)));
  const labels: EndLabel[] = [];
  let sum = 0;
  SWATCHES.forEach((swatch, s) => {
    const atEnd = steps.bySwatch[(lastStep - 1) * SWATCHES.length + s] ?? 0;
    const value = steps.bySwatch[(step - 1) * SWATCHES.length + s] ?? 0;
    const middle = sum + atEnd / 2;
    sum += atEnd;
    if (atEnd === 0 && value === 0) return;
    labels.push({
      letter: SWATCH_LETTERS[swatch], colour: palette.kindInks[s] ?? palette.ink, parts: [formatCount(value), SWATCH_WORDS[swatch]],
      label: { key: swatch, y: tokensToY(band, axis.max, middle), height: LABEL_PX, importance: Math.max(value, 1) },
    });
  });
  if (budget > 0 && Number.isFinite(budget)) {
    labels.push({ letter: '', colour: palette.danger, parts: [`${axis.budgetOnScale ? '' : '↑ '}${formatCount(budget)}`, 'budget'], label: { key: 'budget', y: axis.budgetOnScale ? tokensToY(band, axis.max, budget) : band.top + 4, height: LABEL_PX, importance: 1e12 } });
  }
  const used = measured[step - 1];
  if (used !== undefined && !Number.isNaN(used)) {
    const end = measured[lastStep - 1];
    labels.push({ letter: '', colour: palette.ink, parts: [`${used > axis.max ? '↑ ' : ''}${formatCount(used)}`, 'measured'], label: { key: 'measured', y: Math.max(band.top, tokensToY(band, axis.max, end !== undefined && !Number.isNaN(end) ? end : used)), height: LABEL_PX, importance: 1e11 } });
  }
  const left = frame.left + frame.plotWidth + LABEL_GAP_PX;
  const room = frame.width - left - 6;
  const font = uiFont(palette);
  const bold = uiFont(palette, true);
  surface.textBaseline = 'middle';
  surface.textAlign = 'left';
  for (const placed of placeStacked(labels.map((entry) => entry.label), band.top - 6, band.top + band.height + 6, band.height / 2)) {
    const entry = labels.find((candidate) => candidate.label.key === placed.key);
    if (!entry) continue;
    surface.font = bold;
    surface.fillStyle = entry.colour;
    if (entry.letter) surface.fillText(entry.letter, left, placed.y);
    const [value = '', word = ''] = entry.parts;
    const indent = entry.letter ? 14 : 0;
    const valueWidth = text.width(surface, font, value);
    // A word cut to a few letters says less than the letter alone.
    const cut = fitParts([word], '', room - indent - valueWidth - 6, (part) => text.width(surface, font, part));
    const words = cut.length >= Math.min(word.length, MIN_CUT_CHARACTERS) ? cut : '';
    surface.font = font;
    surface.fillStyle = entry.letter ? palette.inkMuted : entry.colour;
    surface.fillText(words, left + indent, placed.y);
    surface.fillStyle = palette.ink;
    const wordWidth = words ? text.width(surface, font, words) + 6 : 0;
    surface.fillText(value, left + indent + wordWidth, placed.y);
  }
  if (frame.lifelines.height > 0) {
    surface.font = font;
    surface.fillStyle = palette.ink;
    const { visible, born } = drawing.blockCount;
    const counts = fitParts([`${formatCount(visible)} of ${formatCount(born)}`, 'blocks', 'visible'], ' ', room, (part) => text.width(surface, font, part));
    surface.fillText(counts, left, frame.lifelines.top + 8);
  }
}
