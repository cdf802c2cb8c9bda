import { useJobs } from '../../state/react/app-context';
import { useResource } from '../../state/react/use-resource';
import type { FirstSteps } from '../../workers/api';
import { KindTag } from '../shared/KindTag';
import { bytes, count } from '../shared/format';
import { firstMessages } from './first-look';
import { loadFormats } from './formats';

/** The first messages of a file that is still being read: enough to see that it is the right one. */
export function FirstLook({ first }: { first: FirstSteps }) {
  const formats = useResource('formats', loadFormats).value ?? [];
  const progress = useJobs((state) => state.jobs.find((job) => job.progress.unit === 'bytes' && job.progress.label.startsWith('Importing'))?.progress);
  const known = progress !== undefined && progress.total > 0;
  return (
    <section className="first-look" aria-label="First steps">
      <header className="first-look-head">
        <h2>First steps</h2>
        <strong className="mono cut" title={first.file}>{first.file}</strong>
        <span className="muted">{formats.find(({ id }) => id === first.format)?.title ?? first.format}{first.model === null ? '' : ` · ${first.model}`}</span>
      </header>
      <ol className="first-look-messages">
        {firstMessages(first.messages).map((message, i) => (
          <li key={i}>
            <span className="first-look-kind"><KindTag kind={message.kind} isError={message.isError} /></span>
            <p>
              {message.text === '' && message.calls.length === 0 && <span className="muted">empty</span>}
              {message.text}{message.text !== '' && ' '}
              {message.calls.map((name, c) => <span key={c} className="first-look-call mono">{name}</span>)}
            </p>
          </li>
        ))}
      </ol>
      <p className="first-look-rest muted">
        <span className="spinner" aria-hidden="true" />
        The rest is arriving…{known ? ` ${bytes(progress.done)} of ${bytes(progress.total)}, ${count((100 * progress.done) / progress.total)} %` : ''}
      </p>
    </section>
  );
}
