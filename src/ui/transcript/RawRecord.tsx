import { useApp } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import { LongText } from './LongText';

/** The source text of a message as it stands in the file. */
export function RawRecord({ runId, row }: { runId: string; row: number }) {
  const { workbench } = useApp();
  const raw = useResource(`${runId} ${row}`, () => workbench.readRaw(runId, row));
  if (raw.status === 'failed') return <p className="danger">The record could not be read: {raw.error?.message} <button type="button" className="link" onClick={raw.retry}>Try again</button></p>;
  if (raw.value === undefined) return <p className="muted">Reading the record…</p>;
  return <div className="raw">{raw.value.map((text, i) => <LongText key={i} text={text} />)}</div>;
}
