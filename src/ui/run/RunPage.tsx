import { listPolicies } from '../../core/workspace/policies';
import { useApp, useView } from '../../state/react/app-context';
import { useOpenLine } from '../../state/react/use-run-data';
import { closeRun } from '../../state/view';
import type { LineRef } from '../../core/trace/model';
import type { LibraryRun } from '../../workers/api';
import { Notice } from '../shared/Notice';
import { OpenRun } from './OpenRun';
import './run.css';

const POLICIES = listPolicies();

interface Props { runId: string; run: LibraryRun | undefined; onHelp: () => void; onBrowse: () => void }

/** Opens the line that the address names; the page itself is drawn once its columns are there. */
export function RunPage({ runId, run, onHelp, onBrowse }: Props) {
  const { view } = useApp();
  const thread = useView((state) => state.thread);
  const branch = useView((state) => state.branch);
  const encoding = useView((state) => state.encoding);
  const ref: LineRef | null = thread === null ? null : branch === null ? { thread } : { thread, branch };
  const opened = useOpenLine(runId, ref, encoding);
  const name = run?.name ?? 'Run';
  if (opened.status === 'failed' && opened.value === undefined) {
    return (
      <main className="run-message">
        <Notice tone="failed" title={`${name} could not be opened`} action={{ label: 'Try again', run: opened.retry }}>{opened.error?.message}</Notice>
        <p><button type="button" onClick={() => closeRun(view)}>Back to the library</button></p>
      </main>
    );
  }
  if (opened.value === undefined) {
    return (
      <main className="run-message">
        <Notice tone="loading" title={`Opening ${name}`}>Reading its columns and counting tokens.</Notice>
        <p><button type="button" onClick={() => closeRun(view)}>Back to the library</button></p>
      </main>
    );
  }
  return <OpenRun line={opened.value} name={name} policies={POLICIES} onHelp={onHelp} onBrowse={onBrowse} />;
}
