/**
 * Owns the canvases of one timeline between React renders: sizes, frames, pointer, wheel and keys. A moving playhead
 * redraws the overlay alone and renders nothing in React.
 */
import { revealRow } from '../../core/layout/row-scale';
import { fitView, panView, revealStep, stepAtX, xToStep, zoomView, type TimeView } from '../../core/layout/time-scale';
import { hitTimeline, timelineFrame } from '../../core/layout/timeline-frame';
import { readPalette, type Palette } from '../../draw/palette';
import { canvasPatternMaker, PatternCache } from '../../draw/patterns';
import { fitCanvas } from '../../draw/surface';
import { showCard } from '../charts/card';
import { timelineCard } from './timeline-cards';
import type { TimelineModel } from './timeline-data';
import { CLICK_SLOP_PX, dragMode, type DragMode } from './timeline-gestures';
import type { ArcMode } from '../../state/view';
import { TimelineScene, type OverlayState } from './timeline-scene';

export interface TimelineElements { host: HTMLElement; base: HTMLCanvasElement; overlay: HTMLCanvasElement; card: HTMLElement }
export interface TimelineCallbacks {
  onStep: (step: number) => void;
  onSelectBlock: (block: number | null) => void;
  /** What can be done to a block, asked for at a place in the window. */
  onBlockMenu?: (block: number, x: number, y: number) => void;
  /** Shift and click on a lifeline: put into the brush or taken out. */
  onBrushBlock?: (block: number) => void;
  /** The visible range after a zoom, pan or brush; whole steps. */
  onRange?: (from: number, to: number) => void;
}

const ZOOM = 1.35;
const PAN_SHARE = 0.2;

export class TimelineController {
  readonly scene: TimelineScene;
  private readonly state: OverlayState = { step: 1, selectedBlock: null, hoverRow: null, hoverStep: null, brush: null, brushedBlocks: [] };
  private palette: Palette;
  private patterns: PatternCache;
  private frameRequest = 0;
  private baseIsStale = true;
  private pixelRatio = 1;
  private drag: { mode: DragMode; x: number; y: number; lastX: number; lastY: number; moved: boolean } | null = null;
  private pendingStep: number | null = null;
  private readonly release = new AbortController();

  /** null where the browser gives no 2-D canvas: the name of the host still says in words what would be drawn. */
  static create(elements: TimelineElements, model: TimelineModel, callbacks: TimelineCallbacks): TimelineController | null {
    const base = elements.base.getContext('2d', { alpha: false });
    const overlay = elements.overlay.getContext('2d');
    return base && overlay ? new TimelineController(elements, model, callbacks, base, overlay) : null;
  }

  private constructor(
    private readonly elements: TimelineElements, model: TimelineModel, private callbacks: TimelineCallbacks,
    private readonly baseContext: CanvasRenderingContext2D, private readonly overlayContext: CanvasRenderingContext2D,
  ) {
    this.scene = new TimelineScene(model);
    this.palette = readPalette(elements.host);
    this.patterns = new PatternCache(canvasPatternMaker(baseContext));
    this.listen();
    this.measure();
    // The first picture comes in a task of its own, in the frame that shows the canvas first: a long run takes some time to draw.
    this.schedule();
  }

  dispose(): void {
    this.release.abort();
    cancelAnimationFrame(this.frameRequest);
  }

  setCallbacks(callbacks: TimelineCallbacks): void {
    this.callbacks = callbacks;
  }

  /** A new replay of the same run keeps the view; another run is fitted. */
  setModel(model: TimelineModel): void {
    if (model === this.scene.model) return;
    if (model.replay.steps.n !== this.scene.model.replay.steps.n) this.scene.view = fitView(model.replay.steps.n);
    this.scene.model = model;
    this.invalidate();
  }

  setTheme(): void {
    this.palette = readPalette(this.elements.host);
    this.patterns = new PatternCache(canvasPatternMaker(this.baseContext));
    this.invalidate();
  }

  setStep(step: number): void {
    if (this.state.step === step) return;
    this.state.step = step;
    const view = revealStep(this.scene.view, this.scene.model.replay.steps.n, step);
    if (this.drag === null && view !== this.scene.view) this.setView(view);
    else this.schedule();
  }

