import type { ContentPart, Message, Outcome, Part, Thread, ToolSchema, Trajectory, TraceEvent, Usage } from './model';

/**
 * Our own file of a trajectory: JSON lines in UTF-8, each with a `contextscope` key that says what it is. First the run
 * ('trajectory'), then its events, then every message of every thread and branch by row. Nothing of the model is lost
 * but byte spans, which are those of the new file. Unknown numbers are absent, never 0. Several runs may follow each
 * other in one file. Readers take later versions and leave out keys they do not know.
 */
export const NORMALISED_VERSION = 1;

export interface NormalisedThread {
  id: string;
  title?: string;
  parentThread?: string;
  spawnedBy?: string;
  tools: ToolSchema[];
  /** Rows of the main line. */
  main: number[];
  branches: { id: string; title?: string; forkAfter: number; rows: number[] }[];
  countsReasoning: boolean;
}
export interface NormalisedHeader {
  contextscope: 'trajectory';
  version: number;
  name: string;
  /** What the run was first read as. */
  format: string;
  model?: string;
  createdMs?: number;
  outcome?: Outcome;
  threads: NormalisedThread[];
  warnings: string[];
  usage: Usage;
}
export type NormalisedEvent = { contextscope: 'event' } & Omit<TraceEvent, 'span'>;
export interface NormalisedMessage {
  contextscope: 'message';
  row: number;
  role: Message['role'];
  flags?: number;
  timestampMs?: number;
  model?: string;
  callId?: string;
  usage?: Usage;
  parts: Part[];
}

/** What `exportNormalised` needs of a reader: messages by row, in the order asked for. */
export type ReadMessages = (rows: ArrayLike<number>, onMessage: (message: Message) => void | Promise<void>, signal?: AbortSignal) => Promise<void>;

/** Emits the lines of a trajectory, each with its line end. One message is in memory at a time. */
export async function exportNormalised(trajectory: Trajectory, readMessages: ReadMessages, emit: (line: string) => void | Promise<void>, signal?: AbortSignal): Promise<void> {
  await emit(lineOf(headerOf(trajectory)));
  for (const event of trajectory.events) await emit(lineOf(eventOf(event)));
  const rows = Uint32Array.from({ length: trajectory.columns.n }, (_, row) => row);
  await readMessages(rows, (message) => emit(lineOf(messageOf(message))), signal);
}

// Every key in a fixed order, whoever built the objects: the same run gives the same bytes.

function headerOf(trajectory: Trajectory): NormalisedHeader {
  const { name, format, sourceFormat, model, createdMs, outcome, threads, warnings, usage } = trajectory;
  return {
    contextscope: 'trajectory', version: NORMALISED_VERSION, name, format: sourceFormat ?? format, model, createdMs,
    outcome: outcome && { reward: outcome.reward, success: outcome.success, label: outcome.label },
    threads: threads.map(threadOf), warnings, usage: usageOf(usage),
  };
}

function threadOf({ id, title, parentThread, spawnedBy, tools, main, branches, countsReasoning }: Thread): NormalisedThread {
  return {
    id, title, parentThread, spawnedBy, tools: tools.map(({ name, json }) => ({ name, json })), main: [...main],
    branches: branches.map((branch) => ({ id: branch.id, title: branch.title, forkAfter: branch.forkAfter, rows: [...branch.rows] })), countsReasoning,
  };
}

function eventOf({ kind, sourceKind, thread, afterRow, timestampMs, label, data }: TraceEvent): NormalisedEvent {
  return { contextscope: 'event', kind, sourceKind, thread, afterRow, timestampMs, label, data };
}

function messageOf({ row, role, flags, timestampMs, model, callId, usage, parts }: Message): NormalisedMessage {
  return { contextscope: 'message', row, role, ...(flags === 0 ? {} : { flags }), timestampMs, model, callId, usage: usage && usageOf(usage), parts: parts.map(partOf) };
}

function usageOf({ input, cachedInput, cacheWrite, output, reasoning }: Usage): Usage {
  return { input, cachedInput, cacheWrite, output, reasoning };
}

function partOf(part: Part): Part {
  switch (part.type) {
    case 'text': return { type: 'text', text: part.text };
    case 'reasoning': return { type: 'reasoning', text: part.text, redacted: part.redacted };
    case 'tool_call': return { type: 'tool_call', id: part.id, name: part.name, args: part.args, fenced: part.fenced };
    case 'tool_result': return { type: 'tool_result', callId: part.callId, toolName: part.toolName, content: part.content.map((item) => partOf(item) as ContentPart), isError: part.isError, exitCode: part.exitCode };
    case 'image': return { type: 'image', mime: part.mime, bytes: part.bytes, width: part.width, height: part.height, ref: part.ref };
    case 'other': return { type: 'other', kind: part.kind, raw: part.raw };
  }
}

function lineOf(value: NormalisedHeader | NormalisedEvent | NormalisedMessage): string {
  return `${JSON.stringify(value)}\n`;
}
