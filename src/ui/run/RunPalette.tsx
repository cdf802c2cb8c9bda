import { useMemo, type RefObject } from 'react';
import type { PolicyInfo, Replay } from '../../core/workspace/types';
import { jump, type ContextEvents } from '../../state/context-events';
import { useApp } from '../../state/react/app-context';
import { useLibrary } from '../../state/react/use-library';
import { closeRun, ENCODINGS, TABS } from '../../state/view';
import type { OpenLine } from '../../workers/api';
import { opLogJson } from '../ledger/op-log';
import type { ManualControls } from '../manual/use-manual';
import { Palette } from '../palette/Palette';
import { commonEntries } from '../palette/common-entries';
import { askedStep, type Entry } from '../palette/entries';
import { blockEntries, toolEntries } from '../palette/run-entries';
import { download, fileName } from '../shared/download';
import { count } from '../shared/format';
import type { TimelineHandle } from '../timeline/Timeline';
import { TAB_NAMES } from './Tabs';

interface Props {
  line: OpenLine;
  replay: Replay;
  indexOfBase: Int32Array;
  policies: readonly PolicyInfo[];
  timeline: RefObject<TimelineHandle | null>;
  step: number;
  manual: ManualControls;
  events: ContextEvents;
  onStep: (step: number) => void;
  onSelect: (block: number) => void;
  onPlay: () => void;
  onGoTo: () => void;
  onSearch: () => void;
  onHelp: () => void;
  onBrowse: () => void;
  onClose: () => void;
}

/** The palette over everything of the open run. */
export function RunPalette(props: Props) {
  const { line, replay, indexOfBase, step, onStep, onSelect, onClose } = props;
  const app = useApp();
  const runs = useLibrary();
  const { steps } = line.facts;
  const entries = useMemo(() => {
    // A block stays to be looked at after it was born: the playhead moves only where it does not exist yet.
    const go = (block: number, at: number): void => {
      if (at > step) onStep(at);
      if (block >= 0) onSelect(block);
    };
    const goTo = (block: number, at: number): void => {
      onStep(at);
      if (block >= 0) onSelect(block);
    };
    return [
      ...runActions(props, app),
      ...commonEntries(app, (runs ?? []).filter(({ id }) => id !== line.runId), props),
      ...toolEntries(line, indexOfBase, () => step, goTo),
      ...blockEntries(line, replay, go),
    ];
  }, [props, app, runs, line, replay, indexOfBase, step, onStep, onSelect]);
  const asked = (query: string): Entry[] => {
    const to = askedStep(query, steps);
    return to === null ? [] : [{ id: 'asked step', group: 'Step', label: `Go to step ${count(to)}`, hint: `of ${count(steps)}`, run: () => onStep(to) }];
  };
  return <Palette entries={entries} asked={asked} onClose={onClose} />;
}

function runActions({ line, replay, policies, timeline, step, manual, events, onStep, onPlay, onGoTo, onSearch }: Props, { view, preferences }: ReturnType<typeof useApp>): Entry[] {
  const action = (label: string, run: () => void, hint?: string): Entry => ({ id: label, group: 'Action', label, hint, run });
  return [
    ...TABS.map((tab, i) => action(`Show ${TAB_NAMES[tab]}`, () => view.setState({ tab }), String(i + 1))),
    action('Go to step…', onGoTo, 'g'),
    action('Search the whole run', onSearch, '/'),
    action('Play or pause', onPlay, 'Space'),
    action('First step', () => onStep(1), 'Home'),
    action('Last step', () => onStep(line.facts.steps), 'End'),
    action('Next context event', () => onStep(jump(events.events, step, 1)), 'Shift →'),
    action('Previous context event', () => onStep(jump(events.events, step, -1)), 'Shift ←'),
    action('Next compaction', () => onStep(jump(events.compactions, step, 1)), ']'),
    action('Previous compaction', () => onStep(jump(events.compactions, step, -1)), '['),
    action('Fit the whole run', () => timeline.current?.fit(), 'f'),
    action('Timeline: show or hide events and lifelines', () => preferences.setState(({ timelineOpen }) => ({ timelineOpen: !timelineOpen }))),
    action('Inspector: show or hide', () => preferences.setState(({ inspectorOpen }) => ({ inspectorOpen: !inspectorOpen }))),
    action('Copy a link to this view', () => void navigator.clipboard.writeText(window.location.href)),
    action('Save the op log as JSON', () => download(`${fileName('ops', replay.policy, replay.budget)}.json`, opLogJson(replay), 'application/json')),
    action('Manual scenario: undo', manual.undo, 'Ctrl Z'),
    action('Manual scenario: redo', manual.redo, 'Ctrl Shift Z'),
    action('Manual scenario: recover by label…', manual.askByLabel),
    action('Back to the library', () => closeRun(view)),
    ...policies.map(({ id, name }) => action(`Policy: ${id}`, () => view.setState({ policy: id, params: {} }), name === id ? undefined : name)),
    ...ENCODINGS.map((encoding) => action(`Tokens: count with ${encoding}`, () => view.setState({ encoding }))),
  ];
}
