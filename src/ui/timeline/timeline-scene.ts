/** Draws the two layers of the timeline. The static one only when the data, the view, the size or the theme changed. */
import { compositionColumns } from '../../core/layout/composition';
import { placeEvents, type PlacedEvent } from '../../core/layout/event-marks';
import { placeArcs, type Arc } from '../../core/layout/evidence-arcs';
import { lifelineBars, placeMarks } from '../../core/layout/lifeline-window';
import { SWATCH_LETTERS, swatchOfBlock } from '../../core/layout/names';
import { rowScale, type RowScale } from '../../core/layout/row-scale';
import { fitView, type TimeScale, type TimeView } from '../../core/layout/time-scale';
import { timelineFrame, type HitContext, type TimelineFrame } from '../../core/layout/timeline-frame';
import { SWATCHES } from '../../core/workspace/types';
import { drawArcs } from '../../draw/arcs';
import { drawComposition } from '../../draw/composition';
import { drawEvents } from '../../draw/events';
import { drawEventTotals, drawRowNames, drawStatusLegend, drawStepAxis } from '../../draw/frame-labels';
import { drawLifelines } from '../../draw/lifelines';
import { drawOverlay } from '../../draw/overlay';
import type { Palette } from '../../draw/palette';
import type { PatternCache } from '../../draw/patterns';
import type { Device } from '../../draw/surface';
import { TextMeasurer } from '../../draw/text';
import type { ArcMode } from '../../state/view';
import { blockId, type TimelineModel } from './timeline-data';

/** Glyphs of one kind nearer than this are counted into one. */
const GLYPH_PX = 9;
const RING_PX = 6;
/** More arcs than this cannot be told apart, and would take longer than a frame. */
const MAX_FAINT_ARCS = 4000;
const MAX_ARCS = 400;

export interface OverlayState {
  step: number;
  selectedBlock: number | null;
  hoverRow: number | null;
  hoverStep: number | null;
  brush: { from: number; to: number } | null;
  /** Replay indices. */
  brushedBlocks: readonly number[];
}

export class TimelineScene {
  private readonly text = new TextMeasurer();
  view: TimeView = fitView(1);
  /** null = all rows fitted into the pane. */
  rowHeight: number | null = null;
  scroll = 0;
  frame: TimelineFrame = timelineFrame(800, 300);
  placed: PlacedEvent[] = [];
  arcs: ArcMode = 'off';
  /** All arcs are gathered in slices: draw again where this is false. */
  gathered = true;

  constructor(public model: TimelineModel) {
    this.view = fitView(model.replay.steps.n);
  }

  time(): TimeScale {
    return { view: this.view, left: this.frame.left, width: this.frame.plotWidth };
  }

  rows(): RowScale {
    return rowScale(this.model.lines.rows, this.frame.lifelines.top, this.frame.lifelines.height, this.rowHeight, this.scroll);
  }

  hitContext(): HitContext {
    return { frame: this.frame, time: this.time(), rows: this.rows(), steps: this.model.replay.steps, tokenMax: this.model.axis.max, lines: this.model.lines, events: this.placed };
  }

  drawStatic(device: Device, palette: Palette, patterns: PatternCache): void {
    const { model, frame } = this;
    const { surface, pixelRatio } = device;
    const time = this.time();
    const rows = this.rows();
    const { replay, blocks, facts } = model;
    surface.fillStyle = palette.surface;
    surface.fillRect(0, 0, frame.width, frame.height);
    drawComposition(device, palette, patterns, { frame, time, axis: model.axis, columns: compositionColumns(replay.steps, time, pixelRatio), budget: replay.budget, measured: facts.measuredInput });
    this.placed = placeEvents(model.marks, time, GLYPH_PX);
    drawEvents(device, palette, frame, this.placed);
    drawEventTotals(device, palette, this.text, frame, model.counts, model.inferred);
    drawStepAxis(device, palette, this.text, frame, time, replay.steps.n);
    if (frame.lifelines.height === 0) return;
    const bars = lifelineBars(model.lines, time, rows, pixelRatio);
    drawLifelines(device, palette, patterns, { frame, rows, bars, rings: placeMarks(model.lines.rings, time, rows, RING_PX), pins: placeMarks(model.lines.pins, time, rows, RING_PX) });
    if (this.arcs === 'all') {
      this.gathered = model.arcs.gather();
      drawArcs(device, palette, frame, placeArcs(model.arcs.all, time, rows, MAX_FAINT_ARCS).placed, true);
    } else this.gathered = true;
    drawRowNames(device, palette, frame, rows, (row) => {
      const block = model.lines.blockOfRow[row] ?? 0;
      const swatch = SWATCHES[swatchOfBlock(replay.blocks, blocks, block)];
      return rows.rowHeight >= 12 && swatch ? `${blockId(block)} ${SWATCH_LETTERS[swatch]}` : blockId(block);
    });
    drawStatusLegend(device, palette, patterns, this.text, frame, frame.lifelines.top + 24, SWATCHES.indexOf('tool_result'));
  }

  drawOverlay(device: Device, palette: Palette, state: OverlayState): void {
    const { model } = this;
    const { replay } = model;
    const step = Math.min(Math.max(1, state.step), Math.max(1, replay.steps.n));
    const selectedRow = state.selectedBlock === null ? null : (model.lines.rowOfBlock[state.selectedBlock] ?? null);
    const arcs = this.arcsOf(step, state.selectedBlock);
    drawOverlay(device, palette, this.text, {
      arcs: placeArcs(arcs, this.time(), this.rows(), MAX_ARCS).placed,
      frame: this.frame, time: this.time(), rows: this.rows(), axis: model.axis, steps: replay.steps, budget: replay.budget, measured: model.facts.measuredInput,
      step, approx: model.approx, selectedRow, hoverRow: state.hoverRow, hoverStep: state.hoverStep, brush: state.brush, brushedRows: state.brushedBlocks.flatMap((block) => model.lines.rowOfBlock[block] ?? []),
      blockCount: { visible: model.blockCount.visible[step - 1] ?? 0, born: model.blockCount.born[step - 1] ?? 0 },
    });
  }

  /** Who used the selected block; without one, what the call at the playhead used. */
  private arcsOf(step: number, selected: number | null): Arc[] {
    if (this.arcs === 'off' || this.frame.lifelines.height === 0) return [];
    return selected === null ? this.model.arcs.ofStep(step) : this.model.arcs.ofBlock(selected);
  }
}
