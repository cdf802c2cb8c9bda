import type { ParameterValue, ReplayRequest } from '../../core/workspace/types';

/** The replayed policy keeps its settings; the others run with their published defaults. */
export function requestOf(id: string, budget: number, policy: string, params: Record<string, ParameterValue> | undefined, totalBudget: number | null): ReplayRequest {
  return { policy: id, params: id === policy ? (params ?? {}) : {}, budget, ...(totalBudget === null ? {} : { totalBudget }) };
}