  setSelected(block: number | null): void {
    if (this.state.selectedBlock === block) return;
    this.state.selectedBlock = block;
    const row = block === null ? -1 : (this.scene.model.lines.rowOfBlock[block] ?? -1);
    if (row >= 0) this.setScroll(revealRow(this.scene.rows(), row));
    this.schedule();
  }

  /** Replay indices whose rows are marked. */
  setBrushed(blocks: readonly number[]): void {
    this.state.brushedBlocks = blocks;
    this.schedule();
  }

  setArcs(arcs: ArcMode): void {
    if (arcs === this.scene.arcs) return;
    this.scene.arcs = arcs;
    this.invalidate();
  }

  setRowHeight(px: number | null): void {
    if (px === this.scene.rowHeight) return;
    const middle = this.state.selectedBlock === null ? null : (this.scene.model.lines.rowOfBlock[this.state.selectedBlock] ?? null);
    this.scene.rowHeight = px;
    const rows = this.scene.rows();
    this.scene.scroll = middle === null ? rows.scroll : revealRow(rows, middle);
    this.invalidate();
  }

  fit(): void {
    this.setView(fitView(this.scene.model.replay.steps.n));
  }
  /** `direction` 1 = in, −1 = out, about the pointer or the playhead. */
  zoom(direction: 1 | -1): void {
    const { view } = this.scene;
    const { step } = this.state;
    const anchor = step >= view.from && step <= view.to ? step : (view.from + view.to) / 2;
    this.setView(zoomView(view, this.scene.model.replay.steps.n, direction === 1 ? 1 / ZOOM : ZOOM, anchor));
  }
  pan(direction: 1 | -1): void {
    const { view } = this.scene;
    this.setView(panView(view, this.scene.model.replay.steps.n, direction * PAN_SHARE * (view.to - view.from)));
  }

  resize(): void {
    const { width, height } = this.scene.frame;
    const { host } = this.elements;
    // An observer tells the first size too.
    if (width === Math.max(1, host.clientWidth) && height === Math.max(1, host.clientHeight) && this.pixelRatio === (window.devicePixelRatio || 1)) return;
    this.measure();
    // At once, not at the next frame: a canvas that was resized is empty.
    this.paint();
  }

  private measure(): void {
    const { host, base, overlay } = this.elements;
    this.pixelRatio = window.devicePixelRatio || 1;
    const width = Math.max(1, host.clientWidth);
    const height = Math.max(1, host.clientHeight);
    fitCanvas(base, width, height, this.pixelRatio);
    fitCanvas(overlay, width, height, this.pixelRatio);
    this.scene.frame = timelineFrame(width, height);
    this.baseIsStale = true;
  }

  private setView(view: TimeView): void {
    this.scene.view = view;
    this.callbacks.onRange?.(Math.ceil(view.from), Math.floor(view.to));
    this.invalidate();
  }

  private setScroll(scroll: number): void {
    const before = this.scene.scroll;
    this.scene.scroll = scroll;
    this.scene.scroll = this.scene.rows().scroll;
    if (this.scene.scroll !== before) this.invalidate();
  }

