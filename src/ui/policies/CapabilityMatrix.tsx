import type { Capabilities, PolicyInfo } from '../../core/workspace/types';
import { CLASS_HELP, classWords } from '../shared/replay-class';
import { TableMenu } from '../shared/TableMenu';
import type { TableRows } from '../shared/table-text';
import { referenceWords } from './comparison-model';

const COLUMNS: readonly [keyof Capabilities, string, string][] = [
  ['trainingFree', 'Training-free', 'No model was trained for it'],
  ['modelAgnostic', 'Model-agnostic', 'Works with any model behind it'],
  ['agentControlled', 'Agent-controlled', 'The agent itself decides what goes and what comes back'],
  ['exactRecovery', 'Exact recovery', 'What it takes out can come back byte for byte'],
  ['contextDashboard', 'Context dashboard', 'The agent sees the sizes of its own context'],
];

/** VISTA Table 6 as text. */
function capabilityTable(policies: readonly PolicyInfo[]): TableRows {
  return [
    ['Method', ...COLUMNS.map(([, title]) => title), 'Replay class', 'Source'],
    ...policies.map((info) => [info.id, ...COLUMNS.map(([key]) => (info.capabilities[key] ? 'yes' : 'no')), classWords(info.id, info.replayClass), info.source]),
  ];
}

/** VISTA Table 6 for every policy there is. */
export function CapabilityMatrix({ policies }: { policies: readonly PolicyInfo[] }) {
  return (
    <div className="pane">
      <div className="pane-bar"><span className="muted">Capabilities as VISTA Table 6 has them: what a system is, not how well it does</span><span className="spacer" /><TableMenu name={() => 'policy-capabilities'} rows={() => capabilityTable(policies)} caption="Capabilities of context managers (rows of VISTA Table 6)" /></div>
      <div className="comparison-scroll" tabIndex={0} role="region" aria-label="Capabilities">
        <table aria-label="Policy capabilities" className="capabilities">
          <thead><tr><th scope="col">Policy</th>{COLUMNS.map(([key, title, help]) => <th key={key} scope="col" title={help} className="capability">{title}</th>)}<th scope="col">Replay class</th><th scope="col">What it does</th><th scope="col">Source</th></tr></thead>
          <tbody>
            {policies.map((info) => (
              <tr key={info.id}>
                <th scope="row"><span className="mono">{info.id}</span> {referenceWords(info) !== null && <span className={info.causal ? 'policy-badge' : 'policy-badge policy-future'}>{referenceWords(info)}</span>}</th>
                {COLUMNS.map(([key, title]) => <td key={key} className="capability"><span className={info.capabilities[key] ? 'has' : 'has-not'} aria-label={`${title}: ${info.capabilities[key] ? 'yes' : 'no'}`} role="img">{info.capabilities[key] ? '✓' : '–'}</span></td>)}
                <td title={CLASS_HELP[info.replayClass]}>{classWords(info.id, info.replayClass)}</td>
                <td className="capability-text" title={info.explanation}><strong>{info.name}.</strong> {info.explanation}</td>
                <td className="muted capability-source" title={info.source}>{info.source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
