import { Notice } from '../shared/Notice';

/** The library could not be opened: what happened, and the one thing to try. */
export function StartFailed({ message }: { message: string }) {
  return (
    <main className="run-message">
      <Notice tone="failed" title="Contextscope could not start" action={{ label: 'Reload', run: () => window.location.reload() }}>{message}</Notice>
    </main>
  );
}
