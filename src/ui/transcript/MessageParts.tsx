import { lazy, memo, Suspense } from 'react';
import type { ContentPart, Part } from '../../core/trace/model';
import { Picture } from './Picture';
import { PicturesOf, imagePartsOf, type RecordSource } from './PicturesOf';
import { JsonTree } from './JsonTree';
import { LongText } from './LongText';

const Markdown = lazy(() => import('./Markdown'));

/** The parts of a message, readable. Assistant and user text is Markdown; tool output is text. With `source` pictures that its record holds are shown; calls in `unanswered` say that their result is missing. */
export function MessageParts({ parts, markdown, source, unanswered }: { parts: readonly Part[]; markdown: boolean; source?: RecordSource; unanswered?: ReadonlySet<string> }) {
  const views = parts.map((part, i) => <View key={i} part={part} markdown={markdown} isUnanswered={part.type === 'tool_call' && unanswered?.has(part.id) === true} />);
  if (source === undefined || imagePartsOf(parts).length === 0) return <>{views}</>;
  return <PicturesOf parts={parts} source={source}>{views}</PicturesOf>;
}

/** A step makes new rows of the same messages; their Markdown is not read again. */
const View = memo(PartView);

function PartView({ part, markdown, isUnanswered }: { part: Part; markdown: boolean; isUnanswered: boolean }) {
  switch (part.type) {
    case 'text':
      return markdown ? <MarkdownText text={part.text} /> : <LongText text={part.text} />;
    case 'reasoning':
      return (
        <details className="reasoning" open={part.text.length < 1_200}>
          <summary>reasoning{part.redacted === true ? ' (encrypted by the provider)' : ''}</summary>
          {part.text === '' ? <p className="muted">No text was recorded.</p> : <LongText text={part.text} />}
        </details>
      );
    case 'tool_call':
      return (
        <section className="call">
          <p className="call-head"><span className="mono"><strong>{part.name || 'call'}</strong></span>{part.id !== '' && <span className="muted mono small"> {part.id}</span>}</p>
          {part.fenced === true ? <LongText text={part.args} /> : <JsonTree text={part.args} />}
          {isUnanswered && <p className="muted call-unanswered">no result in this file</p>}
        </section>
      );
    case 'tool_result':
      return (
        <section className={part.isError === true ? 'result result-error' : 'result'}>
          {(part.isError === true || part.exitCode !== undefined) && <p className="call-head">{part.isError === true && <span className="danger">error </span>}{part.exitCode !== undefined && <span className="muted">exit code {part.exitCode}</span>}</p>}
          {part.content.length === 0 && <p className="muted">empty result</p>}
          {part.content.map((content, i) => <Content key={i} part={content} />)}
        </section>
      );
    default:
      return <Content part={part} />;
  }
}

function Content({ part }: { part: ContentPart }) {
  if (part.type === 'text') return <LongText text={part.text} />;
  if (part.type === 'image') return <Picture part={part} />;
  return <details className="other"><summary>{part.kind} (kept raw)</summary><LongText text={part.raw} /></details>;
}

function MarkdownText({ text }: { text: string }) {
  return (
    <LongText text={text} head={5_000} render={(piece) => (
      // Past this Markdown costs more than it shows; the text itself is complete.
      piece.length > 100_000 ? <pre className="text">{piece}</pre> : <Suspense fallback={<pre className="text">{piece}</pre>}><Markdown text={piece} /></Suspense>
    )} />
  );
}
