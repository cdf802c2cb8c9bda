import type { ScenarioOp, ScenarioOutcome } from '../../core/workspace/scenario/types';
import type { Resource } from '../../state/react/use-resource';
import type { OpenLine } from '../../workers/api';
import { count, plural } from '../shared/format';
import { titleOfBase } from './asked';
import { consequences, stopsApplying } from './consequences';
import type { BeforeAfter } from './use-preview';

/** Listed of what goes along, before "and N more". */
const SHOWN = 6;

/** What an operation would do, before it is done; or why it cannot be. */
export function Preview({ line, op, preview }: { line: OpenLine; op: ScenarioOp | null; preview: Resource<BeforeAfter> }) {
  if (op === null) return null;
  if (preview.status === 'failed') return <p className="operation-preview danger" role="alert">The preview failed: {preview.error?.message} <button type="button" className="link" onClick={preview.retry}>Try again</button></p>;
  const outcome = preview.value?.after.outcomes?.find(({ id }) => id === op.id);
  if (preview.value === undefined || outcome === undefined) return <p className="operation-preview muted" role="status">Looking ahead…</p>;
  const { before, after } = preview.value;
  const stops = stopsApplying(before, after);
  return (
    <section className="operation-preview" aria-label="Preview" aria-busy={!preview.current}>
      <p role="status" className={outcome.applied ? '' : 'danger'}>{outcome.applied ? verdict(outcome) : outcome.refused}</p>
      {outcome.applied && (
        <>
          <GoesAlong line={line} outcome={outcome} />
          {outcome.notes.map((note) => <p key={note} className="muted">{note}</p>)}
          {stops.length > 0 && <p className="danger">{plural(stops.length, 'later operation')} would no longer apply ({stops.map(({ id }) => id).join(', ')}). {stops.length === 1 ? 'It stays' : 'They stay'} in the list, marked.</p>}
          <table className="operation-table" aria-label="What follows">
            <thead><tr><th scope="col">Over the whole run, simulated</th><th scope="col" className="num">Scenario now</th><th scope="col" className="num">With it</th></tr></thead>
            <tbody>
              {consequences(before, after).map(({ what, title, now, then, worse }) => (
                <tr key={what}><th scope="row" title={title}>{what}</th><td className="num">{now}</td><td className={`num ${now === then ? '' : worse ? 'danger' : 'operation-better'}`}>{then}</td></tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

function verdict({ tokensBefore, tokensAfter }: ScenarioOutcome): string {
  const freed = tokensBefore - tokensAfter;
  const what = freed > 0 ? `Frees ${count(freed)} tokens` : freed < 0 ? `Adds ${count(-freed)} tokens` : 'Frees no tokens';
  return `${what}: ${count(tokensBefore)} → ${count(tokensAfter)} in the context at this step (exact).`;
}

function GoesAlong({ line, outcome: { ids, bases, cascade } }: { line: OpenLine; outcome: ScenarioOutcome }) {
  if (cascade.length === 0) return null;
  return (
    <div>
      <p>{plural(cascade.length, 'block')} {cascade.length === 1 ? 'goes' : 'go'} along as call or result:</p>
      <ul className="operation-blocks">
        {cascade.slice(0, SHOWN).map((id) => {
          const base = bases[ids.indexOf(id)] ?? -1;
          return <li key={id}><span className="mono">{id}</span>{base < 0 ? ' · stand-in' : ` · ${titleOfBase(line, base)}`}</li>;
        })}
        {cascade.length > SHOWN && <li className="muted">and {count(cascade.length - SHOWN)} more</li>}
      </ul>
    </div>
  );
}
