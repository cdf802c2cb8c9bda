import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Replay } from '../../core/workspace/types';
import type { SelectionReportStore } from '../../state/selection-report';
import type { OpenLine } from '../../workers/api';
import { encoderWords } from '../charts/encoder-words';
import { interactionOfMessage, selectedInteraction } from '../run/analysis';
import { count } from '../shared/format';
import { protectionWords } from './protection-words';

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  /** Replay index. */
  selected: number;
  selection: SelectionReportStore;
}

/** The protection rules that fired on the selected block at this step, from the report that the Selectors tab has asked for. */
export function ProtectedFact({ line, replay, step, selected, selection }: Props) {
  const shown = useStore(selection, (state) => state.shown);
  const ofMessage = useMemo(() => interactionOfMessage(line), [line]);
  // A report of another step or branch says nothing about this one.
  if (shown?.line !== line || shown.step !== step) return null;
  const { report } = shown;
  const index = selectedInteraction(line, replay, selected, ofMessage);
  const words = index === null ? null : protectionWords(report, index);
  if (words === null) return null;
  const { title, approximate } = encoderWords(report.encoder.id);
  return (
    <>
      <dt>Protected</dt>
      <dd>
        {words.rules.length === 0 ? 'no, by none of the rules of GEM ' : words.rules.map((rule) => <span key={rule} className="rule">{rule} </span>)}
        {words.unchanged !== null && <span className="rule">{words.unchanged} </span>}
        <span className="muted">interaction block {count(index ?? 0)} of {count(report.blocks.length)} at this step, {title}{approximate ? ', ≈ approximate' : ''}</span>
      </dd>
    </>
  );
}
