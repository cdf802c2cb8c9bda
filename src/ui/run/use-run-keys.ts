import type { RefObject } from 'react';
import { jump, type ContextEvents } from '../../state/context-events';
import { TABS, type Tab } from '../../state/view';
import { useKeys } from '../app/use-keys';
import type { TimelineHandle } from '../timeline/Timeline';

interface Actions {
  step: number;
  steps: number;
  events: ContextEvents;
  timeline: RefObject<TimelineHandle | null>;
  onStep: (step: number) => void;
  onPlay: () => void;
  onGoTo: () => void;
  onSearch: () => void;
  onPalette: () => void;
  onClear: () => void;
  onTab: (tab: Tab) => void;
  onOperate: () => boolean;
  /** False = there is no manual scenario in use. */
  onUndo: () => boolean;
  onRedo: () => boolean;
  /** Goes on to the next kind of evidence arcs. */
  onArcs: () => void;
}

/** The run page's keys (interface.md §2). Open and help belong to the shell. */
export function useRunKeys({ step, steps, events, timeline, onStep, onPlay, onGoTo, onSearch, onPalette, onClear, onTab, onOperate, onUndo, onRedo, onArcs }: Actions): void {
  useKeys((command) => {
    switch (command) {
      case 'next-step': onStep(step + 1); return true;
      case 'previous-step': onStep(step - 1); return true;
      case 'next-event': onStep(jump(events.events, step, 1)); return true;
      case 'previous-event': onStep(jump(events.events, step, -1)); return true;
      case 'next-compaction': onStep(jump(events.compactions, step, 1)); return true;
      case 'previous-compaction': onStep(jump(events.compactions, step, -1)); return true;
      case 'first-step': onStep(1); return true;
      case 'last-step': onStep(steps); return true;
      case 'play': onPlay(); return true;
      case 'go-to-step': onGoTo(); return true;
      case 'search': onSearch(); return true;
      case 'palette': onPalette(); return true;
      case 'clear': onClear(); return true;
      case 'operate': return onOperate();
      case 'undo': return onUndo();
      case 'redo': return onRedo();
      case 'arcs': onArcs(); return true;
      case 'fit': timeline.current?.fit(); return true;
      case 'zoom-in': timeline.current?.zoom(1); return true;
      case 'zoom-out': timeline.current?.zoom(-1); return true;
      case 'pan-left': timeline.current?.pan(-1); return true;
      case 'pan-right': timeline.current?.pan(1); return true;
      default: {
        const tab = TABS[Number(/^tab-(\d)$/.exec(command)?.[1] ?? 0) - 1];
        if (tab === undefined) return false;
        onTab(tab);
        return true;
      }
    }
  });
}
