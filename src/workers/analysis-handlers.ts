import type { SourceChoice } from '../core/evidence/evidence-by-age';
import type { EncoderId } from '../core/embedding/types';
import type { LineSelection } from '../core/selection/line-selection';
import type { EncodingName } from '../core/trace/blocks-types';
import type { LineRef } from '../core/trace/model';
import type { RenderTarget, ReplayRequest } from '../core/workspace/types';
import type { Repository } from '../storage/repository';
import type { AnalysisCore } from './analysis-core';
import { AnalysisService } from './analysis-service';
import type { LineAddress } from './lines';
import { OpenRuns, type CreateTraceReader } from './read-service';
import { InPieces, type CallContext, type Handlers } from './rpc-server';

/** What analysis.worker.ts answers. Results are cloned, not moved: the service keeps them for the next question. */
export function analysisHandlers(repository: Promise<Repository>, createTraceReader: CreateTraceReader, core: AnalysisCore): Handlers {
  const service = repository.then((opened) => new AnalysisService(opened, new OpenRuns(opened, createTraceReader), core));
  service.catch(() => undefined);
  return {
    openLine: async ({ signal, emit }: CallContext, runId: string, line: LineRef | null, encoding: EncodingName) =>
      new InPieces(await (await service).openLine(runId, line, encoding, { signal, onProgress: (progress) => emit('progress', progress) })),
    replay: async (_: CallContext, address: LineAddress, request: ReplayRequest) => new InPieces(await (await service).replay(address, request)),
    render: async (_: CallContext, address: LineAddress, request: ReplayRequest, step: number, as: RenderTarget) => new InPieces(await (await service).render(address, request, step, as)),
    replayMany: async ({ signal, emit }: CallContext, address: LineAddress, requests: readonly ReplayRequest[], strips: boolean) =>
      (await service).replayMany(address, requests, strips, (index, outcome) => emit('outcome', { index, outcome }), signal),
    audit: async (_: CallContext, address: LineAddress, request: ReplayRequest) => (await service).audit(address, request),
    evidenceByAge: async (_: CallContext, address: LineAddress, source: SourceChoice) => (await service).evidenceByAge(address, source),
    invariants: async ({ signal, emit }: CallContext, address: LineAddress, requests: readonly ReplayRequest[], everyStep: boolean) =>
      (await service).invariants(address, requests, everyStep, (index, outcome) => emit('outcome', { index, outcome }), signal),
    lacksSelection: async (_: CallContext, address: LineAddress, encoder: EncoderId) => (await service).lacksSelection(address, encoder),
    bringSelection: async (_: CallContext, address: LineAddress, selection: LineSelection) => (await service).bringSelection(address, selection),
    lossAt: async (_: CallContext, address: LineAddress, request: ReplayRequest, step: number) => (await service).lossAt(address, request, step),
    closeRun: async (_: CallContext, runId: string) => (await service).closeRun(runId),
  };
}
