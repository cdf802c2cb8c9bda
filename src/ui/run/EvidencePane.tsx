import { useState } from 'react';
import type { SourceChoice } from '../../core/evidence/evidence-by-age';
import type { Replay, ReplayRequest } from '../../core/workspace/types';
import { useApp, useView } from '../../state/react/app-context';
import { useAudit, useEvidenceByAge } from '../../state/react/use-run-data';
import type { OpenLine } from '../../workers/api';
import { EvidenceTab } from '../evidence/EvidenceTab';

interface Props { line: OpenLine; replay: Replay; request: ReplayRequest; step: number; onSelect: (block: number | null) => void; onStep: (step: number) => void }

/** The Evidence tab on the live replay; what takes a pass over the run is computed in the worker, when it is looked at. */
export function EvidencePane({ line, replay, request, step, onSelect, onStep }: Props) {
  const { view } = useApp();
  const pane = useView((state) => state.evidencePane);
  const [choice, setChoice] = useState<SourceChoice>('newest');
  const age = useEvidenceByAge(pane === 'age' ? line : undefined, choice);
  const audit = useAudit(pane === 'audit' ? line : undefined, request);
  return (
    <EvidenceTab line={line} replay={replay} step={step} pane={pane} age={age} choice={choice} audit={audit}
      onPane={(next) => view.setState({ evidencePane: next })} onChoice={setChoice} onSelect={onSelect} onStep={onStep} />
  );
}
