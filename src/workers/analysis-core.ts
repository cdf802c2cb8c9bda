import type { TraceReader } from '../core/import/types';
import type { EncodingName } from '../core/trace/blocks-types';
import type { LineRef, Trajectory } from '../core/trace/model';
import type { InvariantOptions, InvariantReport } from '../core/workspace/invariants';
import type { LossOfOp } from '../core/workspace/loss';
import type { RenderTarget, RenderedPrompt, Replay, ReplayInput, ReplayRequest } from '../core/workspace/types';
import type { LineAnalysis } from '../storage/rows';

export interface AnalyseOptions { signal?: AbortSignal; onProgress?: (done: number, total: number) => void }

/** What a prompt is rendered from: the line's columns, and a reader for the texts. */
export interface RenderInput extends ReplayInput {
  trajectory: Trajectory;
  line: LineRef;
  rows: Uint32Array;
  reader: TraceReader;
}

/** The computing that analysis needs of `core`, as one argument: token tables load at the first use, tests count simply. */
export interface AnalysisCore {
  analyse(reader: TraceReader, trajectory: Trajectory, line: LineRef, encoding: EncodingName, options: AnalyseOptions): Promise<LineAnalysis>;
  replay(input: ReplayInput, request: ReplayRequest): Promise<Replay>;
  render(input: RenderInput, replay: Replay, step: number, as: RenderTarget): Promise<RenderedPrompt>;
  invariants(input: RenderInput, replay: Replay, request: ReplayRequest, options: InvariantOptions): Promise<InvariantReport>;
  lossAt(input: RenderInput, replay: Replay, step: number): Promise<LossOfOp[]>;
}
