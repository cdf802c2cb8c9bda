import { useEffect, useState } from 'react';
import type { LibraryRun } from '../../workers/api';
import { useApp } from './app-context';

/** The library, kept current; null until the first answer. */
export function useLibrary(): LibraryRun[] | null {
  const { workbench } = useApp();
  const [runs, setRuns] = useState<LibraryRun[] | null>(null);
  useEffect(() => workbench.library.observe(setRuns), [workbench]);
  return runs;
}
