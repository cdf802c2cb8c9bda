import { useRef, useState } from 'react';
import { withoutOp } from '../../core/workspace/scenario/edit';
import { cascades } from '../../core/workspace/scenario/apply';
import type { ScenarioOp, ScenarioOutcome } from '../../core/workspace/scenario/types';
import { blockIndex } from '../../core/workspace/kinds';
import type { Replay } from '../../core/workspace/types';
import { useApp, useView } from '../../state/react/app-context';
import type { OpenLine } from '../../workers/api';
import { ActionMenu } from '../shared/ActionMenu';
import { Notice } from '../shared/Notice';
import { download, fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { OPERATION_WORDS } from './asked';
import { ConfirmDelete, NameDialog } from './ScenarioDialogs';
import { UndoButtons } from './UndoButtons';
import type { ManualControls } from './use-manual';
import './manual.css';

interface Props {
  line: OpenLine;
  replay: Replay;
  step: number;
  controls: ManualControls;
  onStep: (step: number) => void;
  onSelect: (block: number) => void;
}

/** The scenario in use as a list of its operations, and all scenarios of the line. */
export function ManualPane({ line, replay, step, controls, onStep, onSelect }: Props) {
  const { view } = useApp();
  const file = useView((state) => state.file);
  const { desk, scenarios, active, missing, ops, problem, unread } = controls.scenarios;
  const reading = scenarios === null && unread === null;
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const open = (id: string): void => view.setState((state) => ({ scenario: id, policy: 'manual', params: state.policy === 'manual' ? state.params : {} }));
  const shown = replay.policy === 'manual';
  const outcomes = new Map((shown ? (replay.outcomes ?? []) : []).map((outcome) => [outcome.id, outcome]));
  const refused = ops.filter(({ id }) => outcomes.get(id)?.applied === false).length;
  const takeFile = async (chosen: File): Promise<void> => {
    setFailed(null);
    try {
      open(desk.importFile(await chosen.text()));
    } catch (error) {
      setFailed(`${chosen.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <div className="pane manual">
      <div className="pane-bar">
        <label className="field"><span className="muted">Scenario</span>
          <select aria-label="Scenario" value={active?.id ?? ''} disabled={scenarios === null || scenarios.length === 0} onChange={(event) => open(event.target.value)}>
            {active === null && <option value="">{reading ? 'reading…' : 'none yet'}</option>}
            {(scenarios ?? []).map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
        <button type="button" onClick={() => open(desk.create('Scenario 1'))}>New</button>
        <button type="button" disabled={active === null} onClick={() => setDialog('rename')}>Rename…</button>
        <button type="button" disabled={active === null} onClick={() => { const copy = active === null ? null : desk.duplicate(active.id); if (copy !== null) open(copy); }}>Duplicate</button>
        <button type="button" disabled={active === null} onClick={() => setDialog('delete')}>Delete…</button>
        <UndoButtons controls={controls} />
        <button type="button" onClick={controls.askByLabel}>Recover by label…</button>
        <span className="spacer" />
        <span className="muted" role="status" aria-label="Scenario state">{stateWords(ops.length, refused, shown)}</span>
        <ActionMenu label="Scenario file" actions={[
          { label: 'Export as JSON', run: () => { if (active !== null) download(`${fileName('scenario', active.name)}.json`, desk.exportFile(active.id, file), 'application/json'); else throw new Error('There is no scenario to export yet.'); } },
          { label: 'Import JSON…', run: () => picker.current?.click() },
        ]} />
        <input ref={picker} type="file" accept=".json,application/json" hidden data-testid="scenario-input" onChange={(event) => {
          const chosen = event.target.files?.[0];
          event.target.value = '';
          if (chosen) void takeFile(chosen);
        }} />
      </div>
      {failed !== null && <Notice tone="failed" title="The scenario was not imported" action={{ label: 'Close', run: () => setFailed(null) }}>{failed}</Notice>}
      {problem !== null && <Notice tone="failed" title="The last change could not be stored">{problem} It lasts as long as this page: export it to keep it.</Notice>}
      {unread !== null && <Notice tone="failed" title="The stored scenarios could not be read">{unread}</Notice>}
      {missing && <Notice title="The scenario of this address is not stored in this browser">Import its file, or choose another scenario.</Notice>}
      {!shown && ops.length > 0 && <p className="manual-hint muted">The page shows <span className="mono">{replay.policy}</span>. <button type="button" className="link" onClick={() => active !== null && open(active.id)}>Replay this scenario</button></p>}
      <div className="manual-scroll">
        {ops.length === 0
          ? <Notice title={reading ? 'Reading the stored scenarios…' : active === null ? 'No scenario yet' : 'No operation yet'}>Choose blocks in the ledger (Space marks several), a lifeline or the inspector, then press <kbd>m</kbd> or the right button: archive with a summary and a label, bundle, pin, delete, recover. Each is previewed before it happens. Without operations the engine’s guard alone keeps each step within B; it can be switched off in the policy’s settings.</Notice>
          : (
            <table aria-label="Operations of the scenario" className="manual-table">
              <thead><tr><th scope="col" className="num">Step</th><th scope="col">Operation</th><th scope="col">Blocks</th><th scope="col">Label</th><th scope="col" className="num" title="|C| before and after the operation, before the guard acts (exact)">Freed, tokens</th><th scope="col">What became of it</th><th scope="col"><span className="hidden-visually">Remove</span></th></tr></thead>
              <tbody>{ops.map((op) => <OperationRow key={op.id} op={op} outcome={outcomes.get(op.id)} now={op.step === step} onStep={onStep} onSelect={onSelect} onRemove={() => active !== null && desk.change(active.id, withoutOp(ops, op.id))} steps={line.facts.steps} />)}</tbody>
            </table>
          )}
      </div>
      {dialog === 'rename' && active !== null && <NameDialog name={active.name} onName={(name) => { desk.rename(active.id, name); setDialog(null); }} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && active !== null && <ConfirmDelete name={active.name} operations={ops.length} onDelete={() => { desk.remove(active.id); view.setState({ scenario: null }); setDialog(null); }} onClose={() => setDialog(null)} />}
    </div>
  );
}

function stateWords(n: number, refused: number, shown: boolean): string {
  if (n === 0) return 'no operations';
  return `${plural(n, 'operation')}${shown ? (refused === 0 ? ', all apply' : `, ${count(refused)} ${refused === 1 ? 'does' : 'do'} not apply`) : ''}`;
}

interface RowProps { op: ScenarioOp; outcome: ScenarioOutcome | undefined; now: boolean; steps: number; onStep: (step: number) => void; onSelect: (block: number) => void; onRemove: () => void }

function OperationRow({ op, outcome, now, steps, onStep, onSelect, onRemove }: RowProps) {
  const freed = outcome === undefined ? NaN : outcome.tokensBefore - outcome.tokensAfter;
  const name = `${OPERATION_WORDS[op.op]} at step ${op.step}`;
  return (
    <tr aria-current={now ? 'step' : undefined} className={outcome?.applied === false ? 'manual-refused' : ''}>
      <td className="num">{op.step <= steps ? <button type="button" className="link" aria-label={`Go to step ${op.step}`} onClick={() => onStep(op.step)}>{count(op.step)}</button> : count(op.step)}</td>
      <td>{op.op === 'archive' && op.blocks.length > 1 ? 'Bundle' : OPERATION_WORDS[op.op]} {!cascades(op) && (op.op === 'archive' || op.op === 'delete') && <span className="muted small">only what was chosen</span>}</td>
      <td className="manual-blocks">{outcome === undefined ? <span className="muted">{plural(op.blocks.length, 'block')}</span> : <Ids ids={outcome.ids} cascade={outcome.cascade} onSelect={onSelect} />}{outcome !== undefined && outcome.made.length > 0 && <span className="muted"> → <Ids ids={outcome.made} cascade={[]} onSelect={onSelect} /></span>}</td>
      <td className="cut" title={op.label}>{op.label ?? ''}</td>
      <td className="num">{Number.isNaN(freed) || outcome?.applied === false ? '–' : count(freed).replace('-', '−')}</td>
      <td>{outcome === undefined ? <span className="muted">not replayed</span> : outcome.applied ? <span>done{outcome.notes.length > 0 && <span className="muted small"> {outcome.notes.join(' ')}</span>}</span> : <span className="danger">does not apply: {outcome.refused}</span>}{op.summary !== undefined && <span className="muted small cut manual-summary" title={op.summary}> “{op.summary}”</span>}</td>
      <td><button type="button" className="quiet square" aria-label={`Remove: ${name}`} title={`Remove: ${name}`} onClick={onRemove}>✕</button></td>
    </tr>
  );
}

const SHOWN_IDS = 8;

function Ids({ ids, cascade, onSelect }: { ids: readonly string[]; cascade: readonly string[]; onSelect: (block: number) => void }) {
  return (
    <>
      {ids.slice(0, SHOWN_IDS).map((id) => <button key={id} type="button" className="link mono" title={cascade.includes(id) ? `${id} goes along as call or result` : id} onClick={() => onSelect(blockIndex(id))}>{id}{cascade.includes(id) ? '⁺' : ''}</button>)}
      {ids.length > SHOWN_IDS && <span className="muted">and {count(ids.length - SHOWN_IDS)} more</span>}
    </>
  );
}
