import { asArray, asBoolean, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, MessageColumns, Part, Role, Thread, TraceEvent } from '../trace/model';
import { callRows } from './claude-threads';
import { contentParts, hasOwnText, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';

/**
 * Copilot CLI `events.jsonl` (formats.md §18). A call is named in the answer and again when it starts: once by its id.
 * Events with a `parentToolCallId` are a sub-agent's thread.
 *
 * countsReasoning: true. Opaque reasoning goes back with the message.
 */
export const copilotCli: Format = {
  id: 'copilot-cli',
  title: 'Copilot CLI events',
  reads: 'whole',
  detect,
  open: (context) => new CopilotSession(context),
  decode: (records) => records.flatMap(eventParts),
};

const PREFIXES = ['session.', 'assistant.', 'user.', 'tool.', 'hook.', 'subagent.', 'system.', 'skill.', 'permission.', 'command.'];

function isEvent(object: JsonObject): boolean {
  const type = asString(object['type']) ?? '';
  return asObject(object['data']) !== undefined && 'id' in object && 'parentId' in object && (type === 'abort' || PREFIXES.some((prefix) => type.startsWith(prefix)));
}

function detect(sample: Sample): number {
  return sample.shape === 'lines' && share(sampledObjects(sample), isEvent) > 0.6 ? 0.96 : 0;
}

function eventParts(record: unknown): Part[] {
  const event = asObject(record) ?? {};
  const data = asObject(event['data']) ?? {};
  switch (event['type']) {
    case 'user.message': return userParts(data);
    case 'assistant.reasoning': return [reasoningPart(data['content'])];
    case 'assistant.message': return answerParts(data);
    case 'tool.execution_start': return [toolCall(data['toolCallId'], data['toolName'], data['arguments'])];
    case 'tool.execution_complete': return [resultPart(data)];
    default: return contentParts(data['content']);
  }
}

/** What the model got is the user's text with context around it. */
function userParts(data: JsonObject): Part[] {
  const said = asString(data['content']) ?? '';
  const sent = asString(data['transformedContent']) ?? said;
  const added = sent.includes(said) ? sent.replace(said, () => '') : sent;
  return [textPart(said), ...(added.trim() === '' ? [] : [otherPart('added context', added)]), ...(asArray(data['attachments']) ?? []).map((item) => otherPart('attachment', item))];
}

function answerParts(data: JsonObject): Part[] {
  const reasoning = asString(data['reasoningText']) ?? '';
  const opaque = asString(data['reasoningOpaque']) ?? asString(data['encryptedContent']);
  const text = asString(data['content']) ?? '';
  return [
    ...(reasoning !== '' ? [reasoningPart(reasoning)] : opaque === undefined ? [] : [reasoningPart('', true)]),
    ...(text === '' ? [] : [textPart(text)]),
    ...(asArray(data['toolRequests']) ?? []).map((request) => toolCall(asObject(request)?.['toolCallId'], asObject(request)?.['name'], asObject(request)?.['arguments'])),
  ];
}

function resultPart(data: JsonObject): Part {
  const result = asObject(data['result']);
  const error = asObject(data['error']);
  const failed = asBoolean(data['success']) === false;
  return { type: 'tool_result', callId: idText(data['toolCallId']), content: contentParts(result?.['content'] ?? result?.['detailedContent'] ?? error?.['message']), ...(failed ? { isError: true } : {}) };
}

const ROLE_OF: Readonly<Record<string, Role>> = { 'user.message': 'user', 'system.message': 'system', 'assistant.message': 'assistant', 'tool.execution_complete': 'tool' };
const EVENT_OF: Readonly<Record<string, EventKind>> = {
  abort: 'interruption', 'session.error': 'error', 'session.model_change': 'model-change', 'session.truncation': 'context-edit', 'session.compaction_complete': 'compaction', 'session.snapshot_rewind': 'checkpoint',
  'session.resume': 'other', 'system.notification': 'other', 'session.handoff': 'other',
};

class CopilotSession implements FormatSession {
  private readonly draft = new DraftWriter();
  /** Rows of each thread, by the call that started it; '' = main. */
  private readonly rows = new Map<string, number[]>();
  private readonly titles = new Map<string, string>();
  /** Calls that an answer asked for and that have not started. */
  private readonly requested = new Map<string, number>();
  private readonly lastAnswer = new Map<string, number>();
  private reasoning: SourceRecord | null = null;
  private model: string | undefined;
  private messages = 0;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    const type = asString(object?.['type']) ?? 'record without type';
    this.context.count(type);
    const data = asObject(object?.['data']);
    if (!object || !data) return this.context.unknown(type);
    const lane = asString(data['parentToolCallId']) ?? '';
    const time = timestampMs(object['timestamp']);
    if (type === 'session.start') this.model = asString(data['selectedModel']) ?? this.model;
    if (type === 'subagent.started') this.titles.set(idText(data['toolCallId']), firstLine(asString(data['agentDisplayName']) ?? '', 120));
    if (type === 'assistant.reasoning') this.reasoning = record;
    else if (type in ROLE_OF) this.addRow(record, object, type, data, lane, time);
    else if (type === 'tool.execution_start') this.addStart(record, object, data, lane, time);
    else if (type in EVENT_OF) this.addEvent(record, type, data, lane, time);
    else if (!isEvent(object)) this.context.unknown(type);
  }

  private addRow(record: SourceRecord, object: JsonObject, type: string, data: JsonObject, lane: string, time: number | undefined): void {
    const role = ROLE_OF[type]!;
    if (role !== 'tool') this.messages++;
    const parts = eventParts(object);
    const before = this.reasoning;
    this.reasoning = null;
    let flags = lane === '' ? 0 : MessageFlag.sidechain;
    if (role === 'user' && lane === '') flags = hasOwnText(parts) ? MessageFlag.instruction : MessageFlag.meta;
    const { columns } = this.draft;
    // Reasoning whose answer was never written is an answer cut short.
    if (before && role !== 'assistant') this.lane(lane).push(this.draft.addMessage({ role: 'assistant', flags: MessageFlag.failed, timestampMs: time, model: this.model }, eventParts(before.node.value()), before.node, before.line));
    const row = columns.addRow({ role, flags, timestampMs: time, model: role === 'assistant' ? asString(data['model']) ?? this.model : undefined, callKey: role === 'assistant' ? asString(data['messageId']) : undefined });
    // Reasoning is written apart and, by newer versions, in the message as well.
    if (before && role === 'assistant' && (asString(data['reasoningText']) ?? '') === '') {
      columns.addSpan(row, spanOf(before.node, before.line));
      columns.addParts(row, eventParts(before.node.value()));
    }
    columns.addSpan(row, spanOf(record.node, record.line));
    columns.addParts(row, parts);
    this.lane(lane).push(row);
    if (role !== 'assistant') return;
    this.lastAnswer.set(lane, row);
    for (const part of parts) if (part.type === 'tool_call') this.requested.set(part.id, (this.requested.get(part.id) ?? 0) + 1);
    columns.mergeUsage(row, { output: asNumber(data['outputTokens']) });
  }

  /** A start without a request (the answer was lost) is the call. */
  private addStart(record: SourceRecord, object: JsonObject, data: JsonObject, lane: string, time: number | undefined): void {
    const id = idText(data['toolCallId']);
    const open = this.requested.get(id) ?? 0;
    if (open > 0) {
      this.requested.set(id, open - 1);
      return;
    }
    const { columns } = this.draft;
    let row = this.lastAnswer.get(lane);
    if (row === undefined) {
      row = columns.addRow({ role: 'assistant', flags: lane === '' ? 0 : MessageFlag.sidechain, timestampMs: time, model: this.model });
      this.lane(lane).push(row);
      this.lastAnswer.set(lane, row);
    }
    columns.addSpan(row, spanOf(record.node, record.line));
    columns.addParts(row, eventParts(object));
  }

  private lane(id: string): number[] {
    let rows = this.rows.get(id);
    if (!rows) this.rows.set(id, (rows = []));
    return rows;
  }

  private addEvent({ node, line }: SourceRecord, type: string, data: JsonObject, lane: string, time: number | undefined): void {
    const event: TraceEvent = { kind: EVENT_OF[type]!, sourceKind: type, thread: lane, afterRow: this.draft.columns.rowCount - 1, timestampMs: time, label: eventLabel(type, data), span: spanOf(node, line) };
    if (type === 'session.model_change') this.model = asString(data['newModel']) ?? this.model;
    const number = (...names: string[]): number | null => names.map((name) => asNumber(data[name])).find((value) => value !== undefined) ?? null;
    if (event.kind === 'context-edit') event.data = { tokensBefore: number('preTruncationTokensInMessages'), tokensAfter: number('postTruncationTokensInMessages'), messagesRemoved: number('messagesRemovedDuringTruncation') };
    if (event.kind === 'compaction') {
      event.data = { tokensBefore: number('preCompactionTokens', 'tokensBefore'), tokensAfter: number('postCompactionTokens', 'tokensAfter'), trigger: null, summaryRow: null, firstKeptRow: null, summary: asString(data['summaryContent']) ?? null };
      if (data['success'] === false) event.kind = 'error';
    }
    this.draft.events.push(event);
  }

  counts(): Partial<FileCounts> { return { messages: this.messages }; }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    const draft = this.draft.build({ name: this.context.baseName, model: this.model }, (columns) => this.threads(columns));
    const ids = new Map([...this.rows.keys()].map((lane) => [lane, lane === '' ? MAIN_THREAD : lane]));
    draft.events = draft.events.map((event) => ({ ...event, thread: ids.get(event.thread) ?? MAIN_THREAD }));
    return [draft];
  }

  private threads(columns: MessageColumns): Thread[] {
    const calls = callRows(columns);
    const laneOf = new Map([...this.rows].flatMap(([lane, rows]) => rows.map((row) => [row, lane] as const)));
    const main: Thread = { id: MAIN_THREAD, tools: [], main: Uint32Array.from(this.rows.get('') ?? []), branches: [], countsReasoning: true };
    const side = [...this.rows].filter(([lane]) => lane !== '').map(([lane, rows]): Thread => {
      const caller = calls.get(lane);
      const parent = caller === undefined ? '' : laneOf.get(caller) ?? '';
      const title = this.titles.get(lane);
      return {
        id: lane, tools: [], main: Uint32Array.from(rows), branches: [], countsReasoning: true, parentThread: parent === '' || parent === lane ? MAIN_THREAD : parent,
        ...(caller === undefined ? {} : { spawnedBy: lane }), ...(title ? { title } : {}),
      };
    });
    return [main, ...side];
  }
}

function eventLabel(type: string, data: JsonObject): string {
  if (type === 'session.model_change') return `${asString(data['previousModel']) ?? '?'} → ${asString(data['newModel']) ?? '?'}`;
  const text = asString(data['message']) ?? asString(data['reason']) ?? asString(data['content']) ?? asString(asObject(data['error'])?.['message']) ?? '';
  return firstLine(text, 160) || type.replace(/^session\./, '').replaceAll('_', ' ');
}
