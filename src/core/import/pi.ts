import { growI32 } from '../base/growable';
import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, TraceEvent, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { MessageTree, PREVIOUS, splitLines } from './message-tree';
import { typedRecord } from './typed-record';

/**
 * pi and OpenClaw session JSONL (formats.md §17): v1 is linear, v2 and v3 are trees by id / parentId (leaf = last entry).
 *
 * countsReasoning: true. pi sends thinking blocks back to the provider with their signatures.
 */
export const pi: Format = {
  id: 'pi',
  title: 'pi / OpenClaw session',
  reads: 'whole',
  detect,
  open: (context) => new PiSession(context),
  decode: (records) => records.flatMap((record) => messageParts(asObject(asObject(record)?.['message']) ?? {})),
};

const EVENT_TYPES: Readonly<Record<string, TraceEvent['kind']>> = {
  model_change: 'model-change', compaction: 'compaction', branch_summary: 'summary', thinking_level_change: 'other', custom_message: 'other',
};
const SERVICE_TYPES = new Set(['session', 'custom', 'label', 'session_info']);

function detect(sample: Sample): number {
  const types = sample.records.map((record) => asObject(record)).filter((object) => object !== undefined);
  const header = types[0];
  const isHeader = header?.['type'] === 'session' && 'id' in header && ('cwd' in header || 'version' in header) && !('payload' in header);
  if (types.some((object) => object['type'] === 'session_start')) return 0;
  const messages = types.filter((object) => object['type'] === 'message' && 'role' in (asObject(object['message']) ?? {})).length;
  if (isHeader) return types.length === 1 || messages > 0 || types.some((object) => asString(object['type']) ?? '' in EVENT_TYPES) ? 0.95 : 0.7;
  // A session whose header line was lost.
  return messages > 0 && messages * 2 > sample.records.length ? 0.6 : 0;
}

const ROLE_OF: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', toolResult: 'tool', system: 'system' };

function messageParts(message: JsonObject): Part[] {
  const role = asString(message['role']);
  if (role === 'assistant') return (asArray(message['content']) ?? []).flatMap(assistantPart);
  if (role === 'toolResult') {
    const isError = message['isError'] === true;
    const name = asString(message['toolName']);
    return [{ type: 'tool_result', callId: idText(message['toolCallId']), ...(name === undefined ? {} : { toolName: name }), content: contentParts(message['content']), ...(isError ? { isError } : {}) }];
  }
  if (role === 'bashExecution') return [textPart(`$ ${asString(message['command']) ?? ''}\n${asString(message['output']) ?? ''}`)];
  if (message['content'] === undefined && asString(message['summary']) !== undefined) return [textPart(asString(message['summary'])!)];
  return contentParts(message['content']);
}

function assistantPart(block: unknown): Part[] {
  const object = asObject(block);
  const type = asString(object?.['type']);
  if (!object || type === undefined) return contentParts(block);
  if (type === 'thinking') return [reasoningPart(object['thinking'])];
  if (type === 'toolCall') return [toolCall(object['id'], object['name'], object['arguments'])];
  return type === 'text' || type === 'image' ? contentParts([block]) : [otherPart(type, block)];
}

function piUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  if (!usage) return {};
  return { input: asNumber(usage['input']), cachedInput: asNumber(usage['cacheRead']), cacheWrite: asNumber(usage['cacheWrite']), output: asNumber(usage['output']) };
}

class PiSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly tree = new MessageTree();
  /** Message row of each entry, −1 = no message: v1 compactions name entries by index. */
  private readonly rowOfEntry = growI32();
  /** Compactions that name the first kept entry by id, which may stand anywhere. */
  private readonly keptIds: { event: TraceEvent; id: string }[] = [];
  private name = '';

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const message = asObject(object['message']);
    if (type === 'message' && message) this.link(object, this.addMessage(record, object, message));
    else {
      this.link(object, -1);
      this.addEvent(record, type, object);
    }
  }

  /** v1 has no ids: each entry follows the one before. */
  private link(object: JsonObject, row: number): void {
    const id = asString(object['id']);
    this.tree.add(id, 'parentId' in object ? asString(object['parentId']) ?? null : PREVIOUS, row, '');
    this.rowOfEntry.push(row);
  }

  private addMessage(record: SourceRecord, object: JsonObject, message: JsonObject): number {
    const source = asString(message['role']) ?? 'user';
    const role = ROLE_OF[source] ?? 'user';
    const parts = messageParts(message);
    let flags = 0;
    if (source === 'compactionSummary' || source === 'branchSummary') flags |= MessageFlag.compactSummary;
    else if (source === 'user') flags |= parts.some((part) => part.type === 'text') ? MessageFlag.instruction : 0;
    else if (role === 'user') flags |= MessageFlag.meta;
    const stop = asString(message['stopReason']);
    if (stop === 'aborted' || stop === 'error') flags |= MessageFlag.failed;
    const time = timestampMs(object['timestamp']) ?? timestampMs(message['timestamp']);
    const row = this.draft.addMessage({ role, flags, timestampMs: time, model: asString(message['model']) }, parts, record.node, record.line);
    this.draft.columns.mergeUsage(row, piUsage(message['usage']));
    for (const part of parts) if (part.type === 'other') this.context.unknown(`block ${part.kind}`);
    if (flags & MessageFlag.failed) {
      const label = firstLine(asString(message['errorMessage']) ?? stop ?? '', 160);
      this.draft.events.push({ kind: stop === 'aborted' ? 'interruption' : 'error', sourceKind: `stopReason ${stop}`, thread: MAIN_THREAD, afterRow: row, timestampMs: time, label, span: spanOf(record.node, record.line) });
    }
    return row;
  }

  private addEvent(record: SourceRecord, type: string, object: JsonObject): void {
    if (type === 'session_info') this.name = asString(object['name']) ?? this.name;
    if (SERVICE_TYPES.has(type)) return;
    const kind = EVENT_TYPES[type];
    if (kind === undefined) this.context.unknown(type);
    const event: TraceEvent = {
      kind: kind ?? 'other', sourceKind: type, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1,
      timestampMs: timestampMs(object['timestamp']), label: eventLabel(type, object), span: spanOf(record.node, record.line),
    };
    if (type === 'compaction') this.addCompaction(event, object);
    this.draft.events.push(event);
  }

  private addCompaction(event: TraceEvent, object: JsonObject): void {
    const keptIndex = asNumber(object['firstKeptEntryIndex']);
    const keptId = asString(object['firstKeptEntryId']);
    // The summary is a record of its own, not a message: `summaryRow` stays null and the text is read through the span.
    event.data = { tokensBefore: asNumber(object['tokensBefore']) ?? null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary: asString(object['summary']) ?? null };
    if (keptIndex !== undefined) event.data['firstKeptRow'] = this.rowOfEntry.toArray().subarray(keptIndex).find((row) => row >= 0) ?? null;
    if (keptId !== undefined) this.keptIds.push({ event, id: keptId });
  }

  build(): TrajectoryDraft[] {
    if (this.rowOfEntry.length === 0) return [];
    for (const { event, id } of this.keptIds) if (event.data) event.data['firstKeptRow'] = rowOrNull(this.tree.rowOf(id));
    return [
      this.draft.build({ name: this.name || this.context.baseName }, (columns) => {
        const parents = this.tree.parentRows(columns.n);
        const rows = Array.from({ length: columns.n }, (_, row) => row);
        return [{ id: MAIN_THREAD, tools: [], ...splitLines(rows, parents), countsReasoning: true }];
      }),
    ];
  }
}

function rowOrNull(row: number): number | null {
  return row < 0 ? null : row;
}

function eventLabel(type: string, object: JsonObject): string {
  if (type === 'model_change') return [asString(object['provider']), asString(object['modelId'])].filter(Boolean).join(' / ');
  if (type === 'thinking_level_change') return `Thinking level ${asString(object['thinkingLevel']) ?? '?'}`;
  const text = asString(object['summary']) ?? asString(object['content']) ?? asString(object['customType']);
  return (text && firstLine(text, 160)) || type.replaceAll('_', ' ');
}
