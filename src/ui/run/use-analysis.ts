import { useMemo } from 'react';
import { COMPARED_SELECTORS } from '../../core/selection/selectors';
import type { SelectSettings } from '../../core/selection/types';
import type { Replay } from '../../core/workspace/types';
import { useView } from '../../state/react/app-context';
import { blocksByMessage } from '../transcript/message-status';
import type { OpenLine } from '../../workers/api';
import { interactionName, interactionOfMessage, selectedInteraction } from './analysis';

export interface AnalysisProps {
  line: OpenLine;
  replay: Replay;
  step: number;
  /** Replay index. */
  selected: number | null;
  onSelectMessage: (position: number) => void;
}

/** What both vector tabs need: the checkpoint of the step, the settings of the view, and names of interaction blocks. */
export function useAnalysis({ line, replay, step, selected, onSelectMessage }: AnalysisProps) {
  const k = useView((view) => view.k);
  const tau = useView((view) => view.tau);
  const seed = useView((view) => view.seed);
  const mode = useView((view) => view.mode);
  const capacity = useView((view) => view.capacity);
  const match = useView((view) => view.match);
  const chosen = useView((view) => view.selectors);
  const checkpoint = line.checkpointOfStep[step - 1] ?? 0;
  const call = line.facts.stepMessage[step - 1];
  const ofMessage = useMemo(() => interactionOfMessage(line), [line]);
  const blocks = useMemo(() => blocksByMessage(line), [line]);
  const settings = useMemo<SelectSettings>(() => ({ checkpoint, call, k, tau, seed, mode, capacity, match, selectors: chosen ?? [...COMPARED_SELECTORS] }), [checkpoint, call, k, tau, seed, mode, capacity, match, chosen]);
  return {
    checkpoint,
    settings,
    selectedIndex: selectedInteraction(line, replay, selected, ofMessage),
    select: (index: number): void => {
      const position = line.interactionBlocks[index]?.[0];
      if (position !== undefined) onSelectMessage(position);
    },
    nameOf: (index: number): string => interactionName(line, (position) => blocks.order[blocks.start[position] ?? 0] ?? -1, index),
  };
}
