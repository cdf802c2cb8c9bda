/** What a scenario comes to with and without one more operation. Computed in the worker; what is finished is kept there. */
import { throwIfCancelled } from '../../core/base/errors';
import type { ReplaySummary } from '../../core/workspace/summary';
import type { ReplayRequest } from '../../core/workspace/types';
import { useApp } from '../../state/react/app-context';
import { useResource, type Resource } from '../../state/react/use-resource';
import { lineKey } from '../../state/react/use-run-data';
import type { OpenLine, Workbench } from '../../workers/api';

export interface BeforeAfter { before: ReplaySummary; after: ReplaySummary }
type Requests = readonly [ReplayRequest, ReplayRequest];

/** A key that is typed: only what it rests on is computed. */
const REST_MS = 200;

export async function askPreview(workbench: Workbench, line: OpenLine, requests: Requests, signal?: AbortSignal): Promise<BeforeAfter> {
  const [before, after] = await workbench.replayMany(line, requests, { strips: false, ...(signal ? { signal } : {}) });
  for (const outcome of [before, after]) if (outcome && 'error' in outcome) throw new Error(outcome.error);
  if (!before || !after || 'error' in before || 'error' in after) throw new Error('The replay gave no answer.');
  return { before: before.summary, after: after.summary };
}

export function usePreview(line: OpenLine, requests: Requests | null): Resource<BeforeAfter> {
  const { workbench } = useApp();
  const scope = lineKey(line);
  const resource: Resource<BeforeAfter> = useResource(requests === null ? null : scope + JSON.stringify(requests), async (signal) => {
    if (resource.value !== undefined) await new Promise((resolve) => setTimeout(resolve, REST_MS));
    throwIfCancelled(signal);
    if (requests === null) throw new Error('Nothing was asked for.');
    return askPreview(workbench, line, requests, signal);
  }, scope);
  return resource;
}
