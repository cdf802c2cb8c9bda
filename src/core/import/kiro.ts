import { asArray, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role } from '../trace/model';
import { contentParts, hasOwnText, idText, otherPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';

/**
 * Kiro sessions, JSONL (kenn-io/agentsview internal/parser/kiro.go; no public writer): the command line's `{kind, data}`
 * with Prompt, AssistantMessage and ToolResults, and the editor's `{timestamp, payload{type}}`, where a call is a line of
 * its own: lines of one answer, up to its first result, are one row.
 *
 * countsReasoning: false. None is recorded.
 */
export const kiro: Format = {
  id: 'kiro',
  title: 'Kiro session',
  reads: 'whole',
  detect,
  open: (context) => new KiroSession(context),
  decode: (records) => records.flatMap(lineParts),
};

const ROLE_OF_KIND: Readonly<Record<string, Role>> = { Prompt: 'user', AssistantMessage: 'assistant', ToolResults: 'tool' };
const ROLE_OF_TYPE: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', tool_call: 'assistant', tool_result: 'tool' };

function roleOf(object: JsonObject): Role | undefined {
  const kind = asString(object['kind']) ?? '';
  if (asObject(object['data'])) return Object.hasOwn(ROLE_OF_KIND, kind) ? ROLE_OF_KIND[kind] : undefined;
  const type = asString(asObject(object['payload'])?.['type']) ?? '';
  return Object.hasOwn(ROLE_OF_TYPE, type) ? ROLE_OF_TYPE[type] : undefined;
}

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const known = share(objects, (object) => roleOf(object) !== undefined && !('type' in object));
  const isOwn = objects.some((object) => Array.isArray(asObject(object['data'])?.['content']) || 'payload' in object);
  return known > 0.5 && isOwn ? 0.93 : 0;
}

function lineParts(record: unknown): Part[] {
  const object = asObject(record) ?? {};
  const data = asObject(object['data']);
  if (data) return (asArray(data['content']) ?? []).map(blockPart);
  const payload = asObject(object['payload']) ?? {};
  switch (payload['type']) {
    case 'tool_call': return [toolCall(payload['toolCallId'], payload['toolName'], payload['args'] ?? {})];
    case 'tool_result': return [{ type: 'tool_result', callId: idText(payload['toolCallId']), content: values(payload['content']), ...(payload['isError'] === true || payload['status'] === 'error' ? { isError: true } : {}) }];
    default: return contentParts(payload['content']);
  }
}

function blockPart(value: unknown): Part {
  const block = asObject(value);
  const data = asObject(block?.['data']);
  switch (block?.['kind']) {
    case 'text': return textPart(asString(block['data']) ?? '');
    case 'toolUse': return toolCall(data?.['toolUseId'], data?.['name'], data?.['input'] ?? {});
    case 'toolResult': return { type: 'tool_result', callId: idText(data?.['toolUseId']), content: values(data?.['content']), ...(/error/i.test(asString(data?.['status']) ?? '') ? { isError: true } : {}) };
    case 'image': return { type: 'image', mime: 'image' };
    default: return otherPart(asString(block?.['kind']) ?? 'block', value);
  }
}

/** Pieces `{kind, data}` of text or JSON. */
function values(content: unknown): ContentPart[] {
  return (asArray(content) ?? (content === undefined || content === null ? [] : [content])).map((value): ContentPart => {
    const piece = asObject(value)?.['data'] ?? asObject(value)?.['text'] ?? value;
    return textPart(typeof piece === 'string' ? piece : stringifyJson(piece));
  });
}

class KiroSession implements FormatSession {
  private readonly draft = new DraftWriter();
  /** The answer whose lines are being read; −1 = none. */
  private answer = -1;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const object = asObject(node.value());
    const kind = asString(object?.['kind']) ?? asString(asObject(object?.['payload'])?.['type']) ?? 'record without kind';
    this.context.count(kind);
    const role = object && roleOf(object);
    if (!object || role === undefined) {
      this.addOther({ node, line }, kind, object);
      return;
    }
    const parts = lineParts(object);
    for (const part of parts) if (part.type === 'other') this.context.unknown(`block ${part.kind}`);
    const payload = asObject(object['payload']);
    if (role === 'assistant' && payload && this.answer >= 0) {
      this.draft.columns.addSpan(this.answer, spanOf(node, line));
      this.draft.columns.addParts(this.answer, parts);
      return;
    }
    const flags = role !== 'user' ? 0 : hasOwnText(parts) ? MessageFlag.instruction : MessageFlag.meta;
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(object['timestamp'] ?? asObject(asObject(object['data'])?.['meta'])?.['timestamp']), model: role === 'assistant' ? asString(payload?.['reasoningModelId']) : undefined }, parts, node, line);
    this.answer = role === 'assistant' && payload ? row : -1;
  }

  private addOther({ node, line }: SourceRecord, kind: string, object: JsonObject | undefined): void {
    const isCompaction = /compact|summar/i.test(kind);
    if (!isCompaction) this.context.unknown(kind);
    const summary = asString(asObject(object?.['data'])?.['summary']) ?? asString(asObject(object?.['payload'])?.['summary']) ?? null;
    this.draft.events.push({
      kind: isCompaction ? 'compaction' : 'other', sourceKind: kind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: firstLine(kind, 160), timestampMs: timestampMs(object?.['timestamp']), span: spanOf(node, line),
      ...(isCompaction ? { data: { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary } } : {}),
    });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
