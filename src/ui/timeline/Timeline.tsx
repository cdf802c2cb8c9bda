import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState, type Ref } from 'react';
import { formatCount } from '../../core/layout/format';
import { TimelineController } from './timeline-controller';
import { provenance, timelineModel, type TimelineData } from './timeline-data';
import { ActionMenu, SAVE_FACE } from '../shared/ActionMenu';
import { download, fileName } from '../shared/download';
import { timelinePng } from './timeline-export';
import { nextArcs, type ArcMode } from '../../state/view';
import { timelineSummary } from './timeline-summary';
import '../charts/card.css';
import './timeline.css';

/** Where the playhead is, without rendering: `subscribe` calls back after every move and returns how to stop. */
export interface PlayheadSource { get: () => number; subscribe: (onMove: () => void) => () => void }

/** What keys and menus of the page can ask of the timeline. */
export interface TimelineHandle { fit: () => void; zoom: (direction: 1 | -1) => void; pan: (direction: 1 | -1) => void }

export interface TimelineProps extends TimelineData {
  /** The playhead from 1; `playhead` instead moves it without a React render. */
  step?: number;
  playhead?: PlayheadSource;
  /** Replay index. */
  selectedBlock: number | null;
  /** Replay indices of brushed blocks: their rows are marked. */
  brushed?: readonly number[];
  onStep: (step: number) => void;
  onSelectBlock: (block: number | null) => void;
  /** The right button, or the menu key, on a lifeline; CSS pixels in the window. */
  onBlockMenu?: (block: number, x: number, y: number) => void;
  onBrushBlock?: (block: number) => void;
  onRange?: (from: number, to: number) => void;
  /** Any value that changes with the theme: the colours are read again. */
  theme?: string;
  /** Starts collapsed to the composition alone. */
  collapsed?: boolean;
  onCollapsed?: (collapsed: boolean) => void;
  /** Evidence arcs on the lifelines. */
  arcs?: ArcMode;
  onArcs?: (arcs: ArcMode) => void;
  ref?: Ref<TimelineHandle>;
}

const ROW_CHOICES: readonly { label: string; title: string; px: number | null }[] = [
  { label: 'Fit', title: 'All blocks in the pane', px: null },
  { label: 'Compact', title: 'Rows of 12 px that scroll', px: 12 },
  { label: 'Rows', title: 'Rows of 24 px that scroll', px: 24 },
];

const ARC_FACES: Record<ArcMode, string> = { off: 'Arcs', selected: 'Arcs', all: 'Arcs: all' };
const ARC_LEGEND = [['visible', '●', 'visible'], ['recoverable', '◐', 'recoverable'], ['lost', '✕', 'lost']] as const;
const ARC_WORDS: Record<ArcMode, string> = { off: 'none', selected: 'of the selected block, else of the step', all: 'all of the run, faint' };

