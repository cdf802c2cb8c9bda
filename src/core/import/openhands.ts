import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Outcome, Role, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { ChatRows } from './chat-rows';
import { hasOwnText, idText } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { openaiUsage } from './openai-decode';
import { eventParts, isV0Call, isV0Event, isV0Result, isV1Event, litellmUsage } from './openhands-decode';
import { countColumns } from './report';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';
import { utcMs } from './utc-time';

/**
 * OpenHands (formats.md §7): V0 event lists, V1 SDK events (array or JSONL), output.jsonl of evaluations (an instance a
 * line, either event kind) and LLM completion logs. Decided by event, not by file: V1 events have `kind`. Actions of one
 * model answer are one row; a condensation is an event with the rows that it forgot.
 *
 * countsReasoning: false. Only thinking blocks with signatures go back, and few logs have them.
 */
export const openhands: Format = {
  id: 'openhands',
  title: 'OpenHands events',
  reads: 'parts',
  detect,
  open: (context) => new OpenHandsSession(context),
  decode: (records, facts) => records.flatMap((record) => eventParts(record, facts.role)),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const scores = objects.map((object): number => {
    if (!object) return 0;
    if (isV1Event(object) && ('source' in object || 'id' in object)) return 0.95;
    if (isV0Event(object) && 'source' in object) return 0.95;
    if (isInstance(object)) return 0.97;
    return isCompletionLog(object) ? 0.95 : 0;
  });
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function isInstance(object: JsonObject): boolean {
  const first = asArray(object['history'])?.[0];
  const event = asObject(Array.isArray(first) ? first[0] : first);
  const isEvents = event !== undefined && (isV0Event(event) || isV1Event(event));
  return 'instance_id' in object && Array.isArray(object['history']) && (isEvents || ('test_result' in object && 'metrics' in object));
}

function isCompletionLog(object: JsonObject): boolean {
  return Array.isArray(object['messages']) && asObject(object['response']) !== undefined && 'kwargs' in object && ('latency_sec' in object || 'cost' in object);
}

class OpenHandsSession extends RunListSession<OpenHandsRun> {
  /** Events that stand alone in lines or documents make one run. */
  private loose: OpenHandsRun | null = null;

  constructor(context: FormatContext) {
    super(context, (node, line) => new OpenHandsRun(context, line).readAll(node));
  }

  override add(record: SourceRecord): void {
    const fields = record.node.fields();
    if (record.node.kind === 'array' || fields.has('history') || (fields.has('messages') && fields.has('response'))) {
      super.add(record);
      return;
    }
    const value = record.node.value();
    if (!this.loose) this.runs.push((this.loose = new OpenHandsRun(this.context, 0)));
    this.loose.addEvent(record.node, value, record.line);
  }
}

class OpenHandsRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private tools: ToolSchema[] = [];
  private name: string | undefined;
  private model: string | undefined;
  private outcome: Outcome | undefined;
  private messages = 0;
  /** Sums of the request alone: a completion log's answer is a step, but no part of the record's own list. */
  private request: FileCounts | null = null;
  private readonly rowOfEvent = new Map<string, number>();
  private readonly callOfEvent = new Map<string, string>();
  private readonly rowOfResponse = new Map<string, number>();
  private stats: JsonObject | null = null;
  /** The call of the pair or line before, for events without ids. */
  private lastCall = '';

  constructor(private readonly context: FormatContext, private readonly line: number) {}

  get counts(): Partial<FileCounts> { return this.request ?? { messages: this.messages }; }

  /** A list of events, an instance of output.jsonl, or a completion log. */
  readAll(node: JsonNode): this {
    if (node.kind === 'array') {
      this.addEvents(node);
      return this;
    }
    const fields = node.fields();
    if (fields.has('history')) this.addInstance(fields);
    else this.addCompletion(fields);
    return this;
  }

  private addEvents(list: JsonNode): void {
    for (const element of list.elements()) {
      if (element.kind === 'array') this.addEvents(element);
      else this.addEvent(element, valueOf(element), this.line);
    }
  }

  private addInstance(fields: ReadonlyMap<string, JsonNode>): void {
    this.name = asString(valueOf(fields.get('instance_id')));
    this.model = asString(asObject(asObject(valueOf(fields.get('metadata')))?.['llm_config'])?.['model']);
    const report = asObject(valueOf(fields.get('report'))) ?? asObject(asObject(valueOf(fields.get('test_result')))?.['report']);
    const error = asString(valueOf(fields.get('error')));
    const resolved = report?.['resolved'];
    if (typeof resolved === 'boolean') this.outcome = { success: resolved, label: resolved ? 'resolved' : 'not resolved' };
    else if (error) this.outcome = { label: firstLine(error, 160) };
    this.addEvents(fields.get('history')!);
  }

  private addCompletion(fields: ReadonlyMap<string, JsonNode>): void {
    this.tools = toolSchemas(valueOf(fields.get('tools')));
    const rows = new ChatRows(this.context, this.draft, this.line);
    for (const message of fields.get('messages')?.elements() ?? []) rows.add(message);
    this.context.count('message', this.draft.columns.rowCount);
    this.request = countColumns(this.draft.columns.build());
    const response = fields.get('response')?.fields();
    const answer = response?.get('choices')?.elements(1)[0]?.field('message');
    this.model = asString(valueOf(response?.get('model')));
    if (!answer) return;
    const row = rows.add(answer);
    if (row < 0) return;
    this.draft.columns.mergeUsage(row, { ...openaiUsage(valueOf(response?.get('usage'))), ...litellmUsage(valueOf(response?.get('usage'))) });
    if (this.model !== undefined) this.draft.columns.setModel(row, this.model);
  }

  addEvent(node: JsonNode, value: unknown, line: number): void {
    const event = asObject(value);
    if (!event) {
      this.context.count('unreadable event');
      this.context.unknown('unreadable event');
      return;
    }
    const kind = asString(event['kind']) ?? asString(event['action']) ?? (asString(event['observation']) === undefined ? 'unknown' : `${String(event['observation'])} observation`);
    this.context.count(kind);
    const row = isV1Event(event) ? this.addV1(node, event, kind, line) : this.addV0(node, event, line);
    if (row >= 0 && event['id'] !== undefined) this.rowOfEvent.set(idText(event['id']), row);
  }

  private addV0(node: JsonNode, event: JsonObject, line: number): number {
    const action = asString(event['action']);
    if (action === undefined) return this.addV0Observation(node, event, line);
    const args = asObject(event['args']) ?? {};
    if (action === 'system' || action === 'message') {
      this.messages++;
      if (action === 'system') this.tools = toolSchemas(args['tools']);
      return this.addRow(node, event, action === 'system' ? 'system' : event['source'] === 'agent' ? 'assistant' : 'user', line);
    }
    if (action === 'condensation') return this.addCondensation(node, event, args, action, line);
    if (!isV0Call(action)) {
      if (action === 'condensation_request') this.event('other', action, 'A condensation was asked for.', node, event, line);
      return -1;
    }
    const metadata = asObject(event['tool_call_metadata']);
    return this.addAction(node, event, asObject(metadata?.['model_response']), line);
  }

  /** Actions of one model answer are one row, told by the answer's id. */
  private addAction(node: JsonNode, event: JsonObject, response: JsonObject | undefined, line: number): number {
    const key = asString(response?.['id']) ?? asString(event['llm_response_id']);
    const parts = eventParts(event).map((part) => (part.type === 'tool_call' && part.id === '' ? { ...part, id: `event-${idText(event['id']) || this.draft.columns.callCount + 1}` } : part));
    for (const part of parts) if (part.type === 'tool_call') this.callOfEvent.set(idText(event['id']), (this.lastCall = part.id));
    const open = key === undefined ? undefined : this.rowOfResponse.get(key);
    if (open !== undefined) {
      this.draft.columns.addSpan(open, spanOf(node, line));
      this.draft.columns.addParts(open, parts);
      return open;
    }
    const isUser = event['source'] === 'user';
    const row = this.draft.addMessage({ role: isUser ? 'user' : 'assistant', flags: isUser ? MessageFlag.meta : 0, timestampMs: utcMs(event['timestamp']), model: asString(response?.['model']), callKey: key }, parts, node, line);
    if (key !== undefined) this.rowOfResponse.set(key, row);
    if (response) this.draft.columns.mergeUsage(row, litellmUsage(response['usage']));
    return row;
  }

  private addV0Observation(node: JsonNode, event: JsonObject, line: number): number {
    const kind = asString(event['observation']) ?? '';
    if (isV0Result(event) || (this.lastCall !== '' && event['cause'] === undefined && event['id'] === undefined && kind !== 'null')) return this.addResult(node, event, line);
    if (kind === 'recall' && hasOwnText(eventParts(event))) return this.addRow(node, event, 'user', line, MessageFlag.meta);
    const state = asString(asObject(event['extras'])?.['agent_state']);
    if (kind === 'error') this.event('error', kind, asString(event['content']) ?? kind, node, event, line);
    else if (state === 'error' || state === 'rate_limited') this.event('error', kind, `The agent is in the state ${state}.`, node, event, line);
    else if (state === 'paused' || state === 'stopped' || state === 'user_rejected') this.event('interruption', kind, `The agent is in the state ${state}.`, node, event, line);
    else if (kind === '' || !['null', 'recall', 'agent_state_changed'].includes(kind)) this.event('other', kind || 'event', asString(event['message']) ?? kind, node, event, line);
    if (kind === '') this.context.unknown('event without action or observation');
    return -1;
  }

  private addResult(node: JsonNode, event: JsonObject, line: number): number {
    const cause = idText(event['cause'] ?? event['action_id']);
    const linked = this.callOfEvent.get(cause) ?? (event['id'] === undefined && event['cause'] === undefined ? this.lastCall : undefined);
    const parts = eventParts(event, 'tool').map((part) => (part.type === 'tool_result' ? { ...part, callId: part.callId || (linked ?? (cause === '' ? '' : `event-${cause}`)) } : part));
    this.lastCall = '';
    return this.draft.addMessage({ role: 'tool', timestampMs: utcMs(event['timestamp']) }, parts, node, line);
  }

  private addRow(node: JsonNode, event: JsonObject, role: Role, line: number, flags?: number): number {
    const parts = eventParts(event);
    const own = flags ?? (role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0);
    return this.draft.addMessage({ role, flags: own, timestampMs: utcMs(event['timestamp']) }, parts, node, line);
  }

  private addV1(node: JsonNode, event: JsonObject, kind: string, line: number): number {
    switch (kind) {
      case 'SystemPromptEvent':
        this.messages++;
        this.tools = toolSchemas(event['tools']);
        return this.addRow(node, event, 'system', line);
      case 'MessageEvent': {
        this.messages++;
        const role = asString(asObject(event['llm_message'])?.['role']);
        return this.addRow(node, event, role === 'assistant' || role === 'system' || role === 'tool' ? role : 'user', line, role === 'user' && event['source'] !== 'user' ? MessageFlag.harness : undefined);
      }
      case 'ActionEvent': case 'ACPToolCallEvent': return this.addAction(node, event, undefined, line);
      case 'ObservationEvent': case 'UserRejectObservation': case 'AgentErrorEvent': return this.addResult(node, event, line);
      case 'Condensation': return this.addCondensation(node, event, event, kind, line);
      case 'CondensationRequest': this.event('other', kind, 'A condensation was asked for.', node, event, line); return -1;
      case 'CondensationSummaryEvent': return this.addRow(node, event, 'user', line, MessageFlag.compactSummary);
      case 'ConversationStateUpdateEvent':
        if (event['key'] === 'stats') this.stats = asObject(event['value']) ?? this.stats;
        return -1;
      case 'ConversationErrorEvent': this.event('error', kind, asString(event['detail']) ?? asString(event['code']) ?? kind, node, event, line); return -1;
      case 'PauseEvent': case 'InterruptEvent': this.event('interruption', kind, 'The run was paused.', node, event, line); return -1;
      case 'StreamingDeltaEvent': case 'TokenEvent': case 'LLMCompletionLogEvent': return -1;
      default:
        if (kind !== 'HookExecutionEvent') this.context.unknown(kind);
        this.event('other', kind, kind, node, event, line);
        return -1;
    }
  }

  /** V0 names ids or a range of ids; V1 ids. The rows that these events became are what left the context. */
  private addCondensation(node: JsonNode, event: JsonObject, args: JsonObject, kind: string, line: number): number {
    const ids = (asArray(args['forgotten_event_ids']) ?? []).map(idText);
    const from = asNumber(args['forgotten_events_start_id']);
    const to = asNumber(args['forgotten_events_end_id']);
    const rows = new Set<number>();
    const inRange = (id: string): boolean => from !== undefined && to !== undefined && Number(id) >= from && Number(id) <= to;
    const wanted = new Set(ids);
    for (const [id, row] of this.rowOfEvent) if (wanted.has(id) || inRange(id)) rows.add(row);
    const gone = [...rows].sort((a, b) => a - b);
    const last = gone.at(-1);
    const summary = asString(args['summary']) ?? null;
    const kept = last === undefined || last + 1 >= this.draft.columns.rowCount ? null : last + 1;
    const count = ids.length || (from !== undefined && to !== undefined ? to - from + 1 : 0);
    const made = this.event('condensation', kind, `${count} events were forgotten${summary === null ? '' : ' and summarised'}.`, node, event, line);
    made.data = { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstForgottenRow: gone[0] ?? null, firstKeptRow: kept, forgottenEvents: count, forgottenRows: gone.join(','), summaryOffset: asNumber(args['summary_offset']) ?? null, summary };
    return -1;
  }

  private event(kind: TraceEvent['kind'], sourceKind: string, label: string, node: JsonNode, event: JsonObject, line: number): TraceEvent {
    const time = utcMs(event['timestamp']);
    const made: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: firstLine(label, 160), span: spanOf(node, line), ...(time === undefined ? {} : { timestampMs: time }) };
    this.draft.events.push(made);
    return made;
  }

  build(fallbackName: string): TrajectoryDraft {
    const draft = this.draft.build({ name: this.name ?? fallbackName, model: this.model, outcome: this.outcome }, (columns) => [linearThread(columns.n, this.tools, false)]);
    const hasOwn = Object.values(draft.usage).some((value) => value !== null);
    return hasOwn || !this.stats ? draft : { ...draft, usage: statsUsage(this.stats, draft.usage) };
  }
}

/** V1 events carry no usage of their own; the last statistics are sums over every model of the conversation. */
function statsUsage(stats: JsonObject, none: Usage): Usage {
  const sums: Usage = { ...none };
  for (const metrics of Object.values(asObject(stats['usage_to_metrics']) ?? {})) {
    for (const [name, value] of Object.entries(litellmUsage(asObject(metrics)?.['accumulated_token_usage'])) as [keyof Usage, number | undefined][]) {
      if (value !== undefined) sums[name] = (sums[name] ?? 0) + value;
    }
  }
  return sums;
}
