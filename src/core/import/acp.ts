import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { TraceEvent, Usage } from '../trace/model';
import { acpAnswer, acpContent, acpMessage, acpResult, acpUpdate, patchCall } from './acp-decode';
import { hasOwnText, idText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';

/**
 * Agent Client Protocol (formats.md §18; agentclientprotocol.com, schema v1): JSON-RPC messages a line, notifications
 * alone, or either in a logger's envelope; one trajectory a session. Chunks that follow each other are one message; a call
 * takes its last arguments, and its result stands where it ended. Turns tell their usage as a whole: it is that of the
 * last answer. `usage_update` gives the size of the context, not of a call.
 *
 * countsReasoning: true. What the agent sends to its model is not recorded; thoughts are taken to stay in its context.
 */
export const acp: Format = {
  id: 'acp',
  title: 'Agent Client Protocol log',
  reads: 'whole',
  detect,
  open: (context) => new AcpSession(context),
  decode: (records, facts) => {
    const messages = records.map((record) => acpMessage(record) ?? {});
    const updates = messages.map(acpUpdate).filter((update) => update !== undefined);
    if (facts.role === 'tool') return [acpResult(updates.reduce(patchCall, {}))];
    return updates.length > 0 ? acpAnswer(updates) : messages.flatMap((message) => acpContent(asObject(message['params'])?.['prompt']));
  },
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const own = objects.some((object) => {
    const message = acpMessage(object);
    return message !== undefined && (acpUpdate(message) !== undefined || (asString(message['method']) ?? '').startsWith('session/'));
  });
  return own && share(objects, (object) => acpMessage(object) !== undefined) > 0.6 ? 0.95 : 0;
}

class AcpSession implements FormatSession {
  private readonly runs = new Map<string, AcpRun>();
  /** Session and method of each request, by the id that its response repeats. */
  private readonly requests = new Map<string, { session: string; method: string }>();
  private last = '';

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const value = record.node.value();
    const message = acpMessage(value);
    if (!message) {
      this.context.count('other');
      this.context.unknown('not a protocol message');
      return;
    }
    const time = timestampMs(asObject(value)?.['timestamp'] ?? asObject(value)?.['ts'] ?? asObject(value)?.['time']);
    const update = acpUpdate(message);
    const method = asString(message['method']);
    const params = asObject(message['params']) ?? message;
    const session = idText(params['sessionId']) || this.last;
    if (update) {
      this.context.count(asString(update['sessionUpdate']) ?? 'update');
      this.run(session).addUpdate(record, update, time);
    } else if (method === undefined) this.addResponse(record, message, time);
    else {
      this.context.count(method);
      if (message['id'] !== undefined) this.requests.set(idText(message['id']), { session, method });
      if (method.startsWith('session/') && method !== 'session/new' && method !== 'session/request_permission') this.run(session).addRequest(record, method, params, time);
    }
  }

  private addResponse(record: SourceRecord, message: JsonObject, time: number | undefined): void {
    this.context.count('response');
    const request = this.requests.get(idText(message['id']));
    const result = asObject(message['result']);
    if (request?.method === 'session/new' || request?.method === 'session/load') this.last = idText(result?.['sessionId']) || this.last;
    const error = asObject(message['error']);
    if (error) this.run(request?.session ?? this.last).addError(record, asString(error['message']) ?? 'error', time);
    else if (request?.method === 'session/prompt' || result?.['stopReason'] !== undefined) this.run(request?.session ?? this.last).endTurn(record, result ?? {}, time);
  }

  private run(session: string): AcpRun {
    this.last = session;
    let run = this.runs.get(session);
    if (!run) this.runs.set(session, (run = new AcpRun(this.context)));
    return run;
  }

  build(): TrajectoryDraft[] {
    const runs = [...this.runs.values()].filter((run) => !run.isEmpty);
    return runs.map((run, i) => run.build(runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

interface OpenCall { row: number; records: SourceRecord[]; state: JsonObject }

const SILENT_UPDATES = new Set(['available_commands_update', 'config_option_update', 'plan_update', 'plan_removed']);

class AcpRun {
  private readonly draft = new DraftWriter();
  /** Calls whose arguments may still change. */
  private readonly calls = new Map<string, OpenCall>();
  private readonly settled = new Set<string>();
  private readonly compactions = new Map<string, TraceEvent>();
  private open: { role: 'user' | 'assistant'; row: number } | null = null;
  private lastAnswer = -1;
  private prompted = false;
  /** Size of the context as last told, tokens. */
  private used: number | null = null;
  /** Compactions whose size afterwards is still to come. */
  private unsized: TraceEvent[] = [];
  private title = '';
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  get isEmpty(): boolean { return this.draft.columns.rowCount === 0 && this.draft.events.length === 0; }

  addRequest(record: SourceRecord, method: string, params: JsonObject, time: number | undefined): void {
    if (method === 'session/prompt') {
      const parts = acpContent(params['prompt']);
      this.draft.addMessage({ role: 'user', flags: hasOwnText(parts) ? MessageFlag.instruction : 0, timestampMs: time }, parts, record.node, record.line);
      this.open = null;
      this.prompted = true;
    } else if (method === 'session/cancel') this.event(record, 'interruption', method, 'The turn was cancelled.', time);
    else if (method === 'session/set_model') {
      const next = idText(params['modelId']);
      this.event(record, 'model-change', method, this.model === undefined ? next : `${this.model} → ${next}`, time);
      this.model = next;
    } else if (method === 'session/load' || method === 'session/resume' || method === 'session/fork') this.event(record, 'checkpoint', method, method.replace('session/', 'session '), time);
  }

  addUpdate(record: SourceRecord, update: JsonObject, time: number | undefined): void {
    const kind = asString(update['sessionUpdate']) ?? '';
    switch (kind) {
      case 'user_message_chunk': return this.addUserChunk(record, update, time);
      case 'agent_message_chunk': case 'agent_thought_chunk': return this.addChunk(record, update, time);
      case 'tool_call': case 'tool_call_update': return this.addCall(record, update, time);
      case 'compaction_update': case 'compaction_summary_chunk': return this.addCompaction(record, kind, update, time);
      case 'plan': return this.event(record, 'other', kind, `Plan of ${asArray(update['entries'])?.length ?? 0} steps`, time);
      case 'current_mode_update': return this.event(record, 'other', kind, `Mode ${idText(update['currentModeId'] ?? update['modeId'])}`, time);
      case 'session_info_update': this.title = asString(update['title']) ?? this.title; return;
      case 'usage_update': return this.addSize(record, update, time);
      default:
        if (SILENT_UPDATES.has(kind)) return;
        this.context.unknown(kind);
        this.event(record, 'other', kind, kind.replaceAll('_', ' '), time);
    }
  }

  /** An agent may repeat the prompt that its client has just sent. */
  private addUserChunk({ node, line }: SourceRecord, update: JsonObject, time: number | undefined): void {
    if (this.prompted && this.open === null) return;
    const parts = acpContent(update['content']);
    if (this.open?.role === 'user') {
      this.draft.columns.addSpan(this.open.row, spanOf(node, line));
      this.draft.columns.addParts(this.open.row, parts);
    } else this.open = { role: 'user', row: this.draft.addMessage({ role: 'user', flags: hasOwnText(parts) ? MessageFlag.instruction : 0, timestampMs: time }, parts, node, line) };
  }

  private answerRow(time: number | undefined): number {
    if (this.open?.role !== 'assistant') this.open = { role: 'assistant', row: this.draft.columns.addRow({ role: 'assistant', timestampMs: time, model: this.model }) };
    this.lastAnswer = this.open.row;
    return this.open.row;
  }

  private addChunk({ node, line }: SourceRecord, update: JsonObject, time: number | undefined): void {
    const row = this.answerRow(time);
    this.draft.columns.addSpan(row, spanOf(node, line));
    this.draft.columns.addParts(row, acpAnswer([update]));
  }

  private addCall(record: SourceRecord, update: JsonObject, time: number | undefined): void {
    const id = idText(update['toolCallId']);
    if (this.settled.has(id)) return;
    let call = this.calls.get(id);
    if (!call) this.calls.set(id, (call = { row: this.answerRow(time), records: [], state: {} }));
    call.records.push(record);
    call.state = patchCall(call.state, update);
    const status = call.state['status'];
    if (status !== 'completed' && status !== 'failed' && status !== 'cancelled') return;
    this.settle(id, call);
    const result = this.draft.columns.addRow({ role: 'tool', timestampMs: time });
    for (const { node, line } of call.records) this.draft.columns.addSpan(result, spanOf(node, line));
    this.draft.columns.addParts(result, [acpResult(call.state)]);
    if (this.open?.role === 'assistant' && this.open.row === call.row) this.open = null;
  }

  private settle(id: string, call: OpenCall): void {
    this.calls.delete(id);
    this.settled.add(id);
    for (const { node, line } of call.records) this.draft.columns.addSpan(call.row, spanOf(node, line));
    this.draft.columns.addParts(call.row, acpAnswer(call.records.map(({ node }) => acpUpdate(acpMessage(node.value()) ?? {}) ?? {})));
  }

  private addSize(record: SourceRecord, update: JsonObject, time: number | undefined): void {
    this.used = asNumber(update['used']) ?? null;
    const size = asNumber(update['size']) ?? null;
    for (const { data } of this.unsized) if (data) data['tokensAfter'] = this.used;
    this.unsized = [];
    this.event(record, 'other', 'usage_update', `${this.used ?? 'unknown'} of ${size ?? 'unknown'} tokens of the context are in use.`, time, { used: this.used, size });
  }

  private addCompaction(record: SourceRecord, kind: string, update: JsonObject, time: number | undefined): void {
    const id = idText(update['compactionId']);
    let event = this.compactions.get(id);
    if (!event) {
      event = this.push(record, 'compaction', kind, 'Context compacted', time, { tokensBefore: this.used, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary: null, status: null });
      this.compactions.set(id, event);
    }
    const text = (kind === 'compaction_summary_chunk' ? acpContent(update['content']) : acpContent(update['summary'])).map((part) => (part.type === 'text' ? part.text : '')).join('');
    const data = event.data!;
    if (text !== '') data['summary'] = kind === 'compaction_summary_chunk' ? `${asString(data['summary']) ?? ''}${text}` : text;
    const status = asString(update['status']);
    if (status === undefined) return;
    data['status'] = status;
    if (status === 'completed') this.unsized.push(event);
    event.kind = status === 'failed' || status === 'cancelled' ? 'error' : 'compaction';
    if (event.kind === 'error') event.label = firstLine(`The compaction ${status === 'failed' ? 'failed' : 'was cancelled'}. ${asString(update['error']) ?? ''}`, 160);
  }

  endTurn(record: SourceRecord, result: JsonObject, time: number | undefined): void {
    this.open = null;
    this.prompted = false;
    const stop = asString(result['stopReason']);
    if (stop === 'cancelled') this.event(record, 'interruption', 'stopReason', 'The turn was cancelled.', time);
    else if (stop !== undefined && stop !== 'end_turn') this.event(record, 'error', 'stopReason', stop.replaceAll('_', ' '), time);
    if (this.lastAnswer >= 0) this.draft.columns.mergeUsage(this.lastAnswer, acpUsage(result['usage']));
  }

  addError(record: SourceRecord, label: string, time: number | undefined): void {
    if (this.open?.role === 'assistant') this.draft.columns.addFlags(this.open.row, MessageFlag.failed);
    this.event(record, 'error', 'error', firstLine(label, 160), time);
  }

  private event(record: SourceRecord, kind: TraceEvent['kind'], sourceKind: string, label: string, time: number | undefined, data?: TraceEvent['data']): void {
    this.push(record, kind, sourceKind, label, time, data);
  }

  private push({ node, line }: SourceRecord, kind: TraceEvent['kind'], sourceKind: string, label: string, time: number | undefined, data?: TraceEvent['data']): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label, timestampMs: time, span: spanOf(node, line), ...(data ? { data } : {}) };
    this.draft.events.push(event);
    return event;
  }

  build(fallbackName: string): TrajectoryDraft {
    // Calls that never ended are shown without a result.
    for (const [id, call] of [...this.calls]) this.settle(id, call);
    return this.draft.build({ name: this.title || fallbackName, model: this.model }, (columns) => [linearThread(columns.n, [], true)]);
  }
}

/** Input and cached tokens stand apart. */
function acpUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  return { input: asNumber(usage?.['inputTokens']), cachedInput: asNumber(usage?.['cachedReadTokens']), cacheWrite: asNumber(usage?.['cachedWriteTokens']), output: asNumber(usage?.['outputTokens']), reasoning: asNumber(usage?.['thoughtTokens']) };
}
