import type { EncoderId } from '../core/embedding/types';
import type { LabPart, LabSettings } from '../core/selection/lab';
import type { SelectSettings } from '../core/selection/types';
import type { Repository } from '../storage/repository';
import type { Progress } from './api';
import type { LineAddress } from './lines';
import { paced } from './pace';
import { OpenRuns, type CreateTraceReader } from './read-service';
import type { CallContext, Handlers } from './rpc-server';
import { SelectionService } from './selection-service';

/** What selection.worker.ts answers. */
export function selectionHandlers(repository: Promise<Repository>, createTraceReader: CreateTraceReader, loadCounter: () => Promise<(text: string) => number>): Handlers {
  const service = repository.then((opened) => new SelectionService(opened, new OpenRuns(opened, createTraceReader), loadCounter));
  service.catch(() => undefined);
  return {
    embeddingPlan: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, firstBlocks: number[]) => (await service).embeddingPlan(address, encoder, firstBlocks, signal),
    textsOf: async (_: CallContext, address: LineAddress, hashes: string[]) => (await service).textsOf(address, hashes),
    holdVectors: async (_: CallContext, address: LineAddress, encoder: EncoderId, vectors: { hash: string; vector: Float32Array }[]) => (await service).holdVectors(address, encoder, vectors),
    select: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, settings: SelectSettings) => (await service).select(address, encoder, settings, signal),
    lab: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, part: LabPart, settings: LabSettings) => (await service).lab(address, encoder, part, settings, signal),
    geometry: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, checkpoint: number, seed: number, call?: number) => (await service).geometry(address, encoder, checkpoint, seed, call, signal),
    geometryOverTime: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, seed: number) => (await service).geometryOverTime(address, encoder, seed, signal),
    readVectors: async (_: CallContext, name: string, file: Blob) => (await service).readVectors(name, file),
    vectorsCoverage: async (_: CallContext, address: LineAddress, encoder: EncoderId) => (await service).vectorsCoverage(address, encoder),
    forgetEncoder: async (_: CallContext, encoder: EncoderId) => (await service).forgetEncoder(encoder),
    umap: async ({ signal, emit }: CallContext, address: LineAddress, encoder: EncoderId, checkpoint: number, seed: number) => {
      const report = paced((progress: Progress) => emit('progress', progress));
      return (await service).umap(address, encoder, checkpoint, seed, (done, total) => report({ label: 'UMAP of the blocks', done: (100 * done) / total, total: 100, unit: '%' }), signal);
    },
    forwarding: async ({ signal }: CallContext, address: LineAddress, encoder: EncoderId, calls: number[]) => (await service).forwarding(address, encoder, calls, signal),
    closeRun: async (_: CallContext, runId: string) => (await service).closeRun(runId),
  };
}