/** Composition, events and lifelines on one step axis with one playhead (interface.md §2). Fills its container. */
export function Timeline(props: TimelineProps) {
  const { replay, blocks, facts, evidence, events, step, playhead, selectedBlock, brushed, onStep, onSelectBlock, onBlockMenu, onBrushBlock, onRange, theme, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const controller = useRef<TimelineController | null>(null);
  const [rowPx, setRowPx] = useState<number | null>(null);
  const [ownCollapsed, setOwnCollapsed] = useState(props.collapsed ?? false);
  const collapsed = props.onCollapsed ? (props.collapsed ?? false) : ownCollapsed;

  const model = useMemo(() => timelineModel({ replay, blocks, facts, evidence, events }), [replay, blocks, facts, evidence, events]);
  const summary = useMemo(() => timelineSummary(model), [model]);

  // The canvases live as long as the component; later models are handed to the controller below. Before the paint: an
  // empty canvas must not flash.
  const firstModel = useRef(model);
  useLayoutEffect(() => {
    if (!host.current || !base.current || !overlay.current || !card.current) return;
    const made = TimelineController.create({ host: host.current, base: base.current, overlay: overlay.current, card: card.current }, firstModel.current, { onStep: () => undefined, onSelectBlock: () => undefined });
    controller.current = made;
    if (!made) return;
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      made.dispose();
      controller.current = null;
    };
  }, []);
  useEffect(() => controller.current?.setCallbacks({ onStep, onSelectBlock, onBlockMenu, onBrushBlock, onRange }), [onStep, onSelectBlock, onBlockMenu, onBrushBlock, onRange]);
  useEffect(() => controller.current?.setModel(model), [model]);
  const drawnTheme = useRef(theme);
  useEffect(() => {
    // The first picture was drawn in this theme.
    if (drawnTheme.current === theme) return;
    drawnTheme.current = theme;
    controller.current?.setTheme();
  }, [theme]);
  useEffect(() => controller.current?.setRowHeight(rowPx), [rowPx]);
  const arcs = props.arcs ?? 'off';
  useEffect(() => controller.current?.setArcs(arcs), [arcs]);
  useEffect(() => controller.current?.setSelected(selectedBlock), [selectedBlock]);
  useEffect(() => controller.current?.setBrushed(brushed ?? []), [brushed]);
  useEffect(() => {
    if (!playhead) return controller.current?.setStep(step ?? 1);
    const follow = (): void => controller.current?.setStep(playhead.get());
    follow();
    return playhead.subscribe(follow);
  }, [playhead, step]);
  useImperativeHandle(ref, () => ({
    fit: () => controller.current?.fit(),
    zoom: (direction) => controller.current?.zoom(direction),
    pan: (direction) => controller.current?.pan(direction),
  }), []);

  const save = async (): Promise<void> => {
    if (!base.current || !overlay.current || !host.current) return;
    const { policy, budget } = replay;
    const what = `tokens in the window at each call, by block kind · ${policy}, budget ${formatCount(budget)} · step ${formatCount(playhead?.get() ?? step ?? 1)} · ${provenance(model)}`;
    download(`${fileName('context', policy, budget)}.png`, await timelinePng(base.current, overlay.current, host.current, { title: 'Context', what }));
  };
  const toggle = (): void => {
    setOwnCollapsed(!collapsed);
    props.onCollapsed?.(!collapsed);
  };
  return (
    <section className={collapsed ? 'timeline timeline-collapsed' : 'timeline'} aria-label="Timeline">
      <header className="timeline-head">
        <button type="button" className="quiet square" aria-expanded={!collapsed} title={collapsed ? 'Show events and lifelines' : 'Show the composition alone'} aria-label="Events and lifelines" onClick={toggle}>
          {collapsed ? '▸' : '▾'}
        </button>
        <h2 className="timeline-title">Context</h2>
        <p className="timeline-what"><span className="timeline-quantity">tokens in the window at each call, by block kind</span> <span className="timeline-source">{provenance(model)}</span></p>
        <div className="timeline-tools">
          {!collapsed && props.onArcs && arcs !== 'off' && (
            <span className="timeline-arc-legend" role="img" aria-label="Arcs: solid with a disc, still visible; dashed with a half disc, recoverable; dotted with a cross, lost">
              {ARC_LEGEND.map(([state, glyph, word]) => <span key={state} className={`arc-${state}`}><i />{glyph} {word}</span>)}
            </span>
          )}
          {!collapsed && props.onArcs && <button type="button" className="quiet timeline-arcs" aria-pressed={arcs !== 'off'} aria-label={`Evidence arcs: ${ARC_WORDS[arcs]}`} title={`Evidence arcs (e): ${ARC_WORDS[arcs]}. From the block that held a string to the call that repeated it. Solid ●: still visible · dashed ◐: recoverable · dotted ✕: lost`} onClick={() => props.onArcs?.(nextArcs(arcs))}>{ARC_FACES[arcs]}</button>}
          {!collapsed && (
            <div className="timeline-rows" role="group" aria-label="Height of lifeline rows">
              {ROW_CHOICES.map(({ label, title, px }) => (
                <button key={label} type="button" className="quiet" title={title} aria-pressed={rowPx === px} onClick={() => setRowPx(px)}>{label}</button>
              ))}
            </div>
          )}
          <button type="button" className="quiet square" title="Zoom out (s)" aria-label="Zoom out" onClick={() => controller.current?.zoom(-1)}>−</button>
          <button type="button" className="quiet square" title="Zoom in (w)" aria-label="Zoom in" onClick={() => controller.current?.zoom(1)}>+</button>
          <button type="button" className="quiet" title="Whole run (f, or double click)" onClick={() => controller.current?.fit()}>Whole run</button>
          <ActionMenu label="Save chart: Context" face={SAVE_FACE} actions={[{ label: 'PNG file', run: save }]} />
        </div>
      </header>
      <div ref={host} className="timeline-host" role="group" aria-roledescription="timeline" tabIndex={0} aria-label={summary}>
        <canvas ref={base} aria-hidden="true" />
        <canvas ref={overlay} aria-hidden="true" />
        <div ref={card} className="chart-card" hidden />
      </div>
    </section>
  );
}
