import { growI32 } from '../base/growable';
import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, ToolSchema, TraceEvent } from '../trace/model';
import { CodexUsage } from './codex-usage';
import { codexItem, codexParts, isInjected, itemClass } from './codex-items';
import { timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, FileLinks, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { splitLines } from './message-tree';
import { sampledObjects, share } from './sampling';
import { textKey } from './text-key';
import { toolSchemas } from './tool-schemas';

/**
 * Codex rollouts, both layouts (formats.md §2). The items of one model call (reasoning, text, calls) are one row with a
 * span each; it ends where a result, a user's turn or newly counted tokens come. `event_msg` repeats the same texts and is
 * used for usage, aborts, errors and links; only a file without items is read from it.
 *
 * countsReasoning: true. Codex sends reasoning items back, encrypted.
 */
export const codex: Format = {
  id: 'codex',
  title: 'Codex rollout',
  reads: 'whole',
  detect,
  open: (context) => new CodexSession(context),
  decode: (records) => records.flatMap(codexParts),
};

const LINE_TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted', 'world_state', 'inter_agent_communication_metadata']);
const BARE_TYPES = new Set(['message', 'reasoning', 'function_call', 'function_call_output', 'local_shell_call', 'custom_tool_call', 'custom_tool_call_output']);

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const wrapped = share(objects, (object) => 'payload' in object && LINE_TYPES.has(asString(object['type']) ?? ''));
  if (wrapped > 0.5) return 0.97;
  const header = objects[0];
  const isOldHeader = header !== undefined && !('type' in header) && 'id' in header && 'timestamp' in header && 'instructions' in header;
  const bare = share(objects, (object) => object['record_type'] === 'state' || BARE_TYPES.has(asString(object['type']) ?? ''));
  if (isOldHeader) return bare > 0 || objects.length === 1 ? 0.95 : 0.6;
  return bare > 0.8 && objects.some((object) => object['record_type'] === 'state') ? 0.8 : 0;
}

/** Events that are shown; the others repeat items or are bookkeeping. */
const EVENTS: Readonly<Record<string, EventKind>> = {
  turn_aborted: 'interruption', error: 'error', stream_error: 'retry', warning: 'other', context_compacted: 'compaction', undo_completed: 'checkpoint', thread_rolled_back: 'checkpoint', model_reroute: 'model-change',
};
const TEXT_EVENTS = new Set(['user_message', 'agent_message', 'agent_reasoning']);

class CodexSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly usage = new CodexUsage();
  private readonly parents = growI32();
  /** Last row of the line that goes on. */
  private tip = -1;
  private readonly turnStarts: number[] = [];
  /** The answer that is being written; −1 = the next item of the model starts one. */
  private answer = -1;
  private lastAnswer = -1;
  private messages = 0;
  private items = 0;
  /** Texts from events, in case the file has no items. */
  private spoken: { record: SourceRecord; type: string }[] = [];
  private readonly noticed: TraceEvent[] = [];
  private readonly seenTexts = new Set<number>();
  private readonly callOfAgent = new Map<string, string>();
  private meta: JsonObject | null = null;
  private tools: ToolSchema[] = [];
  private name = '';
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    if (!object) {
      this.context.count('array');
      this.context.unknown('array');
      return;
    }
    const payload = asObject(object['payload']);
    const type = asString(object['type']);
    const time = timestampMs(object['timestamp']);
    if (payload && type !== undefined) {
      const inner = asString(payload['type']);
      this.context.count(inner === undefined ? type : `${type} ${inner}`);
      this.addWrapped(record, type, payload, time);
    } else if (type !== undefined) {
      this.context.count(type);
      this.addItem(record, object, undefined);
    } else if ('record_type' in object) this.context.count('state');
    else {
      this.context.count('header');
      if (this.meta === null && 'id' in object) this.addMeta(record.node, record.line, object, time);
      else this.context.unknown('record without type');
    }
  }

  private addWrapped(record: SourceRecord, type: string, payload: JsonObject, time: number | undefined): void {
    if (type === 'response_item') this.addItem(record, payload, time);
    else if (type === 'session_meta') this.addMeta(record.node.field('payload')!, record.line, payload, time);
    else if (type === 'turn_context') {
      this.usage.turn(asString(payload['turn_id']), time);
      this.setModel(record, asString(payload['model']), time);
    } else if (type === 'event_msg') this.addEvent(record, payload, time);
    else if (type === 'compacted') this.addCompacted(record, payload, time);
    else if (!LINE_TYPES.has(type)) {
      this.context.unknown(type);
      this.push(record, 'other', type, type, time);
    }
  }

  /** The first one is the file's own (import-cases.md C42); instructions become the system prompt. */
  private addMeta(node: JsonNode, line: number, meta: JsonObject, time: number | undefined): void {
    this.usage.session(meta, time);
    if (this.meta !== null) return;
    this.meta = meta;
    this.tools = toolSchemas(meta['dynamic_tools']);
    const fields = node.fields();
    const prompt = [fields.get('base_instructions'), fields.get('instructions')].find((field) => field !== undefined && field.text() !== 'null');
    if (prompt) this.addRow('system', 0, codexParts(prompt.value()), prompt, line, time);
  }

  private setModel(record: SourceRecord, model: string | undefined, time: number | undefined): void {
    if (model === undefined || model === this.model) return;
    if (this.model !== undefined) this.push(record, 'model-change', 'turn_context', `${this.model} → ${model}`, time);
    this.model = model;
  }

  private addRow(role: Role, flags: number, parts: readonly Part[], node: JsonNode, line: number, time: number | undefined): number {
    const side = isSubagent(this.meta) ? MessageFlag.sidechain : 0;
    const kept = side ? flags & ~MessageFlag.instruction : flags;
    const row = this.draft.addMessage({ role, flags: kept | side, timestampMs: time, model: role === 'assistant' ? this.model : undefined }, parts, node, line);
    this.parents.push(this.tip);
    this.tip = row;
    if (flags & MessageFlag.instruction) this.turnStarts.push(row);
    return row;
  }

  private addItem(record: SourceRecord, item: JsonObject, time: number | undefined): void {
    const type = asString(item['type']) ?? '';
    const kind = itemClass(type);
    if (kind === 'none') return;
    const { node, line } = record;
    const parts = codexParts(item);
    this.items++;
    this.spoken = [];
    if (type === 'message') this.messages++;
    const role = asString(item['role']);
    if (kind === 'model' || (kind === 'message' && role === 'assistant')) this.addAnswer(record, parts, time);
    else if (kind === 'unknown') {
      this.context.unknown(`item ${type}`);
      this.push(record, type === 'compaction' ? 'compaction' : 'other', type, type, time);
    } else {
      this.answer = -1;
      if (kind === 'output') this.addRow('tool', 0, parts, node, line, time);
      else if (kind === 'agent') this.addRow('user', MessageFlag.meta, parts, node, line, time);
      else {
        this.seenTexts.add(messageKey(parts));
        const isUser = role === 'user';
        const hasText = parts.some((part) => part.type === 'text' && part.text.trim() !== '');
        this.addRow(isUser ? 'user' : 'system', isUser ? (isInjected(parts) || !hasText ? MessageFlag.meta : MessageFlag.instruction) : 0, parts, node, line, time);
      }
    }
  }

  private addAnswer({ node, line }: SourceRecord, parts: readonly Part[], time: number | undefined): void {
    const { columns } = this.draft;
    if (this.answer < 0) this.answer = this.lastAnswer = this.addRow('assistant', 0, parts, node, line, time);
    else {
      columns.addSpan(this.answer, spanOf(node, line));
      columns.addParts(this.answer, parts);
    }
  }

  private addEvent(record: SourceRecord, payload: JsonObject, time: number | undefined): void {
    const type = asString(payload['type']) ?? '';
    if (TEXT_EVENTS.has(type)) {
      if (this.items === 0) this.spoken.push({ record, type });
      if (type === 'user_message') this.usage.turn(undefined, time);
    } else if (type === 'token_count') {
      const info = asObject(payload['info']);
      if (info && this.usage.count(info, this.lastAnswer)) this.answer = -1;
    } else if (type === 'task_started' || type === 'turn_started') {
      this.usage.turn(asString(payload['turn_id']), time);
      this.answer = -1;
    } else if (type === 'thread_name_updated') this.name = asString(payload['thread_name']) ?? this.name;
    else if (type === 'collab_agent_spawn_end') {
      const child = asString(payload['new_thread_id']);
      if (child !== undefined) this.callOfAgent.set(child, asString(payload['call_id']) ?? '');
    } else if (type in EVENTS) this.addShown(record, type, payload, time);
  }

  private addShown(record: SourceRecord, type: string, payload: JsonObject, time: number | undefined): void {
    const text = asString(payload['message']) ?? asString(payload['reason']) ?? type.replaceAll('_', ' ');
    if (type === 'context_compacted') {
      this.noticed.push({ ...this.event(record, 'compaction', type, 'Context compacted', time), data: { tokensBefore: this.usage.lastRequest, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null } });
      return;
    }
    if (type === 'turn_aborted' && this.answer >= 0) this.draft.columns.addFlags(this.answer, MessageFlag.failed);
    const event = this.push(record, EVENTS[type]!, type, firstLine(text, 160), time);
    if (type !== 'thread_rolled_back') return;
    const turns = asNumber(payload['num_turns']) ?? 0;
    event.label = `Rolled back ${turns} turns`;
    const [first] = turns > 0 ? this.turnStarts.splice(Math.max(0, this.turnStarts.length - turns)) : [];
    if (first !== undefined) this.tip = this.parents.get(first);
    this.answer = -1;
  }

  /** What the context goes on from. Messages that stand only in the replacement get rows of their own; a repeated history adds nothing. */
  private addCompacted(record: SourceRecord, payload: JsonObject, time: number | undefined): void {
    this.answer = -1;
    const event = this.push(record, 'compaction', 'compacted', 'Context compacted', time);
    const summary = asString(payload['message']) ?? '';
    const fields = record.node.field('payload')!.fields();
    let summaryRow: number | null = null;
    for (const element of fields.get('replacement_history')?.elements() ?? []) {
      const item = asObject(element.value());
      const role = asString(item?.['role']);
      if (!item || item['type'] !== 'message' || role === 'assistant') continue;
      const parts = codexParts(item);
      const key = messageKey(parts);
      if (this.seenTexts.has(key)) continue;
      this.seenTexts.add(key);
      const isSummary = summary !== '' && parts.some((part) => part.type === 'text' && part.text.includes(summary));
      const row = this.addRow(role === 'user' ? 'user' : 'system', isSummary ? MessageFlag.compactSummary : MessageFlag.meta, parts, element, record.line, time);
      if (isSummary) summaryRow = row;
    }
    if (summaryRow === null && summary !== '') summaryRow = this.addRow('user', MessageFlag.compactSummary, [{ type: 'text', text: summary }], fields.get('message')!, record.line, time);
    event.data = { tokensBefore: this.usage.lastRequest, tokensAfter: null, trigger: null, summaryRow, firstKeptRow: null };
  }

  private event({ node, line }: SourceRecord, kind: EventKind, sourceKind: string, label: string, time: number | undefined): TraceEvent {
    return { kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: time, label, span: spanOf(node, line) };
  }

  private push(record: SourceRecord, kind: EventKind, sourceKind: string, label: string, time: number | undefined): TraceEvent {
    const event = this.event(record, kind, sourceKind, label, time);
    this.draft.events.push(event);
    return event;
  }

  counts(): Partial<FileCounts> { return { messages: this.items === 0 ? this.spoken.length : this.messages }; }

  links(): FileLinks {
    const id = asString(this.meta?.['id']);
    return { sessionId: id, isSubagent: isSubagent(this.meta), agentId: id, callOfAgent: this.callOfAgent, spawnByPrompt: new Map() };
  }

  build(): TrajectoryDraft[] {
    const header = { name: this.name || this.context.baseName, model: this.model, createdMs: timestampMs(this.meta?.['timestamp']) };
    if (this.items === 0 && this.spoken.length > 0) return [this.fromEvents().build(header, (columns) => [linearThread(columns.n, this.tools, true)])];
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    this.usage.each((row, usage) => { this.draft.columns.mergeUsage(row, usage); });
    const draft = this.draft.build(header, (columns) => {
      const rows = Array.from({ length: columns.n }, (_, row) => row);
      return [{ id: MAIN_THREAD, tools: this.tools, ...splitLines(rows, this.parents.toArray(), this.tip), countsReasoning: true }];
    });
    // A compaction is announced and recorded: one marker is enough.
    if (!draft.events.some((event) => event.sourceKind === 'compacted')) draft.events.push(...this.noticed);
    return [draft];
  }

  private fromEvents(): DraftWriter {
    const draft = new DraftWriter();
    const side = isSubagent(this.meta);
    for (const { record, type } of this.spoken) {
      const value = record.node.value();
      const isUser = type === 'user_message';
      const time = timestampMs(asObject(value)?.['timestamp']);
      draft.addMessage({ role: isUser ? 'user' : 'assistant', flags: side ? MessageFlag.sidechain : isUser ? MessageFlag.instruction : 0, timestampMs: time, model: isUser ? undefined : this.model }, codexParts(codexItem(value)), record.node, record.line);
    }
    return draft;
  }
}

function isSubagent(meta: JsonObject | null): boolean {
  return asObject(meta?.['source'])?.['subagent'] !== undefined;
}

function messageKey(parts: readonly Part[]): number {
  return textKey(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n'));
}
