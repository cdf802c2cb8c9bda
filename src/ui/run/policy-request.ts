import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { ParameterValue, ReplayRequest } from '../../core/workspace/types';

/** The replayed policy keeps its settings; the others run with their published defaults, and `manual` with the scenario in use. */
export function requestOf(id: string, budget: number, policy: string, params: Record<string, ParameterValue> | undefined, totalBudget: number | null, scenario: readonly ScenarioOp[]): ReplayRequest {
  return {
    policy: id, params: id === policy ? (params ?? {}) : {}, budget, ...(totalBudget === null ? {} : { totalBudget }),
    ...(id === 'manual' ? { scenario } : {}),
  };
}
