import { lazy, Suspense, useState } from 'react';
import type { ReplayRequest } from '../../core/workspace/types';
import { useApp } from '../../state/react/app-context';
import { useRender } from '../../state/react/use-run-data';
import type { OpenLine } from '../../workers/api';
import { ActionMenu } from '../shared/ActionMenu';
import { CopyButton } from '../shared/CopyButton';
import { Notice } from '../shared/Notice';
import { download, fileName } from '../shared/download';
import { count, plural } from '../shared/format';
import { PromptRows } from './PromptRows';
import './prompt.css';

const PromptDiff = lazy(() => import('./PromptDiff'));

interface Props { line: OpenLine; request: ReplayRequest; step: number; onSelectId: (id: string) => void; selectedId: string | null }

/** Exactly what the model would be sent at this step, message by message. */
export function Prompt({ line, request, step, onSelectId, selectedId }: Props) {
  const { workbench } = useApp();
  const [compare, setCompare] = useState<'none' | 'previous' | 'step'>('none');
  const [other, setOther] = useState(1);
  const prompt = useRender(line, request, step, 'openai');
  const against = compare === 'previous' ? step - 1 : compare === 'step' ? other : 0;
  const before = useRender(line, request, against, 'openai');
  const copy = (as: 'openai' | 'anthropic') => async (): Promise<string> => JSON.stringify((await workbench.render(line, request, step, as)).body, null, 2);
  const save = (as: 'openai' | 'anthropic') => async (): Promise<void> => download(`${fileName('prompt', as, request.policy, 'step', step)}.json`, `${await copy(as)()}\n`, 'application/json');
  if (prompt.status === 'failed') return <Notice tone="failed" title="The prompt could not be made" action={{ label: 'Try again', run: prompt.retry }}>{prompt.error?.message}</Notice>;
  if (prompt.value === undefined) return <Notice tone="loading" title="Rendering the prompt" />;
  const { rows } = prompt.value;
  const total = rows.reduce((sum, row) => sum + row.tokens, 0);
  const cached = rows.reduce((sum, row) => sum + (row.cached ? row.tokens : 0), 0);
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">{plural(rows.length, 'message')} · {count(total)} tokens · {count(cached)} in the cached prefix</span>
        {!prompt.current && <span className="muted">updating…</span>}
        <span className="spacer" />
        <label className="field"><span className="muted">Compare with</span>
          <select aria-label="Compare with" value={compare} onChange={(event) => setCompare(event.target.value === 'previous' ? 'previous' : event.target.value === 'step' ? 'step' : 'none')}>
            <option value="none">nothing</option>
            <option value="previous" disabled={step <= 1}>the previous step</option>
            <option value="step">step…</option>
          </select>
        </label>
        {compare === 'step' && <input type="number" aria-label="Step to compare with" min={1} max={line.facts.steps} value={other} onChange={(event) => setOther(Math.max(1, Math.min(line.facts.steps, Number(event.target.value) || 1)))} />}
        <CopyButton label="Copy as OpenAI" text={copy('openai')} />
        <CopyButton label="Copy as Anthropic" text={copy('anthropic')} />
        <ActionMenu label="Export" actions={[
          { label: 'OpenAI messages (JSON)', run: save('openai') },
          { label: 'Anthropic messages (JSON)', run: save('anthropic') },
        ]} />
      </div>
      {compare === 'none' || against < 1
        ? <PromptRows rows={rows} selectedId={selectedId} onSelectId={onSelectId} firstStep={step <= 1} />
        : before.status === 'failed'
          ? <Notice tone="failed" title={`The prompt of step ${against} could not be made`} action={{ label: 'Try again', run: before.retry }}>{before.error?.message}</Notice>
          : before.value === undefined
            ? <Notice tone="loading" title={`Rendering step ${against}`} />
            : <Suspense fallback={<Notice tone="loading" title="Comparing" />}><PromptDiff before={before.value.rows} after={rows} label={`Changes from step ${against} to step ${step}`} /></Suspense>}
    </div>
  );
}
