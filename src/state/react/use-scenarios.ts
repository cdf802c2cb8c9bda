/** The manual scenarios of the open line, and which of them the page replays. */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { OpenLine } from '../../workers/api';
import { createScenarioDesk, type DeskScenario, type ScenarioDesk } from '../scenario-desk';
import { useApp, useView } from './app-context';

export interface ManualScenarios {
  desk: ScenarioDesk;
  /** Oldest first; null = being read from storage. */
  scenarios: readonly DeskScenario[] | null;
  /** The one in use; null = none yet, or the address names one that is not here. */
  active: DeskScenario | null;
  /** The address names one that is not stored in this browser. */
  missing: boolean;
  /** Its operations; the same list until it changes. */
  ops: readonly ScenarioOp[];
  /** Why the last change could not be stored. */
  problem: string | null;
  /** Why what is stored could not be read. */
  unread: string | null;
}

const NO_OPS: readonly ScenarioOp[] = [];

export function useScenarios({ runId, line }: OpenLine): ManualScenarios {
  const { workbench } = useApp();
  const { thread, branch } = line;
  const desk = useMemo(() => createScenarioDesk(workbench.scenarios, runId, branch === undefined ? { thread } : { thread, branch }), [workbench, runId, thread, branch]);
  useEffect(() => desk.start(), [desk]);
  const { scenarios, problem, unread } = useStore(desk);
  const wanted = useView((view) => view.scenario);
  const active = useMemo(() => activeOf(scenarios ?? [], wanted), [scenarios, wanted]);
  // One object until something changes: all panes hold it, and the page renders with every step of the playhead.
  return useMemo(
    () => ({ desk, scenarios, active, missing: scenarios !== null && wanted !== null && active === null, ops: active?.edit.ops ?? NO_OPS, problem, unread }),
    [desk, scenarios, active, wanted, problem, unread],
  );
}

/** The one that the address names, else the one changed last. */
function activeOf(scenarios: readonly DeskScenario[], wanted: string | null): DeskScenario | null {
  if (wanted !== null) return scenarios.find(({ id }) => id === wanted) ?? null;
  return scenarios.reduce<DeskScenario | null>((newest, one) => (newest === null || one.changedMs > newest.changedMs ? one : newest), null);
}
