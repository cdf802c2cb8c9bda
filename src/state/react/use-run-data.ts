/** Hooks for what the workers compute about the open run. Each is the newest answer for its inputs. */
import { runJob } from '../jobs';
import { useApp } from './app-context';
import { useResource, type Resource } from './use-resource';
import type { EncoderId } from '../../core/embedding/types';
import type { LabPart, LabReport, LabSettings } from '../../core/selection/lab';
import type { GeometryOverTime, GeometryReport, SelectReport, SelectSettings } from '../../core/selection/types';
import type { EncodingName } from '../../core/trace/blocks-types';
import type { LineRef } from '../../core/trace/model';
import type { SourceChoice, UseByAge } from '../../core/evidence/evidence-by-age';
import type { ManagerAudit } from '../../core/workspace/audit';
import type { LossOfOp } from '../../core/workspace/loss';
import type { RenderTarget, RenderedPrompt, Replay, ReplayRequest } from '../../core/workspace/types';
import { ContextscopeError, throwIfCancelled } from '../../core/base/errors';
import type { OpenLine } from '../../workers/api';

export function lineKey(line: OpenLine): string {
  return JSON.stringify([line.runId, line.line, line.blocks.encoding, line.blocks.tokensAre, line.blocks.n]);
}

export function useOpenLine(runId: string | null, line: LineRef | null, encoding: EncodingName): Resource<OpenLine> {
  const { workbench, jobs } = useApp();
  const key = runId === null ? null : JSON.stringify([runId, line, encoding]);
  return useResource(
    key,
    async (signal) => {
      const opened = await runJob(jobs, 'Opening the run', (options) => workbench.openLine(runId ?? '', line, encoding, options), signal);
      if (opened === undefined && !signal.aborted) throw new ContextscopeError('internal', 'Opening was cancelled. Nothing was lost: open the run again to go on.');
      if (opened === undefined) throw new ContextscopeError('cancelled', 'Cancelled.');
      return opened;
    },
    runId ?? '',
    true,
  );
}

/** `lane`: a second replay of the same policy beside the live one needs a lane of its own. */
export function useReplay(line: OpenLine | undefined, request: ReplayRequest, lane?: string): Resource<Replay> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  return useResource(line === undefined ? null : scope + JSON.stringify(request), () => workbench.replay(need(line), request, lane), scope, true);
}

/** Messages from which on a prompt waits until the playhead rests: reading one of megabytes takes more than a frame. */
const LONG_PROMPT = 300;
const REST_MS = 300;
const isLong = new WeakMap<OpenLine, boolean>();

/** `step` 0 = nothing to render (the step before the first). Short prompts follow the playhead, long ones come when it rests. */
export function useRender(line: OpenLine | undefined, request: ReplayRequest, step: number, as: RenderTarget): Resource<RenderedPrompt> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  const key = line === undefined || step < 1 ? null : scope + JSON.stringify([request, step, as]);
  return useResource(key, async (signal) => {
    const open = need(line);
    if (isLong.get(open) === true) await rest(REST_MS, signal);
    const prompt = await workbench.render(open, request, step, as);
    isLong.set(open, prompt.rows.length >= LONG_PROMPT);
    return prompt;
  }, scope);
}

/** Rejects with `cancelled` where something newer is asked for meanwhile. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  throwIfCancelled(signal);
}

/** `encoder` null = its vectors are not ready yet: nothing is asked. */
export function useSelect(line: OpenLine | undefined, encoder: EncoderId | null, settings: SelectSettings): Resource<SelectReport> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  const key = line === undefined || encoder === null || settings.checkpoint < 1 ? null : scope + JSON.stringify([encoder, settings]);
  return useResource(key, () => workbench.select(need(line), encoder ?? 'static-minilm-384@1', settings), scope);
}

/** The eigenvectors of a replacement take a second on long histories: they come when the playhead rests. */
const LAB_REST_MS = 200;

/** One part of the laboratory; `part` null = none is shown, nothing is asked. */
export function useLab(line: OpenLine | undefined, encoder: EncoderId | null, part: LabPart | null, settings: LabSettings): Resource<LabReport> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : `${lineKey(line)} ${part}`;
  const key = line === undefined || encoder === null || part === null || settings.checkpoint < 1 ? null : scope + JSON.stringify([encoder, settings]);
  return useResource(key, async (signal) => {
    if (part === 'replacement') await rest(LAB_REST_MS, signal);
    return workbench.lab(need(line), encoder ?? 'static-minilm-384@1', part ?? 'capacity', settings);
  }, scope);
}

export function useGeometry(line: OpenLine | undefined, encoder: EncoderId | null, checkpoint: number, seed: number, call?: number): Resource<GeometryReport> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  const key = line === undefined || encoder === null || checkpoint < 2 ? null : scope + JSON.stringify([encoder, checkpoint, seed, call]);
  return useResource(key, () => workbench.geometry(need(line), encoder ?? 'static-minilm-384@1', checkpoint, seed, call), scope);
}

/** UMAP takes seconds: it is asked for when the playhead rests, shows as a job and can be cancelled. */
const UMAP_REST_MS = 400;

/** `wanted` false = the page shows another map. A cancelled one fails with words, so that it can be asked for again. */
export function useUmap(line: OpenLine | undefined, encoder: EncoderId | null, checkpoint: number, seed: number, wanted: boolean): Resource<{ checkpoint: number; map: number[] }> {
  const { workbench, jobs } = useApp();
  const scope = line === undefined ? '' : `${lineKey(line)} umap`;
  const key = line === undefined || encoder === null || !wanted || checkpoint < 2 ? null : scope + JSON.stringify([encoder, checkpoint, seed]);
  return useResource(key, async (signal) => {
    await rest(UMAP_REST_MS, signal);
    const map = await runJob(jobs, 'UMAP of the blocks', (options) => workbench.umap(need(line), encoder ?? 'static-minilm-384@1', checkpoint, seed, options), signal);
    if (map === undefined) throw new ContextscopeError(signal.aborted ? 'cancelled' : 'internal', 'UMAP was cancelled.');
    return { checkpoint, map };
  }, scope);
}

export function useGeometryOverTime(line: OpenLine | undefined, encoder: EncoderId | null, seed: number): Resource<GeometryOverTime> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  const key = line === undefined || encoder === null ? null : scope + JSON.stringify([encoder, seed, 'over time']);
  return useResource(key, () => workbench.geometryOverTime(need(line), encoder ?? 'static-minilm-384@1', seed), scope);
}

export function useLoss(line: OpenLine | undefined, request: ReplayRequest, step: number): Resource<LossOfOp[]> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  return useResource(line === undefined ? null : scope + JSON.stringify([request, step, 'loss']), () => workbench.lossAt(need(line), request, step), scope);
}

/** Every removal of the replay and what became of it. */
export function useAudit(line: OpenLine | undefined, request: ReplayRequest): Resource<ManagerAudit> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  return useResource(line === undefined ? null : scope + JSON.stringify([request, 'audit']), () => workbench.audit(need(line), request), scope);
}

export function useEvidenceByAge(line: OpenLine | undefined, source: SourceChoice): Resource<UseByAge> {
  const { workbench } = useApp();
  const scope = line === undefined ? '' : lineKey(line);
  return useResource(line === undefined ? null : `${scope} age ${source}`, () => workbench.evidenceByAge(need(line), source), scope);
}

function need(line: OpenLine | undefined): OpenLine {
  if (line === undefined) throw new ContextscopeError('internal', 'No run is open.');
  return line;
}
