import { useDeferredValue, useState } from 'react';
import { ROLES } from '../../core/trace/model';
import { useApp } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import { lineKey } from '../../state/react/use-run-data';
import type { OpenLine, SearchHit, SearchQuery } from '../../workers/api';
import { Dialog } from '../shared/Dialog';
import { count, plural } from '../shared/format';
import './search.css';

/** Enough to see that a word is common; a narrower query then says more than a longer list. */
const LIMIT = 500;

export type Where = 'anywhere' | 'in' | 'out';

interface Props {
  line: OpenLine;
  /** Is a message in the context at the playhead? */
  inContext: (messageIndex: number) => boolean;
  onHit: (hit: SearchHit) => void;
  onClose: () => void;
}

/** Searches the text of the whole run, not only what is on screen. */
export function SearchDialog({ line, inContext, onHit, onClose }: Props) {
  const { workbench } = useApp();
  const [text, setText] = useState('');
  const [regex, setRegex] = useState(false);
  const [caseSensitive, setCaseSensitive] = useState(false);
  const [role, setRole] = useState('');
  const [where, setWhere] = useState<Where>('anywhere');
  const wanted = useDeferredValue(text);
  const query: SearchQuery = { text: wanted, regex, caseSensitive, role: role === '' ? undefined : role, limit: LIMIT };
  const key = wanted.length < 2 ? null : JSON.stringify([lineKey(line), query]);
  const found = useResource(key, () => workbench.search(line, query), lineKey(line));
  const hits = key === null ? [] : (found.value ?? []).filter((hit) => where === 'anywhere' || inContext(hit.messageIndex) === (where === 'in'));
  return (
    <Dialog title="Search the run" onClose={onClose} wide>
      <div className="search-bar">
        <input type="search" aria-label="Search for" placeholder="Text in any message" value={text} onChange={(event) => setText(event.target.value)} />
        <label className="inline"><input type="checkbox" checked={regex} onChange={(event) => setRegex(event.target.checked)} />Regular expression</label>
        <label className="inline"><input type="checkbox" checked={caseSensitive} onChange={(event) => setCaseSensitive(event.target.checked)} />Case</label>
        <select aria-label="Role" value={role} onChange={(event) => setRole(event.target.value)}><option value="">any role</option>{ROLES.map((one) => <option key={one} value={one}>{one}</option>)}</select>
        <select aria-label="Where" value={where} onChange={(event) => setWhere(event.target.value === 'in' ? 'in' : event.target.value === 'out' ? 'out' : 'anywhere')}>
          <option value="anywhere">in or out of context</option><option value="in">in context</option><option value="out">out of context</option>
        </select>
      </div>
      <p className="search-state muted" role="status">
        {key === null ? 'Two characters or more.' : found.status === 'failed' ? `Not searched: ${found.error?.message ?? ''}` : found.status === 'loading' ? 'Searching…' : `${plural(hits.length, 'hit')}${(found.value?.length ?? 0) >= LIMIT ? `, the first ${count(LIMIT)}` : ''}`}
      </p>
      <ul className="search-hits">
        {hits.map((hit, i) => (
          <li key={i}>
            <button type="button" onClick={() => onHit(hit)}>
              <span className="muted search-where">{ROLES[line.trajectory.columns.role[line.rows[hit.messageIndex] ?? 0] ?? 0]} {count(hit.messageIndex + 1)}</span>
              <span className="mono cut"><Excerpt text={hit.excerpt} found={regex ? '' : wanted} /></span>
              {!inContext(hit.messageIndex) && <span className="muted small">out of context</span>}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The excerpt with the searched text marked where it is plain text. */
function Excerpt({ text, found }: { text: string; found: string }) {
  const at = found === '' ? -1 : text.toLowerCase().indexOf(found.toLowerCase());
  if (at < 0) return text;
  return <>{text.slice(0, at)}<mark>{text.slice(at, at + found.length)}</mark>{text.slice(at + found.length)}</>;
}
