import { useEffect, useState } from 'react';
import { useApp } from './app-context';

const EVERY_MS = 5_000;

/**
 * Why the store of this page no longer answers (its database was deleted or taken over by another tab, which tells
 * those who watch the library nothing); null = it answers. Asked when the page is looked at again, and now and then.
 */
export function useStorageProblem(): string | null {
  const { workbench } = useApp();
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let stopped = false;
    const ask = (): void => {
      if (document.visibilityState === 'hidden') return;
      // The cheapest question that reads the database: a report that cannot be there.
      workbench.library.report('').then(
        () => { if (!stopped) setProblem(null); },
        (error: unknown) => { if (!stopped) setProblem(error instanceof Error ? error.message : String(error)); },
      );
    };
    const timer = setInterval(ask, EVERY_MS);
    window.addEventListener('focus', ask);
    document.addEventListener('visibilitychange', ask);
    return () => {
      stopped = true;
      clearInterval(timer);
      window.removeEventListener('focus', ask);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [workbench]);
  return problem;
}
