import { asArray, asBoolean, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects } from './sampling';
import { toolSchemas } from './tool-schemas';

/**
 * Kimi CLI `wire.jsonl` (formats.md §18): the parts and calls of a step are one row; usage is that of the step's end,
 * which a `usage.record` repeats (one without a step is the compaction's own call).
 *
 * countsReasoning: true. Thinking is kept in the context (`thinkingKeep`).
 */
export const kimiCli: Format = {
  id: 'kimi-cli',
  title: 'Kimi CLI wire log',
  reads: 'whole',
  detect,
  open: (context) => new KimiSession(context),
  decode: (records) => records.flatMap(wireParts),
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  if (objects[0]?.['type'] === 'metadata' && 'protocol_version' in objects[0]) return 0.97;
  return objects.some((object) => object['type'] === 'context.append_loop_event' && asObject(object['event'])) ? 0.93 : objects.some((object) => object['type'] === 'context.append_message') ? 0.85 : 0;
}

function wireParts(record: unknown): Part[] {
  if (typeof record === 'string') return [textPart(record)];
  const object = asObject(record) ?? {};
  const message = asObject(object['message']);
  if (message) return messageParts(message);
  const event = asObject(object['event']) ?? {};
  switch (event['type']) {
    case 'content.part': return [contentPart(event['part'])];
    case 'tool.call': return [toolCall(event['toolCallId'], event['name'], event['args'])];
    case 'tool.result': return [resultPart(event)];
    default: return [otherPart(asString(event['type']) ?? 'event', event)];
  }
}

function contentPart(value: unknown): Part {
  const part = asObject(value);
  return part?.['type'] === 'think' ? reasoningPart(part['think']) : contentParts([value])[0]!;
}

function messageParts(message: JsonObject): Part[] {
  const content = typeof message['content'] === 'string' ? [textPart(message['content'])] : (asArray(message['content']) ?? []).map(contentPart);
  if (message['role'] === 'tool') return [{ type: 'tool_result', callId: idText(message['toolCallId'] ?? message['tool_call_id']), content: content.flatMap((part) => (part.type === 'text' || part.type === 'image' || part.type === 'other' ? [part] : [])) }];
  return [...content, ...(asArray(message['toolCalls']) ?? []).map((item) => {
    const call = asObject(item);
    const inner = asObject(call?.['function']) ?? call;
    return toolCall(call?.['id'] ?? call?.['toolCallId'], inner?.['name'], inner?.['arguments'] ?? inner?.['args']);
  })];
}

function resultPart(event: JsonObject): Part {
  const result = asObject(event['result']);
  const failed = asBoolean(result?.['isError']) === true || asBoolean(result?.['is_error']) === true;
  const content = contentParts(result ? result['output'] ?? result['message'] ?? result['error'] : event['result']);
  const last = content.at(-1);
  const code = last?.type === 'text' ? /Command failed with exit code: (-?\d+)/.exec(last.text.slice(-200))?.[1] : undefined;
  const exitCode = code === undefined ? asNumber(result?.['exitCode']) : Number(code);
  return { type: 'tool_result', callId: idText(event['toolCallId']), content, ...(failed ? { isError: true } : {}), ...(exitCode === undefined ? {} : { exitCode }) };
}

/** `inputOther` is what neither came from the cache nor went into it. */
function kimiUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  return usage ? { input: asNumber(usage['inputOther']), cachedInput: asNumber(usage['inputCacheRead']), cacheWrite: asNumber(usage['inputCacheCreation']), output: asNumber(usage['output']) } : {};
}

const ROLE_OF: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', tool: 'tool', system: 'system' };
const EVENT_OF: Readonly<Record<string, EventKind>> = { 'plan_mode.enter': 'other', 'plan_mode.exit': 'other', 'turn.cancel': 'interruption', 'turn.interrupt': 'interruption', error: 'error', 'step.retry': 'retry' };
const SILENT = new Set(['metadata', 'tools.set_active_tools', 'turn.prompt', 'llm.request', 'full_compaction.begin', 'full_compaction.complete', 'permission.record_approval_result']);

class KimiSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly rowOfStep = new Map<string, number>();
  private messages = 0;
  private tools: ToolSchema[] = [];
  private systemPrompt = '';
  private model: string | undefined;
  private trigger: string | null = null;
  /** Steps that ended and whose usage has not been repeated yet. */
  private endedSteps = 0;
  private looseUsage: Partial<Usage> | null = null;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    const type = asString(object?.['type']) ?? 'record without type';
    const event = asObject(object?.['event']);
    this.context.count(event ? asString(event['type']) ?? type : type);
    if (!object) return this.context.unknown(type);
    const time = timestampMs(object['time']);
    if (event) this.addLoopEvent(record, object, event, time);
    else if (type === 'context.append_message') this.addMessage(record, object, time);
    else if (type === 'config.update') this.addConfig(record, object, time);
    else if (type === 'llm.tools_snapshot') this.tools = toolSchemas(object['tools']);
    else if (type === 'usage.record') this.addUsage(object);
    else if (type === 'context.apply_compaction') this.addCompaction(record, object, time);
    else this.addOther(record, type, object, time);
  }

  private addMessage({ node, line }: SourceRecord, object: JsonObject, time: number | undefined): void {
    const message = asObject(object['message']) ?? {};
    const role = ROLE_OF[asString(message['role']) ?? ''] ?? 'user';
    const origin = asString(asObject(message['origin'])?.['kind']) ?? 'user';
    this.messages++;
    this.draft.addMessage({ role, flags: role !== 'user' ? 0 : origin === 'user' ? MessageFlag.instruction : MessageFlag.meta, timestampMs: time }, wireParts(object), node, line);
  }

  private addLoopEvent({ node, line }: SourceRecord, object: JsonObject, event: JsonObject, time: number | undefined): void {
    const { columns } = this.draft;
    const type = asString(event['type']);
    const step = asString(event['stepUuid']) ?? '';
    if (type === 'tool.result') this.draft.addMessage({ role: 'tool', timestampMs: time }, wireParts(object), node, line);
    else if (type === 'step.end') {
      const row = this.rowOfStep.get(asString(event['uuid']) ?? '');
      this.endedSteps++;
      if (row !== undefined) columns.mergeUsage(row, kimiUsage(event['usage']));
    } else if (type === 'content.part' || type === 'tool.call') {
      let row = this.rowOfStep.get(step);
      if (row === undefined) {
        row = columns.addRow({ role: 'assistant', timestampMs: time, model: this.model, callKey: step });
        this.rowOfStep.set(step, row);
      }
      columns.addSpan(row, spanOf(node, line));
      columns.addParts(row, wireParts(object));
    } else if (type !== 'step.begin') {
      this.context.unknown(`event ${type ?? 'without type'}`);
      this.push({ node, line }, 'other', type ?? 'event', type ?? 'event', time);
    }
  }

  private addConfig({ node, line }: SourceRecord, object: JsonObject, time: number | undefined): void {
    const prompt = asString(object['systemPrompt']);
    if (Array.isArray(object['tools'])) this.tools = toolSchemas(object['tools']);
    if (prompt === undefined || prompt === '' || prompt === this.systemPrompt) return;
    this.systemPrompt = prompt;
    this.draft.addMessage({ role: 'system', timestampMs: time }, [textPart(prompt)], node.field('systemPrompt')!, line);
  }

  private addUsage(object: JsonObject): void {
    if (this.endedSteps > 0) this.endedSteps--;
    else this.looseUsage = kimiUsage(object['usage']);
  }

  private addCompaction(record: SourceRecord, object: JsonObject, time: number | undefined): void {
    const event = this.push(record, 'compaction', 'context.apply_compaction', 'Context compacted', time);
    const fields = record.node.fields();
    const name = ['contextSummary', 'summary'].find((key) => asString(object[key]) !== undefined);
    let summaryRow: number | null = null;
    if (name !== undefined) {
      summaryRow = this.draft.addMessage({ role: 'user', flags: MessageFlag.compactSummary, timestampMs: time }, [textPart(asString(object[name])!)], fields.get(name)!, record.line);
      if (this.looseUsage) this.draft.columns.mergeUsage(summaryRow, this.looseUsage);
    }
    this.looseUsage = null;
    event.data = { tokensBefore: asNumber(object['tokensBefore']) ?? null, tokensAfter: asNumber(object['tokensAfter']) ?? null, trigger: this.trigger, summaryRow, firstKeptRow: null, compactedCount: asNumber(object['compactedCount']) ?? null, keptUserMessages: asNumber(object['keptUserMessageCount']) ?? null };
  }

  private addOther(record: SourceRecord, type: string, object: JsonObject, time: number | undefined): void {
    if (type === 'full_compaction.begin') this.trigger = asString(object['source']) ?? null;
    const model = type === 'llm.request' && object['kind'] === 'loop' ? asString(object['model']) : undefined;
    if (model !== undefined && model !== this.model) {
      if (this.model !== undefined) this.push(record, 'model-change', type, `${this.model} → ${model}`, time);
      this.model = model;
    }
    const kind = EVENT_OF[type];
    if (kind) this.push(record, kind, type, asString(object['message']) ?? type.replaceAll(/[._]/g, ' '), time);
    else if (!SILENT.has(type)) {
      this.context.unknown(type);
      this.push(record, 'other', type, type, time);
    }
  }

  private push({ node, line }: SourceRecord, kind: EventKind, sourceKind: string, label: string, time: number | undefined): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: time, label, span: spanOf(node, line) };
    this.draft.events.push(event);
    return event;
  }

  counts(): Partial<FileCounts> { return { messages: this.messages }; }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [this.draft.build({ name: this.context.baseName, model: this.model }, (columns) => [linearThread(columns.n, this.tools, true)])];
  }
}
