import type { EncoderId } from '../../core/embedding/types';
import { listPolicies } from '../../core/workspace/policies';
import type { ScenarioOp } from '../../core/workspace/scenario/types';
import type { ParameterValue, ReplayRequest } from '../../core/workspace/types';

const READS_VECTORS = new Set(listPolicies().filter(({ needsVectors }) => needsVectors).map(({ id }) => id));

/** Does the policy need an encoder? */
export const readsVectors = (policy: string): boolean => READS_VECTORS.has(policy);

/** Names the encoder where the policy reads vectors: the workbench then brings them. */
export const withEncoder = (request: ReplayRequest, encoder: EncoderId): ReplayRequest => (readsVectors(request.policy) ? { ...request, encoder } : request);

/** The replayed policy keeps its settings; the others run with their published defaults, and `manual` with the scenario in use. */
export function requestOf(
  id: string, budget: number, policy: string, params: Record<string, ParameterValue> | undefined, totalBudget: number | null, scenario: readonly ScenarioOp[], encoder: EncoderId,
): ReplayRequest {
  return withEncoder({
    policy: id, params: id === policy ? (params ?? {}) : {}, budget, ...(totalBudget === null ? {} : { totalBudget }),
    ...(id === 'manual' ? { scenario } : {}),
  }, encoder);
}
