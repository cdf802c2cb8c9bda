import { parseJson, stringifyJson } from '../base/json';
import type { Part, Role, Span, Thread, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { MAIN_THREAD } from './draft';
import type { DraftWriter } from './draft';

/** A message as it stands in one model call of a log whose calls repeat their whole prompt. */
export interface PromptMessage { role: Role; parts: Part[]; spans: Span[]; flags: number; /** Meant for one call: that it goes is no context edit. */ ephemeral?: boolean }

export interface PromptCall {
  inputs: readonly PromptMessage[];
  outputs: readonly PromptMessage[];
  timestampMs?: number;
  model?: string;
  usage?: Partial<Usage>;
  callKey?: string;
  /** Names the thread when the call starts a new one. */
  agent?: string;
  tools?: ToolSchema[];
  span?: Span;
  endMs?: number;
}

/** A tool that was recorded on its own; `id` '' = it is told by its name alone. */
export interface PromptTool { id: string; name: string; call: Pick<PromptMessage, 'parts' | 'spans'>; result: Pick<PromptMessage, 'parts' | 'spans'> | null; timestampMs?: number }

interface Line { id: string; title?: string; rows: number[]; keys: string[]; tools: ToolSchema[]; /** Positions in the prompt of the last call. */ live: Set<number>; positions: Map<string, number[]>; /** Calls of the last answer without a result. */ openCalls: { id: string; name: string; /** A recorded tool is known to be this call. */ taken?: boolean }[]; pending: { callId: string; message: PromptMessage; timestampMs?: number }[]; toolRows: number; callIds: Set<string>; ephemeral: Set<number>; /** Parts of the last answer, to which recorded tools are added. */ answer: { position: number; message: PromptMessage } | null }

/**
 * Puts the conversations of a run together from calls that each repeat the history (LangSmith, Langfuse, OTLP): a call goes
 * on with the line that shares most of its prompt; messages that are not in it yet are added, and those that no longer
 * are in the prompt become a context edit (inferred: the log does not say why). Linear in messages, up to a logarithm.
 */
export class PromptHistory {
  private readonly lines: Line[] = [];
  private lastLine: Line | null = null;
  private ownIds = 0;

  /** `lane` names the first thread where a run has several histories that know nothing of each other. */
  constructor(private readonly draft: DraftWriter, private readonly lane: string = MAIN_THREAD) {}

  get isEmpty(): boolean { return this.lines.length === 0; }

  /** Row that was written last; −1 = none. */
  get lastRow(): number { return this.lastLine?.rows.at(-1) ?? -1; }

  addCall(call: PromptCall): number {
    const keys = call.inputs.map(messageKey);
    const line = this.bestLine(keys, call.inputs) ?? this.newLine(call.agent);
    this.lastLine = line;
    const held = call.inputs.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool_result' ? [part.callId] : [])));
    // A prompt that has more results than were seen holds the waiting ones, under whatever ids.
    if (held.length >= line.toolRows + line.pending.length) line.pending = [];
    this.flush(line, new Set(held));
    if (line.tools.length === 0 && call.tools) line.tools = call.tools;
    const live = new Set<number>();
    const before = line.live;
    // Messages of this very prompt are apart, however equal.
    const known = line.rows.length;
    let pointer = 0;
    call.inputs.forEach((message, i) => {
      const next = nextPosition(line.positions.get(keys[i]!), pointer);
      const at = next < known ? next : -1;
      if (at >= 0) pointer = at + 1;
      // Prompts that carry the time or a state change with every call: the first one stands for all.
      const system = at < 0 && message.role === 'system' && known > 0 && this.draft.columns.role(line.rows[0]!) === 'system' ? 0 : -1;
      live.add(at >= 0 ? at : system >= 0 ? system : this.append(line, message, keys[i]!, call.timestampMs));
    });
    const gone = [...before].filter((position) => !live.has(position) && !line.ephemeral.has(position)).sort((a, b) => a - b);
    if (gone.length > 0 && call.inputs.length > 0) this.draft.events.push(this.editEvent(line, gone, live, call));
    line.live = call.inputs.length > 0 ? live : before;
    let row = -1;
    for (const message of call.outputs) {
      const position = this.append(line, message, messageKey(message), call.timestampMs, call);
      line.live.add(position);
      row = line.rows[position]!;
      if (message.role === 'assistant' && call.usage && message === call.outputs[0]) this.draft.columns.mergeUsage(row, call.usage);
    }
    return row;
  }

  /** A call that no answer names goes to the last answer; its result waits for the next prompt, which may hold it. Returns its id. */
  addTool(tool: PromptTool): string {
    const line = this.lastLine ?? this.newLine(undefined);
    this.lastLine = line;
    const open = line.openCalls.find(({ id, name, taken }) => !taken && (tool.id === '' ? name === tool.name : id === tool.id));
    let callId = open?.id ?? tool.id;
    if (open) open.taken = true;
    else {
      if (callId === '') callId = this.ownId();
      line.callIds.add(callId);
      const parts = tool.call.parts.map((part): Part => (part.type === 'tool_call' ? { ...part, id: callId } : part));
      const last = line.rows.findLast((row) => this.draft.columns.role(row) === 'assistant');
      if (last === undefined) line.live.add(this.append(line, { role: 'assistant', flags: 0, parts, spans: tool.call.spans }, `call ${callId}`, tool.timestampMs));
      else {
        for (const span of tool.call.spans) this.draft.columns.addSpan(last, span);
        this.draft.columns.addParts(last, parts);
        this.renameAnswer(line, tool.call.parts);
      }
      line.openCalls.push({ id: callId, name: tool.name, taken: true });
    }
    if (!tool.result) return callId;
    const parts = tool.result.parts.map((part): Part => (part.type === 'tool_result' ? { ...part, callId } : part));
    line.pending.push({ callId, message: { role: 'tool', flags: 0, parts, spans: tool.result.spans }, timestampMs: tool.timestampMs });
    return callId;
  }

  /** In the next prompt an answer without text is told by its calls, and so by those that were added to it. */
  private renameAnswer(line: Line, added: readonly Part[]): void {
    if (!line.answer) return;
    const { position, message } = line.answer;
    const named = { ...message, parts: [...message.parts, ...added] };
    line.answer = { position, message: named };
    const key = messageKey(named);
    if (key === line.keys[position]) return;
    const before = line.positions.get(line.keys[position]!)!;
    before.splice(before.indexOf(position), 1);
    line.keys[position] = key;
    const known = line.positions.get(key);
    if (known) known.push(position);
    else line.positions.set(key, [position]);
  }

  private ownId(): string { return `${OWN_ID}${this.lane === MAIN_THREAD ? '' : `${this.lane}-`}${++this.ownIds}`; }

  /** Results that no prompt holds. To be called before threads are taken. */
  finish(): void {
    for (const line of this.lines) this.flush(line, new Set());
  }

  private flush(line: Line, held: ReadonlySet<string>): void {
    for (const { callId, message, timestampMs } of line.pending) if (!held.has(callId)) line.live.add(this.append(line, message, messageKey(message), timestampMs));
    line.pending = [];
  }

  private append(line: Line, message: PromptMessage, key: string, timestampMs: number | undefined, call?: PromptCall): number {
    const parts = this.withIds(line, message);
    const row = this.draft.columns.addRow({ role: message.role, flags: message.flags, timestampMs, model: message.role === 'assistant' ? call?.model : undefined, callKey: message.role === 'assistant' ? call?.callKey : undefined });
    for (const span of message.spans) this.draft.columns.addSpan(row, span);
    this.draft.columns.addParts(row, parts);
    if (message.role === 'assistant') line.openCalls = parts.flatMap((part) => (part.type === 'tool_call' ? [{ id: part.id, name: part.name }] : []));
    for (const part of parts) {
      if (part.type !== 'tool_result') continue;
      line.toolRows++;
      line.openCalls = line.openCalls.filter(({ id }) => id !== part.callId);
    }
    const position = line.rows.push(row) - 1;
    if (message.ephemeral) line.ephemeral.add(position);
    if (message.role === 'assistant') line.answer = { position, message };
    line.keys.push(key);
    const known = line.positions.get(key);
    if (known) known.push(position);
    else line.positions.set(key, [position]);
    return position;
  }

  /** Calls that were recorded without an id get one; a result whose id no call has belongs to the oldest of those. */
  private withIds(line: Line, message: PromptMessage): Part[] {
    return message.parts.map((part) => {
      if (part.type === 'tool_call') {
        const id = part.id || this.ownId();
        line.callIds.add(id);
        return { ...part, id };
      }
      if (part.type !== 'tool_result' || line.callIds.has(part.callId)) return part;
      const open = line.openCalls.find(({ id }) => id.startsWith(OWN_ID));
      return open ? { ...part, callId: open.id } : part;
    });
  }

  /** Threads differ in what was asked first; a shared system prompt alone does not join two of them. */
  private bestLine(keys: readonly string[], inputs: readonly PromptMessage[]): Line | undefined {
    const asked = inputs.findIndex((message) => message.role !== 'system');
    if (asked < 0) return inputs.length === 0 ? this.lines[0] : undefined;
    let best: Line | undefined;
    let bestScore = 0;
    for (const line of this.lines) {
      const shared = keys.filter((key, i) => inputs[i]!.role !== 'system' && line.positions.has(key)).length;
      const isSame = line.positions.has(keys[asked]!) || shared * 2 >= keys.length;
      if (isSame && shared > bestScore) [best, bestScore] = [line, shared];
    }
    return best;
  }

  private newLine(agent: string | undefined): Line {
    const isFirst = this.lines.length === 0;
    const id = isFirst ? this.lane : `${this.lane === MAIN_THREAD ? '' : `${this.lane}/`}thread-${this.lines.length + 1}`;
    const line: Line = { id, rows: [], keys: [], tools: [], live: new Set(), positions: new Map(), openCalls: [], pending: [], toolRows: 0, callIds: new Set(), ephemeral: new Set(), answer: null, ...(agent === undefined || isFirst ? {} : { title: agent }) };
    this.lines.push(line);
    return line;
  }

  private editEvent(line: Line, gone: readonly number[], live: ReadonlySet<number>, call: PromptCall): TraceEvent {
    const lastOld = Math.max(...gone);
    return {
      kind: 'context-edit', sourceKind: 'prompt', thread: line.id, afterRow: line.rows[Math.max(lastOld, ...[...live].filter((position) => position < lastOld), 0)]!,
      label: `${gone.length} message${gone.length === 1 ? ' is' : 's are'} no longer in the prompt.`,
      data: { inferred: true, tokensBefore: null, tokensAfter: null, removedMessages: gone.length, removedRows: gone.map((position) => line.rows[position]!).join(',') },
      ...(call.span ? { span: call.span } : {}), ...(call.timestampMs === undefined ? {} : { timestampMs: call.timestampMs }),
    };
  }

  threadOf(row: number): string {
    return this.lines.find((line) => line.rows.includes(row))?.id ?? this.lane;
  }

  threads(): Thread[] {
    return this.lines.map((line, i): Thread => ({
      id: line.id, tools: line.tools, main: Uint32Array.from(line.rows), branches: [], countsReasoning: false,
      ...(i === 0 ? {} : { parentThread: this.lane }), ...(line.title === undefined ? {} : { title: line.title }),
    }));
  }
}

const OWN_ID = 'tool-';

/** Two instrumentations may record one call: equal prompt and answer at overlapping times. The one with more call ids stays. */
export function withoutRepeats(calls: readonly PromptCall[]): PromptCall[] {
  const kept: PromptCall[] = [];
  const bySignature = new Map<string, number>();
  for (const call of calls) {
    const signature = [...call.inputs, ...call.outputs].map(messageKey).join('\n\n');
    const at = bySignature.get(signature);
    const before = at === undefined ? undefined : kept[at];
    if (at === undefined || !before || call.timestampMs === undefined || !(call.timestampMs < (before.endMs ?? -Infinity))) {
      bySignature.set(signature, kept.push(call) - 1);
      continue;
    }
    const better = idCount(call) > idCount(before) ? call : before;
    const usage = Object.values(better.usage ?? {}).some((value) => value !== undefined) ? better.usage : { ...before.usage, ...call.usage };
    kept[at] = { ...better, usage, timestampMs: before.timestampMs, endMs: Math.max(before.endMs ?? 0, call.endMs ?? 0) };
  }
  return kept;
}

function idCount(call: PromptCall): number {
  return [...call.inputs, ...call.outputs].reduce((sum, message) => sum + message.parts.filter((part) => part.type === 'tool_call' && part.id !== '').length, 0);
}

/** Arguments without the spaces in which two records of one call differ. */
function canonicalArgs(args: string): string {
  try {
    return stringifyJson(parseJson(args));
  } catch {
    return args.trim();
  }
}

function nextPosition(positions: readonly number[] | undefined, from: number): number {
  if (!positions) return -1;
  let low = 0;
  let high = positions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return positions[low] ?? -1;
}

/** What is the same in an answer and in the history of the next call: the text; where there is none, the calls. */
export function messageKey({ role, parts }: PromptMessage): string {
  const texts: string[] = [];
  const calls: string[] = [];
  for (const part of parts) {
    if (part.type === 'text') texts.push(part.text.trim());
    else if (part.type === 'tool_call') calls.push(`${part.name} ${canonicalArgs(part.args)}`);
    else if (part.type === 'tool_result') calls.push(part.callId || part.content.map((piece) => (piece.type === 'text' ? piece.text : piece.type)).join('\n'));
    else if (part.type === 'other') texts.push(part.raw);
    else if (part.type === 'image') texts.push(`[image ${part.ref ?? part.bytes ?? ''}]`);
  }
  const text = texts.join('\n').trim();
  return role === 'tool' ? `tool ${calls.join(' ') || text}` : `${role} ${text || calls.join(' ')}`;
}
