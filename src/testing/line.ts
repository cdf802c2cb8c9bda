/** An open line and its replay from the block notation of workspace.ts, for tests of the page. */
import { replay } from '../core/workspace/replay';
import type { MessageColumns } from '../core/trace/model';
import { ROLES } from '../core/trace/model';
import type { Replay, ReplayRequest } from '../core/workspace/types';
import type { OpenLine } from '../workers/api';
import { blocksOf, countWords, inputOf, messagesOf, type TestDemand } from './workspace';

export function lineOf(notation: string, demands: readonly TestDemand[] = []): OpenLine {
  const blocks = blocksOf(notation);
  const input = inputOf(blocks, demands);
  const messages = messagesOf(blocks);
  const n = messages.length;
  const columns: MessageColumns = {
    n, role: Uint8Array.from(messages, ({ role }) => ROLES.indexOf(role)), flags: new Uint16Array(n), timestampMs: new Float64Array(n).fill(NaN),
    model: new Uint32Array(n), callKey: new Uint32Array(n), usage: new Float64Array(n * 5).fill(NaN), chars: new Uint32Array(n).fill(10),
    spanStart: Uint32Array.from({ length: n + 1 }, (_, i) => i), spanOffset: Float64Array.from({ length: n }, (_, i) => i * 100),
    spanLength: new Uint32Array(n).fill(100), spanLine: Uint32Array.from({ length: n }, (_, i) => i + 1),
    callStart: new Uint32Array(n + 1), callIds: new Uint32Array(0), callNames: new Uint32Array(0),
    resultStart: new Uint32Array(n + 1), resultCallIds: new Uint32Array(0), resultErrors: new Uint8Array(0), strings: [''],
  };
  const rows = Uint32Array.from(messages, (_, i) => i);
  const usage = { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null };
  return {
    runId: `${'a'.repeat(64)}#0`, line: { thread: 'main' }, rows, ...input,
    trajectory: {
      id: `${'a'.repeat(64)}#0`, indexInFile: 0, name: 'test run', format: 'openai-chat', events: [], columns, warnings: [], usage,
      threads: [{ id: 'main', tools: [], main: rows, branches: [], countsReasoning: true }],
    },
    interactionBlocks: [], checkpointOfStep: new Uint32Array(input.facts.steps),
  };
}

export function replayOf(line: OpenLine, request: ReplayRequest): Replay {
  return replay(line, request, countWords);
}
