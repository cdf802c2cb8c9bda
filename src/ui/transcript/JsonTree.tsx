import { useState } from 'react';
import { LongText } from './LongText';
import { count } from '../shared/format';

/** Members drawn at once; the rest is one click away. */
const MAX_CHILDREN = 100;
/** A tree deeper than this is shown as text: nesting is an attack, not a document. */
const MAX_DEPTH = 40;

/** Tool arguments as a tree; text that is not JSON is shown as it is. */
export function JsonTree({ text }: { text: string }) {
  const parsed = parse(text);
  if (parsed === undefined) return <LongText text={text} />;
  return <div className="tree"><Node value={parsed} depth={0} open /></div>;
}

function parse(text: string): unknown {
  // Past this a tree helps nobody and parsing holds up the page.
  if (text.length > 500_000) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function Node({ value, depth, open = false }: { value: unknown; depth: number; open?: boolean }) {
  const [all, setAll] = useState(false);
  if (typeof value === 'string') return value.includes('\n') || value.length > 120 ? <LongText text={value} head={1_200} /> : <span className="tree-string">{value === '' ? '""' : value}</span>;
  if (typeof value !== 'object' || value === null) return <span className="tree-atom">{String(value)}</span>;
  if (depth >= MAX_DEPTH) return <span className="muted">nested deeper than {MAX_DEPTH} levels: see the raw record</span>;
  const entries: [string, unknown][] = Array.isArray(value) ? value.map((one, i) => [String(i), one]) : Object.entries(value);
  const shown = all ? entries : entries.slice(0, MAX_CHILDREN);
  if (entries.length === 0) return <span className="muted">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  const rows = (
    <dl className="tree-rows">
      {shown.map(([key, one]) => <div key={key}><dt>{key}</dt><dd><Node value={one} depth={depth + 1} open={depth < 1} /></dd></div>)}
      {shown.length < entries.length && <div><dt /><dd><button type="button" className="link" onClick={() => setAll(true)}>show {count(entries.length - shown.length)} more</button></dd></div>}
    </dl>
  );
  if (depth === 0) return rows;
  return <details open={open && entries.length <= 12}><summary>{Array.isArray(value) ? `${count(entries.length)} items` : `${count(entries.length)} fields`}</summary>{rows}</details>;
}
