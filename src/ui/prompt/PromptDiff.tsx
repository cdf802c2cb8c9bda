import { useMemo } from 'react';
import { count, plural } from '../shared/format';
import { LongText } from '../transcript/LongText';
import { PromptHead } from './PromptRows';
import { promptDiff, type LineChange, type PromptRow } from './prompt-diff';

/** The prompt against another step's or policy's: unchanged messages folded, changed ones line by line. */
export default function PromptDiff({ before, after, label }: { before: readonly PromptRow[]; after: readonly PromptRow[]; label: string }) {
  const changes = useMemo(() => promptDiff(before, after), [before, after]);
  return (
    <div className="prompt-scroll" tabIndex={0} role="region" aria-label={label}>
      {changes.map((change, i) => {
        if (change.kind === 'same') return <p key={i} className="prompt-same">{plural(change.count, 'message')} unchanged · {count(change.tokens)} tokens</p>;
        if (change.kind === 'changed') {
          return (
            <article key={i} className="prompt-row">
              <PromptHead row={change.after} />
              <pre className="text diff">{change.lines.map((line, at) => <DiffLine key={at} line={line} />)}</pre>
            </article>
          );
        }
        return (
          <article key={i} className={`prompt-row diff-${change.kind}`}>
            <p className="diff-word">{change.kind === 'added' ? '+ added' : '− removed'}</p>
            <PromptHead row={change.row} />
            <LongText text={change.row.text} head={1_200} />
          </article>
        );
      })}
      {changes.length === 1 && changes[0]?.kind === 'same' && <p className="prompt-same">The two prompts are equal.</p>}
    </div>
  );
}

/** Long unchanged runs keep their first and last lines only. */
function DiffLine({ line }: { line: LineChange }) {
  if (line.kind !== 'same') return <span className={`diff-line diff-${line.kind}`}>{prefixed(line.text, line.kind === 'added' ? '+ ' : '− ')}</span>;
  const lines = line.text.split('\n');
  const text = lines.length <= 8 ? line.text : `${lines.slice(0, 3).join('\n')}\n⋯ ${lines.length - 6} lines\n${lines.slice(-3).join('\n')}`;
  return <span className="diff-line">{prefixed(text, '  ')}</span>;
}

function prefixed(text: string, mark: string): string {
  return text.replace(/\n$/, '').split('\n').map((one) => mark + one).join('\n') + '\n';
}
