import { useState, type FormEvent } from 'react';
import { withOp, freshId } from '../../core/workspace/scenario/edit';
import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { ParameterValue, ReplayRequest } from '../../core/workspace/types';
import { useApp } from '../../state/react/app-context';
import type { OpenLine } from '../../workers/api';
import { Dialog } from '../shared/Dialog';
import { count, plural } from '../shared/format';
import { OPERATION_WORDS, type AskedOperation } from './asked';
import { Preview } from './Preview';
import { askPreview, usePreview } from './use-preview';
import './manual.css';

interface Props {
  line: OpenLine;
  asked: AskedOperation;
  /** Operations of the scenario so far. */
  ops: readonly ScenarioOp[];
  params: Record<string, ParameterValue>;
  budget: number;
  /** Said where the page replays another policy now. */
  switchesFrom: string | null;
  onDo: (op: ScenarioOp) => void;
  onClose: () => void;
}

/** One operation before it happens: its words, what goes along, what it frees and what follows from it, or why it cannot be done. */
export function OperationDialog({ line, asked, ops, params, budget, switchesFrom, onDo, onClose }: Props) {
  const { workbench } = useApp();
  const [summary, setSummary] = useState('');
  const [label, setLabel] = useState(() => (asked.byLabel ? (asked.labels.at(-1) ?? '') : ''));
  const [cascade, setCascade] = useState(true);
  const [busy, setBusy] = useState(false);
  const foreign = asked.blocks.filter(({ name }) => name === null);
  const op = operationOf(asked, ops, { summary, label, cascade });
  const requestOf = (scenario: readonly ScenarioOp[]): ReplayRequest => ({ policy: 'manual', params, budget, scenario });
  const requests = op === null ? null : ([requestOf(ops), requestOf(withOp(ops, op))] as const);
  const preview = usePreview(line, requests);
  const outcome = preview.value?.after.outcomes?.find(({ id }) => id === op?.id);
  const refused = preview.current && outcome !== undefined && !outcome.applied;
  const verb = asked.op === 'archive' && asked.blocks.length > 1 ? 'Bundle' : OPERATION_WORDS[asked.op];
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (op === null || requests === null || busy) return;
    setBusy(true);
    try {
      // What is done is what was previewed: the answer is waited for where the keys were faster.
      const { after } = await askPreview(workbench, line, requests);
      if (after.outcomes?.find(({ id }) => id === op.id)?.applied === true) onDo(op);
    } catch {
      // The preview shows the failure and can be asked again.
      preview.retry();
    } finally {
      setBusy(false);
    }
  };
  const title = asked.byLabel ? `Recover by label at step ${asked.step}` : `${verb} ${asked.blocks.length === 1 ? (asked.blocks[0]?.title.split(' · ')[0] ?? 'a block') : plural(asked.blocks.length, 'block')} at step ${asked.step}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="operation" onSubmit={(event) => void submit(event)}>
        {asked.blocks.length > 0 && <ul className="operation-blocks">{asked.blocks.slice(0, 8).map((block) => <li key={block.title}>{block.title}</li>)}{asked.blocks.length > 8 && <li className="muted">and {count(asked.blocks.length - 8)} more</li>}</ul>}
        {foreign.length > 0 && <p className="danger" role="alert">{foreign.map(({ title: one }) => one.split(' · ')[0]).join(', ')}: made by the policy that is shown, so {foreign.length === 1 ? 'it does' : 'they do'} not exist by hand. Choose the blocks behind {foreign.length === 1 ? 'it' : 'them'}.</p>}
        {asked.op === 'archive' && (
          <>
            <label className="operation-field"><span>Summary at its place <span className="muted">optional</span></span>
              <textarea data-autofocus rows={3} value={summary} maxLength={20_000} placeholder="Empty: the first line of the largest block" onChange={(event) => setSummary(event.target.value)} onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit(); }} />
            </label>
            <label className="operation-field"><span>Label <span className="muted">optional, to recover it by</span></span>
              <input type="text" value={label} maxLength={200} onChange={(event) => setLabel(event.target.value)} />
            </label>
          </>
        )}
        {asked.byLabel && (asked.labels.length === 0
          ? <p>No label was given before step {asked.step}. Archive blocks under a label first.</p>
          : (
            <label className="operation-field"><span>Label</span>
              <select data-autofocus value={label} onChange={(event) => setLabel(event.target.value)}>{asked.labels.map((one) => <option key={one}>{one}</option>)}</select>
            </label>
          ))}
        {(asked.op === 'archive' || asked.op === 'delete') && (
          <label className="inline"><input type="checkbox" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />A call goes with its results, and they with it</label>
        )}
        {asked.op === 'delete' && <p className="muted small">Deleting is the only operation that destroys: the bytes cannot be recovered in this scenario. The file stays as it is.</p>}
        <Preview line={line} op={op} preview={preview} />
        {switchesFrom !== null && <p className="muted small">The page shows <span className="mono">{switchesFrom}</span> now; it goes on with your scenario, policy <span className="mono">manual</span>.</p>}
        <p className="menu-actions">
          <button type="button" onClick={onClose}>Cancel</button>
          <button type="submit" className="primary" data-autofocus={asked.op === 'archive' || asked.byLabel ? undefined : ''} disabled={op === null || busy || refused}>{verb}</button>
        </p>
      </form>
    </Dialog>
  );
}

/** The operation as it would be stored; null = it cannot be written down. */
function operationOf({ op, step, blocks, byLabel }: AskedOperation, ops: readonly ScenarioOp[], typed: { summary: string; label: string; cascade: boolean }): ScenarioOp | null {
  const names = blocks.flatMap(({ name }) => (name === null ? [] : [name]));
  if (names.length < blocks.length || (byLabel ? typed.label === '' : names.length === 0)) return null;
  const label = typed.label.trim();
  return {
    id: freshId(ops), step, op, blocks: byLabel ? [] : names,
    ...(label !== '' && (byLabel || op === 'archive') ? { label } : {}),
    ...(op === 'archive' && typed.summary.trim() !== '' ? { summary: typed.summary } : {}),
    ...((op === 'archive' || op === 'delete') && !typed.cascade ? { cascade: false } : {}),
  };
}
