import type { UseByAge, SourceChoice } from '../../core/evidence/evidence-by-age';
import type { ManagerAudit } from '../../core/workspace/audit';
import type { Replay } from '../../core/workspace/types';
import type { EvidencePane } from '../../state/view';
import type { OpenLine } from '../../workers/api';
import type { Loaded } from '../policies/DifferenceView';
import { AgeView } from './AgeView';
import { AuditView } from './AuditView';
import { RunEvidence } from './RunEvidence';
import { StepEvidence } from './StepEvidence';
import './evidence.css';

const PANES: readonly [EvidencePane, string, string][] = [
  ['step', 'This step', 'What this step’s action repeats, and whether it was there'], ['run', 'Whole run', 'Evidence of every call, and blocks carried for nothing'],
  ['age', 'Use against age', 'Does importance fall with age?'], ['audit', 'Audit', 'Every removal, and what became of what went'],
];

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  pane: EvidencePane;
  age: Loaded<UseByAge>;
  choice: SourceChoice;
  audit: Loaded<ManagerAudit>;
  onPane: (pane: EvidencePane) => void;
  onChoice: (choice: SourceChoice) => void;
  onSelect: (block: number) => void;
  onStep: (step: number) => void;
}

/** Evidence lineage (evidence.md §1): what actions demonstrably used, from where, and whether it was still there. */
export function EvidenceTab({ line, replay, step, pane, age, choice, audit, onPane, onChoice, onSelect, onStep }: Props) {
  return (
    <div className="pane">
      <div className="pane-bar evidence-panes">
        <span className="segments" role="group" aria-label="Views of the evidence">
          {PANES.map(([id, name, help]) => <button key={id} type="button" aria-pressed={pane === id} title={help} onClick={() => onPane(id)}>{name}</button>)}
        </span>
        <span className="muted cut">Evidence is verbatim reuse of rare strings: a <strong>lower bound</strong> on what an action depended on.</span>
      </div>
      {pane === 'step' && <StepEvidence line={line} replay={replay} step={step} onSelect={onSelect} onStep={onStep} />}
      {pane === 'run' && <RunEvidence line={line} replay={replay} step={step} onSelect={onSelect} onStep={onStep} />}
      {pane === 'age' && <AgeView age={age} choice={choice} onChoice={onChoice} />}
      {pane === 'audit' && <AuditView audit={audit} policy={replay.policy} onSelect={onSelect} onStep={onStep} />}
    </div>
  );
}
