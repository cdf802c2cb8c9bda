/** React's binding to the stores and the workbench: one context, made once in main.tsx. */
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { Workbench } from '../../workers/api';
import type { CorpusState, CorpusStore } from '../corpus';
import type { ImportMarks } from '../import-marks';
import type { ImportsState, ImportsStore } from '../imports';
import type { JobsState, JobsStore } from '../jobs';
import type { Preferences, PreferencesStore } from '../preferences';
import type { ViewState, ViewStore } from '../view';

export interface AppServices {
  workbench: Workbench;
  view: ViewStore;
  jobs: JobsStore;
  imports: ImportsStore;
  preferences: PreferencesStore;
  corpus: CorpusStore;
  marks?: ImportMarks;
}

export const AppContext = createContext<AppServices | null>(null);

export function useApp(): AppServices {
  const services = useContext(AppContext);
  if (services === null) throw new Error('AppContext is missing: wrap the view in AppContext.Provider');
  return services;
}

export function useView<T>(select: (view: ViewState) => T): T {
  return useStore(useApp().view, select);
}

export function useJobs<T>(select: (jobs: JobsState) => T): T {
  return useStore(useApp().jobs, select);
}

export function useCorpus<T>(select: (corpus: CorpusState) => T): T {
  return useStore(useApp().corpus, select);
}

export function usePreference<T>(select: (preferences: Preferences) => T): T {
  return useStore(useApp().preferences, select);
}

export function useImports<T>(select: (imports: ImportsState) => T): T {
  return useStore(useApp().imports, select);
}
