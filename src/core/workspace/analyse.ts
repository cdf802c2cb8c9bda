import { analyseLine, type AnalyseOptions, type LineAnalysis, type LineReader } from '../evidence/analyse';
import type { BlockCounter } from '../trace/blocks-tokens';
import type { EncodingName } from '../trace/blocks-types';
import type { LineRef, Trajectory } from '../trace/model';
import { RecordedCallReader } from './recorded-calls';
import { recordedOps } from './recorded-ops';
import type { RecordedOp } from './types';

/** One pass over a line: its columns, and what the recorded agent did to its own context (events and calls), by step. */
export async function analyseRecordedLine(
  reader: LineReader,
  trajectory: Trajectory,
  line: LineRef,
  counter: (BlockCounter & { readonly encoding: EncodingName }) | null,
  options: AnalyseOptions = {},
): Promise<LineAnalysis & { recorded: RecordedOp[] }> {
  const calls = new RecordedCallReader();
  const analysis = await analyseLine(reader, trajectory, line, counter, {
    ...options,
    onMessage: (message) => {
      calls.add(message);
      options.onMessage?.(message);
    },
  });
  const events = recordedOps(trajectory, analysis.rows, analysis.blocks);
  // A log that says what its directives really did need not be asked a second time what was wanted.
  const isLogged = trajectory.events.some(({ data }) => typeof data?.['directive'] === 'string');
  const recorded = isLogged ? events : [...events, ...calls.finish(analysis.blocks)];
  return { ...analysis, recorded: recorded.sort((a, b) => a.step - b.step) };
}
