/**
 * The newest selection report of the open run, for views beside the Selectors tab. They never ask for one: a report
 * costs a worker's time at every step, so it is there where that tab has been opened at the step.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SelectReport } from '../core/selection/types';
import type { OpenLine } from '../workers/api';

export interface ShownSelection {
  line: OpenLine;
  /** The step it was asked for, from 1. */
  step: number;
  report: SelectReport;
}

export type SelectionReportStore = StoreApi<{ shown: ShownSelection | null }>;

export function createSelectionReportStore(): SelectionReportStore {
  return createStore(() => ({ shown: null }));
}