  private invalidate(): void {
    this.baseIsStale = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.frameRequest === 0) this.frameRequest = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    cancelAnimationFrame(this.frameRequest);
    this.frameRequest = 0;
    if (this.pendingStep !== null) {
      const step = this.pendingStep;
      this.pendingStep = null;
      this.callbacks.onStep(step);
    }
    const { pixelRatio } = this;
    if (this.baseIsStale) {
      this.baseIsStale = false;
      this.baseContext.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
      this.scene.drawStatic({ surface: this.baseContext, pixelRatio }, this.palette, this.patterns);
      // The rest of a long run's arcs comes in the next frames.
      if (!this.scene.gathered) this.invalidate();
    }
    this.overlayContext.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
    this.scene.drawOverlay({ surface: this.overlayContext, pixelRatio }, this.palette, this.state);
  }

  private listen(): void {
    const { host } = this.elements;
    const { signal } = this.release;
    host.addEventListener('pointerdown', (event) => this.onDown(event), { signal });
    host.addEventListener('pointermove', (event) => this.onMove(event), { signal });
    host.addEventListener('pointerup', (event) => this.onUp(event), { signal });
    host.addEventListener('pointercancel', () => this.endDrag(), { signal });
    host.addEventListener('pointerleave', () => this.clearHover(), { signal });
    host.addEventListener('contextmenu', (event) => this.onContextMenu(event), { signal });
    host.addEventListener('dblclick', () => this.fit(), { signal });
    host.addEventListener('keydown', (event) => this.onKey(event), { signal });
    // Not passive: the page must not scroll while the timeline zooms.
    host.addEventListener('wheel', (event) => this.onWheel(event), { signal, passive: false });
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const bounds = this.elements.host.getBoundingClientRect();
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
  }

  private moveStep(x: number): void {
    const step = stepAtX(this.scene.time(), x, this.scene.model.replay.steps.n);
    if (step === this.state.step) return;
    this.state.step = step;
    this.pendingStep = step;
    this.schedule();
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { x, y } = this.at(event);
    const start = dragMode(this.scene.hitContext(), this.state.step, x, y, event.shiftKey);
    if (!start) return;
    this.elements.host.setPointerCapture(event.pointerId);
    this.drag = { mode: start.mode, x, y, lastX: x, lastY: y, moved: false };
    this.hideCard();
    if (start.mode === 'playhead') this.moveStep(x);
  }

  private onMove(event: PointerEvent): void {
    const { x, y } = this.at(event);
    const { drag, scene } = this;
    if (!drag) return this.hover(x, y);
    if (Math.hypot(x - drag.x, y - drag.y) >= CLICK_SLOP_PX) drag.moved = true;
    if (drag.mode === 'playhead') this.moveStep(x);
    else if (drag.moved && drag.mode === 'brush') {
      const steps = scene.model.replay.steps.n;
      this.state.brush = { from: stepAtX(scene.time(), drag.x, steps), to: stepAtX(scene.time(), x, steps) };
      this.schedule();
    } else if (drag.moved && drag.mode === 'pan') {
      const perPixel = (scene.view.to - scene.view.from) / scene.frame.plotWidth;
      this.setScroll(scene.scroll - (y - drag.lastY));
      this.setView(panView(scene.view, scene.model.replay.steps.n, -(x - drag.lastX) * perPixel));
    } else if (drag.mode === 'scroll') {
      const rows = scene.rows();
      this.setScroll(scene.scroll + ((y - drag.lastY) * rows.rows * rows.rowHeight) / rows.height);
    }
    drag.lastX = x;
    drag.lastY = y;
  }

  private onUp(event: PointerEvent): void {
    const { drag, scene } = this;
    const { x, y } = this.at(event);
    const brush = this.state.brush;
    this.endDrag();
    if (!drag) return;
    if (drag.mode === 'brush' && brush && drag.moved) {
      this.setView(zoomTo(brush, scene.model.replay.steps.n));
      return;
    }
    if (drag.moved || drag.mode === 'scroll' || drag.mode === 'playhead') return;
    const hit = hitTimeline(scene.hitContext(), x, y);
    if (hit?.band === 'lifelines' && event.shiftKey && hit.block !== null && this.callbacks.onBrushBlock) this.callbacks.onBrushBlock(hit.block);
    else if (hit?.band === 'lifelines') this.select(hit.block);
    else if (hit) this.moveStep(x);
  }

  /** By pointer: of the lifeline under it. By the menu key: of the selected block, at its row. */
  private onContextMenu(event: MouseEvent): void {
    const { scene, state, elements } = this;
    const { onBlockMenu } = this.callbacks;
    if (!onBlockMenu) return;
    const byKey = event.button !== 2;
    const { x, y } = this.at(event);
    const hit = byKey ? null : hitTimeline(scene.hitContext(), x, y);
    const block = byKey ? state.selectedBlock : hit?.band === 'lifelines' ? hit.block : null;
    if (block === null) return;
    event.preventDefault();
    this.hideCard();
    if (block !== state.selectedBlock) this.select(block);
    if (!byKey) return onBlockMenu(block, event.clientX, event.clientY);
    const bounds = elements.host.getBoundingClientRect();
    const rows = scene.rows();
    const row = scene.model.lines.rowOfBlock[block] ?? 0;
    const top = Math.min(Math.max(rows.top + (row + 1) * rows.rowHeight - rows.scroll, rows.top), bounds.height);
    onBlockMenu(block, bounds.left + scene.frame.left + 12, bounds.top + top);
  }

  private endDrag(): void {
    this.drag = null;
    this.state.brush = null;
    this.schedule();
  }

  private select(block: number | null): void {
    this.state.selectedBlock = block;
    this.callbacks.onSelectBlock(block);
    this.schedule();
  }

  private hover(x: number, y: number): void {
    const { scene, state, elements } = this;
    const hit = hitTimeline(scene.hitContext(), x, y);
    const start = dragMode(scene.hitContext(), state.step, x, y, false);
    elements.host.style.cursor = start === null ? 'default' : { playhead: 'ew-resize', brush: 'crosshair', pan: 'pointer', scroll: 'ns-resize' }[start.mode];
    state.hoverRow = hit?.band === 'lifelines' && hit.block !== null ? hit.row : null;
    state.hoverStep = hit ? hit.step : null;
    const card = hit ? timelineCard(scene.model, hit) : null;
    if (card) showCard(elements.card, card, x, y, { width: scene.frame.width, height: scene.frame.height });
    else this.hideCard();
    this.schedule();
  }

  private hideCard(): void {
    this.elements.card.hidden = true;
  }

  private clearHover(): void {
    this.state.hoverRow = null;
    this.state.hoverStep = null;
    this.hideCard();
    this.schedule();
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.at(event);
    const { scene } = this;
    const steps = scene.model.replay.steps.n;
    const rows = scene.rows();
    const inLifelines = y >= scene.frame.lifelines.top && scene.frame.lifelines.height > 0;
    if (event.altKey && inLifelines) {
      const row = (y - rows.top + rows.scroll) / rows.rowHeight;
      scene.rowHeight = rows.rowHeight * Math.exp(-event.deltaY * 0.002);
      scene.scroll = row * scene.rows().rowHeight - (y - rows.top);
      scene.scroll = scene.rows().scroll;
      this.invalidate();
    } else if (event.shiftKey || (x < scene.frame.left && inLifelines)) this.setScroll(scene.scroll + (event.deltaY || event.deltaX));
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      this.setView(panView(scene.view, steps, (event.deltaX * (scene.view.to - scene.view.from)) / scene.frame.plotWidth));
    } else this.setView(zoomView(scene.view, steps, Math.exp(event.deltaY * 0.0016), xToStep(scene.time(), Math.min(Math.max(x, scene.frame.left), scene.frame.left + scene.frame.plotWidth))));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      w: () => this.zoom(1), s: () => this.zoom(-1), a: () => this.pan(-1), d: () => this.pan(1), f: () => this.fit(),
      ArrowDown: () => this.selectNeighbour(1), ArrowUp: () => this.selectNeighbour(-1),
      PageDown: () => this.setScroll(this.scene.scroll + this.scene.frame.lifelines.height), PageUp: () => this.setScroll(this.scene.scroll - this.scene.frame.lifelines.height),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    // The page has the same keys for when the focus is elsewhere.
    event.stopPropagation();
    act();
  }

  private selectNeighbour(by: 1 | -1): void {
    const { lines } = this.scene.model;
    if (lines.rows === 0) return;
    const now = this.state.selectedBlock === null ? (by === 1 ? -1 : lines.rows) : (lines.rowOfBlock[this.state.selectedBlock] ?? -1);
    const row = Math.min(lines.rows - 1, Math.max(0, now + by));
    this.setScroll(revealRow(this.scene.rows(), row));
    this.select(lines.blockOfRow[row] ?? null);
  }
}

function zoomTo(brush: { from: number; to: number }, steps: number): TimeView {
  const whole = fitView(steps);
  const from = Math.min(brush.from, brush.to) - 0.5;
  const to = Math.max(brush.from, brush.to) + 0.5;
  return zoomView({ from, to }, steps, 1, Math.min(Math.max(whole.from, (from + to) / 2), whole.to));
}
