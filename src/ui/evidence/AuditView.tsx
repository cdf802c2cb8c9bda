import { useState } from 'react';
import type { AuditRow, ManagerAudit } from '../../core/workspace/audit';
import type { Loaded } from '../policies/DifferenceView';
import { Notice } from '../shared/Notice';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count, middleCut } from '../shared/format';
import { auditSentence, auditTable } from './audit-table';

/** Rows drawn at first. */
const FIRST_ROWS = 200;
type Only = 'all' | 'used' | 'missed' | 'back';
const KEEP: Record<Only, (row: AuditRow) => boolean> = { all: () => true, used: ({ usedAt }) => usedAt !== null, missed: ({ missedAt }) => missedAt !== null, back: ({ backAt }) => backAt !== null };

interface Props { audit: Loaded<ManagerAudit>; policy: string; onSelect: (block: number) => void; onStep: (step: number) => void }

/** Every removal of the replayed policy, and what became of what went. Under `recorded`: the agent's own manager. */
export function AuditView({ audit, policy, onSelect, onStep }: Props) {
  const [only, setOnly] = useState<Only>('all');
  const [all, setAll] = useState(false);
  const found = audit.current ? audit.value : undefined;
  const rows = found?.rows.filter(KEEP[only]) ?? [];
  const to = (step: number | null) => (step === null ? <span className="muted">–</span> : <button type="button" className="link" onClick={() => onStep(step)}>{count(step)}</button>);
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">{policy === 'recorded' ? 'What the agent’s own manager took out' : <>Removals by <span className="mono">{policy}</span></>}</span>
        <label className="field"><span className="muted">Show</span>
          <select aria-label="Removals shown" value={only} onChange={(event) => { setAll(false); setOnly((['all', 'used', 'missed', 'back'] as const).find((one) => one === event.target.value) ?? 'all'); }}>
            <option value="all">all</option><option value="used">used again</option><option value="missed">missed by a call</option><option value="back">came back</option>
          </select>
        </label>
        <span className="spacer" />
        {found && <TableMenu name={() => fileName('audit', policy)} rows={() => auditTable(found)} caption={`Removals by ${policy} and what became of them`} />}
      </div>
      {audit.error !== null ? <Notice tone="failed" title="The removals could not be audited" action={{ label: 'Try again', run: audit.retry }}>{audit.error.message}</Notice>
        : found === undefined ? <Notice tone="loading" title="Following what went" />
          : found.rows.length === 0 ? <Notice title={policy === 'recorded' ? 'This record holds no compaction, clearing or archive' : `${policy} took nothing out of this run at this budget`}>{policy === 'recorded' ? 'Choose another policy above to audit what it would have taken out.' : 'Choose a smaller budget, or another policy.'}</Notice>
            : (
              <div className="evidence-scroll" tabIndex={0} role="region" aria-label="Audit of removals">
                <p className="evidence-note"><strong>{auditSentence(found)}</strong> <span className="muted">Used = a later call repeats a rare string of it word for word (a lower bound); missed = no block in the context held that string then. Read again = the agent got the same bytes anew.</span></p>
                <table aria-label="Audit of removals" className="audit">
                  <thead><tr>
                    <th scope="col" className="num">Step</th><th scope="col">Operation</th><th scope="col" className="num">Blocks</th><th scope="col" className="num" title="Context before − after, counted by the tokenizer">Freed</th>
                    <th scope="col" className="num" title="First call that repeats something of it">Used at</th><th scope="col" className="num">Uses</th><th scope="col" className="num" title="First call for which no visible block held the string">Missed at</th><th scope="col">Missed string</th>
                    <th scope="col" className="num">Back at</th><th scope="col">How</th><th scope="col" className="num" title="Steps from the removal until some of it was there again">Delay</th><th scope="col" className="num">Tokens back</th><th scope="col">Undone</th><th scope="col">Reason</th>
                  </tr></thead>
                  <tbody>
                    {(all ? rows : rows.slice(0, FIRST_ROWS)).map((row) => (
                      <tr key={row.opIndex}>
                        <td className="num">{to(row.step)}</td>
                        <td><span className="audit-op">{row.op}</span> {row.ids.slice(0, 3).map((id) => <button key={id} type="button" className="link mono audit-id" onClick={() => onSelect(Number(id.slice(1)) - 1)}>{id}</button>)}{row.ids.length > 3 && <span className="muted">+{row.ids.length - 3}</span>}</td>
                        <td className="num">{count(row.blocks)}</td><td className="num">{count(row.tokensFreed)}</td>
                        <td className="num">{to(row.usedAt)}</td><td className="num">{row.uses === 0 ? <span className="muted">–</span> : count(row.uses)}</td>
                        <td className={`num ${row.missedAt === null ? '' : 'evidence-lost'}`}>{to(row.missedAt)}</td>
                        <td className="mono audit-text" title={row.missedLexeme ?? ''}>{row.missedLexeme === null ? '' : middleCut(row.missedLexeme.replace(/\s+/g, ' '), 28)}</td>
                        <td className="num">{to(row.backAt)}</td><td>{row.back ?? ''}</td><td className="num">{row.delaySteps ?? ''}</td><td className="num">{row.tokensBack === 0 ? '' : count(row.tokensBack)}</td>
                        <td>{row.undone}</td><td className="audit-text muted" title={row.reason}>{row.reason}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                {!all && rows.length > FIRST_ROWS && <button type="button" className="link audit-more" onClick={() => setAll(true)}>Show all {count(rows.length)}</button>}
                {rows.length === 0 && <p className="muted evidence-note">None of them.</p>}
              </div>
            )}
    </div>
  );
}
