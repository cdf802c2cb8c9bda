import { memo, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import type { ScenarioOpName } from '../../core/workspace/scenario/types';
import type { PolicyInfo, Replay, ReplayRequest } from '../../core/workspace/types';
import { autoBudget } from '../../state/auto-budget';
import { toggleBrush } from '../../state/brushed';
import { contextEvents, eventsAtStep, type ContextEvents } from '../../state/context-events';
import { useApp, usePreference, useView } from '../../state/react/app-context';
import { encoderTitle, STAND_IN_ENCODER, useEmbedding } from '../../state/react/use-embedding';
import { useReplay } from '../../state/react/use-run-data';
import { createSelectionReportStore } from '../../state/selection-report';
import { clampStep, nextArcs, type ArcMode, type BlockRef } from '../../state/view';
import type { OpenLine } from '../../workers/api';
import { useTheme } from '../app/use-theme';
import { useScenarios } from '../../state/react/use-scenarios';
import { Inspector } from '../inspector/Inspector';
import { UndoButtons } from '../manual/UndoButtons';
import { useManual } from '../manual/use-manual';
import { Notice } from '../shared/Notice';
import { Splitter } from '../shared/Splitter';
import { count } from '../shared/format';
import { Timeline, type PlayheadSource, type TimelineHandle } from '../timeline/Timeline';
import { blocksByMessage, messageStatus, replayIndexOfBase } from '../transcript/message-status';
import { GoToStep } from './GoToStep';
import { readsVectors, withEncoder } from './policy-request';
import { ReplayFailed } from './ReplayFailed';
import { RunHeader } from './RunHeader';
import { RunPalette } from './RunPalette';
import { SearchDialog } from './SearchDialog';
import { TabContent } from './TabContent';
import { Tabs } from './Tabs';
import { usePlay } from './use-play';
import { useRunKeys } from './use-run-keys';
import { inspectorHeight, inspectorWidth, isShort, isWide, timelineSize } from './pane-sizes';
import { useViewport } from './use-viewport';

/** A key press renders this page at once and its panes afterwards: each only when something of its own has changed. */
const Chart = memo(Timeline);
const Panes = memo(TabContent);
const Selected = memo(Inspector);

const NO_EVENTS: ContextEvents = { events: [], compactions: [] };

interface Props { line: OpenLine; name: string; policies: readonly PolicyInfo[]; onHelp: () => void; onBrowse: () => void }

/** The run page: one playhead, one selection, every pane a view of the same replay. */
export function OpenRun({ line, name, policies, onHelp, onBrowse }: Props) {
  const { view, preferences } = useApp();
  const { policy, params, budget: chosenBudget, encoder, tab } = useView((state) => state);
  const prefs = usePreference((state) => state);
  const theme = useTheme();
  const viewport = useViewport();
  const wide = isWide(viewport);
  const timelinePane = timelineSize(prefs, viewport);
  const inspectorPane = wide ? inspectorWidth(prefs, viewport) : inspectorHeight(prefs, viewport);
  const [playing, setPlaying] = useState(false);
  const [dialog, setDialog] = useState<'go' | 'search' | 'palette' | null>(null);
  const timeline = useRef<TimelineHandle | null>(null);
  const [selection] = useState(createSelectionReportStore);

  const { steps } = line.facts;
  const step = clampStep(useView((state) => state.step), steps);
  const budget = chosenBudget ?? autoBudget(line);
  const scenarios = useScenarios(line);
  const scenario = policy === 'manual' ? scenarios.ops : undefined;
  const firstBlocks = useMemo(() => [...Array(line.interactionBlocks.length).keys()], [line]);
  // The first replay comes first; where it needs vectors itself, the workbench computes them.
  const [started, setStarted] = useState(false);
  const embedding = useEmbedding(line, encoder, firstBlocks, started);
  const vectorsOf = embedding.ready ?? STAND_IN_ENCODER;
  const request = useMemo<ReplayRequest>(() => withEncoder({ policy, params, budget, ...(scenario === undefined ? {} : { scenario }) }, vectorsOf), [policy, params, budget, scenario, vectorsOf]);
  // By hand without its operations would be shown for a moment and then replayed again.
  const replayed = useReplay(policy === 'manual' && scenarios.scenarios === null && scenarios.unread === null ? undefined : line, request);
  const { controls: manual, overlay, said } = useManual(line, scenarios, budget);
  const replay = replayed.value;
  if (replay !== undefined && !started) setStarted(true);

  const recorded = useMemo(() => eventsAtStep(line), [line]);
  const events = useMemo(() => (replay === undefined ? NO_EVENTS : contextEvents(line, replay, recorded)), [line, replay, recorded]);
  const indexOfBase = useMemo(() => (replay === undefined ? null : replayIndexOfBase(replay, line.blocks.n)), [replay, line]);
  const ofMessage = useMemo(() => blocksByMessage(line), [line]);
  const blockRef = useView((state) => state.block);
  const selected = resolveBlock(blockRef, replay, indexOfBase);

  const brushedBases = useView((state) => state.brushed);
  const brushed = useMemo(() => (indexOfBase === null ? [] : brushedBases.map((base) => indexOfBase[base] ?? -1)), [brushedBases, indexOfBase]);

  const setStep = useCallback((to: number): void => view.setState({ step: clampStep(to, steps) }), [view, steps]);
  const select = useCallback((index: number | null): void => {
    const base = index === null || replay === undefined ? -1 : (replay.blocks.base[index] ?? -1);
    view.setState({ block: index === null ? null : base >= 0 ? { base } : { made: index } });
  }, [view, replay]);
  const brushBlock = useCallback((index: number): void => {
    const base = replay?.blocks.base[index] ?? -1;
    if (base >= 0) view.setState(({ brushed: before }) => ({ brushed: toggleBrush(before, [base]) }));
  }, [view, replay]);
  const selectMessage = useCallback((position: number): void => {
    const base = ofMessage.order[ofMessage.start[position] ?? 0];
    if (base !== undefined && (ofMessage.start[position + 1] ?? 0) > (ofMessage.start[position] ?? 0)) view.setState({ block: { base } });
  }, [view, ofMessage]);
  const playhead = useMemo<PlayheadSource>(() => ({ get: () => clampStep(view.getState().step, steps), subscribe: (onMove) => view.subscribe(onMove) }), [view, steps]);

  const lifelineMenu = useCallback((block: number, x: number, y: number): void => { if (replay !== undefined) manual.menu(replay, [block], x, y); }, [manual, replay]);
  const operate = useCallback((op: ScenarioOpName, block: number, of: Replay): void => manual.ask(of, op, [block]), [manual]);
  const act = (run: () => void): boolean => {
    if (policy !== 'manual' || scenarios.active === null) return false;
    run();
    return true;
  };
  const play = (): void => {
    if (!playing && step >= steps) setStep(1);
    setPlaying(!playing);
  };
  usePlay(playing, useView((state) => state.speed), () => {
    const at = clampStep(view.getState().step, steps);
    setStep(at + 1);
    return at + 1 < steps;
  }, () => setPlaying(false));
  useRunKeys({
    step, steps, events, timeline, onStep: setStep, onPlay: play,
    onGoTo: () => setDialog('go'), onSearch: () => setDialog('search'), onPalette: () => setDialog('palette'), onClear: () => select(null), onTab: (next) => view.setState({ tab: next }),
    onArcs: () => view.setState((state) => ({ arcs: nextArcs(state.arcs) })),
    onOperate: () => {
      if (replay === undefined || selected === null) return false;
      const { x, y } = menuPlace();
      manual.menu(replay, [selected], x, y);
      return true;
    },
    onUndo: () => act(manual.undo), onRedo: () => act(manual.redo),
  });

  // Heavy panes may lag the header and the timeline by a frame or two while the playhead is dragged.
  const paneStep = useDeferredValue(step);
  // A replay that has just come is drawn in the timeline first, in a task of its own.
  const paneReplay = useDeferredValue(replay);
  const lateSelected = useDeferredValue(selected);
  // An index belongs to one replay: the old one's goes with the old replay.
  const paneSelected = paneReplay === replay ? selected : lateSelected;
  const arcs = useView((state) => state.arcs);
  const setArcs = useCallback((next: ArcMode): void => view.setState({ arcs: next }), [view]);
  const collapse = useCallback((collapsed: boolean): void => preferences.setState({ timelineOpen: !collapsed }), [preferences]);
  const aside = replay === undefined ? null : <TabAside line={line} replay={replay} step={step} busy={replayed.current ? '' : readsVectors(policy) ? `${policy} needs an encoder: computing vectors… ` : 'replaying… '} />;
  // Where room is short, an inspector with nothing to say gives its place to the tabs.
  const hasInspector = prefs.inspectorOpen && (paneSelected !== null || !isShort(viewport));
  const waiting = readsVectors(policy) ? `${policy} needs an encoder: computing vectors (${encoderTitle(vectorsOf)})…` : 'Replaying the run';
  const inspector = paneReplay === undefined ? null : <Selected line={line} replay={paneReplay} step={paneStep} selected={paneSelected} onSelect={select} onStep={setStep} onOperate={operate} selection={selection} />;

  return (
    <main className="run">
      <title>{`${name} · Contextscope`}</title>
      <h1 className="hidden-visually">{name}</h1>
      <RunHeader name={name} line={line} policies={policies} budget={budget} step={step} steps={steps} playing={playing} embedding={embedding} onStep={setStep} onPlay={play} onHelp={onHelp} onSearch={() => setDialog('search')} onPalette={() => setDialog('palette')} />
      {replayed.status === 'failed' && <ReplayFailed policy={policy} known={policies.some(({ id }) => id === policy)} message={replayed.error?.message} onRetry={replayed.retry} onRecorded={() => view.setState({ policy: 'recorded', params: {} })} />}
      <div className="run-timeline" style={{ height: prefs.timelineOpen ? timelinePane.px : undefined }}>
        {replay === undefined
          ? replayed.status === 'failed' ? null : <Notice tone="loading" title={waiting} />
          : <Chart ref={timeline} replay={replay} blocks={line.blocks} facts={line.facts} evidence={line.evidence} events={recorded} playhead={playhead} selectedBlock={selected} brushed={brushed} onBrushBlock={brushBlock} onStep={setStep} onSelectBlock={select} onBlockMenu={lifelineMenu} theme={theme} collapsed={!prefs.timelineOpen} onCollapsed={collapse} arcs={arcs} onArcs={setArcs} />}
      </div>
      {prefs.timelineOpen
        ? <Splitter label="Height of the timeline" direction="row" valuePx={timelinePane.px} minPx={timelinePane.min} maxPx={timelinePane.max} sign={1} onChange={(px) => preferences.setState({ timelinePx: px })} />
        : <div className="run-rule" />}
      <div className={wide ? 'run-lower run-lower-wide' : 'run-lower'}>
        <Tabs tab={tab} onTab={(next) => view.setState({ tab: next })} aside={<>
          {aside}
          {policy === 'manual' && <UndoButtons controls={manual} />}
          <button type="button" className="quiet" aria-pressed={prefs.inspectorOpen} onClick={() => preferences.setState({ inspectorOpen: !prefs.inspectorOpen })}>Inspector</button>
        </>}>
          {paneReplay === undefined
            ? replayed.status === 'failed' ? <Notice title="Nothing to show">There is no replay of this run yet: choose another policy above.</Notice> : <Notice tone="loading" title={waiting} />
            : <Suspense fallback={<Notice tone="loading" title="Opening the view" />}><Panes tab={tab} line={line} replay={paneReplay} request={request} step={paneStep} selected={paneSelected} embedding={embedding} manual={manual} selection={selection} onSelect={select} onSelectMessage={selectMessage} onStep={setStep} /></Suspense>}
        </Tabs>
        {hasInspector && inspector !== null && <>
          <Splitter label="Size of the inspector" direction={wide ? 'column' : 'row'} valuePx={inspectorPane.px} minPx={inspectorPane.min} maxPx={inspectorPane.max} sign={-1} onChange={(px) => preferences.setState(wide ? { inspectorPx: px } : { inspectorHeightPx: px })} />
          <div className="run-inspector" style={wide ? { width: inspectorPane.px } : { height: inspectorPane.px }}>{inspector}</div>
        </>}
      </div>
      {dialog === 'go' && <GoToStep step={step} steps={steps} onGo={setStep} onClose={() => setDialog(null)} />}
      {dialog === 'palette' && replay !== undefined && indexOfBase !== null && <RunPalette manual={manual} line={line} replay={replay} indexOfBase={indexOfBase} policies={policies} timeline={timeline} step={step} events={events} onStep={setStep} onSelect={select} onPlay={play} onGoTo={() => setDialog('go')} onSearch={() => setDialog('search')} onHelp={onHelp} onBrowse={onBrowse} onClose={() => setDialog((now) => (now === 'palette' ? null : now))} />}
      {dialog === 'search' && <SearchDialog line={line} onClose={() => setDialog(null)}
        inContext={(position) => replay !== undefined && indexOfBase !== null && messageStatus(replay, indexOfBase, ofMessage, position, step)?.status === 'visible'}
        onHit={({ messageIndex }) => { selectMessage(messageIndex); setStep(stepOfMessage(line, messageIndex)); view.setState({ tab: 'transcript' }); setDialog(null); }} />}
      {overlay}
      <div className="hidden-visually" role="status" aria-label="Manual scenario">{said}</div>
    </main>
  );
}

/** Where a menu asked for by key opens: under what has the focus. */
function menuPlace(): { x: number; y: number } {
  const box = document.activeElement === document.body ? undefined : document.activeElement?.getBoundingClientRect();
  return box === undefined ? { x: window.innerWidth / 3, y: window.innerHeight / 3 } : { x: box.left + Math.min(120, box.width / 2), y: box.height > 80 ? box.top + 40 : box.bottom };
}

/** The first step whose action is at or after the message, so that the transcript reaches it. */
function stepOfMessage(line: OpenLine, position: number): number {
  const at = line.facts.stepMessage.findIndex((message) => message >= position);
  return at < 0 ? line.facts.steps : at + 1;
}

function resolveBlock(ref: BlockRef | null, replay: Replay | undefined, indexOfBase: Int32Array | null): number | null {
  if (ref === null || replay === undefined || indexOfBase === null) return null;
  if ('made' in ref) return ref.made < replay.blocks.n && (replay.blocks.base[ref.made] ?? -1) < 0 ? ref.made : null;
  const index = indexOfBase[ref.base] ?? -1;
  return index < 0 ? null : index;
}

function TabAside({ line, replay, step, busy }: { line: OpenLine; replay: Replay; step: number; busy: string }) {
  const context = replay.steps.contextTokens[step - 1] ?? 0;
  const measured = line.facts.measuredInput[step - 1] ?? NaN;
  return (
    <span className="muted tab-aside">
      {busy}
      {replay.encoder === undefined ? '' : <span title={[`Vectors: ${replay.encoder.id}, ${replay.encoder.dim} numbers a block.`, ...(replay.notes ?? [])].join('\n')}>vectors {replay.encoder.id} · </span>}
      {count(context)} tokens in context{replay.budget > 0 ? `, ${((context / replay.budget) * 100).toFixed(0)} % of B` : ''}
      {Number.isFinite(measured) && replay.policy === 'recorded' ? ` · measured ${count(measured)}` : ''}
    </span>
  );
}
