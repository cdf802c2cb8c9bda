import { asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Usage } from '../trace/model';
import { contentParts, hasOwnText, idText, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { openaiUsage } from './openai-decode';
import { sampledObjects, share } from './sampling';

/**
 * WorkBuddy and CodeBuddy sessions, JSONL (kenn-io/agentsview internal/parser/workbuddy.go; no public writer): items like
 * those of the Responses API with camel-case keys, each with its provider's usage. Items up to the first result are one
 * answer; a usage that each of them repeats counts once.
 *
 * countsReasoning: false. None is known to go back.
 */
export const workbuddy: Format = {
  id: 'workbuddy',
  title: 'WorkBuddy session',
  reads: 'whole',
  detect,
  open: (context) => new WorkBuddySession(context),
  decode: (records) => records.flatMap(itemParts),
};

const TYPES = new Set(['message', 'function_call', 'function_call_result', 'reasoning']);

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const own = objects.some((object) => 'providerData' in object || (object['type'] === 'function_call' && 'callId' in object) || object['type'] === 'function_call_result');
  return own && share(objects, (object) => TYPES.has(asString(object['type']) ?? '') && !('message' in object) && !('payload' in object)) > 0.5 ? 0.94 : 0;
}

function itemParts(record: unknown): Part[] {
  const item = asObject(record) ?? {};
  switch (item['type']) {
    case 'function_call': return [toolCall(item['callId'], item['name'], item['arguments'] ?? '')];
    case 'function_call_result': return [{ type: 'tool_result', callId: idText(item['callId']), content: output(item['output']), ...(item['status'] === 'failed' || item['status'] === 'error' ? { isError: true } : {}) }];
    case 'reasoning': return [reasoningPart(asString(item['text']) ?? contentParts(item['content'] ?? item['rawContent']).map((part) => (part.type === 'text' ? part.text : '')).join('\n'))];
    default: return contentParts(item['content']);
  }
}

function output(value: unknown): ReturnType<typeof contentParts> {
  const text = asString(value) ?? asString(asObject(value)?.['text']);
  if (text !== undefined) return [textPart(text)];
  return Array.isArray(value) ? contentParts(value) : value === undefined || value === null ? [] : [textPart(stringifyJson(value))];
}

/** `prompt_tokens` includes cached tokens; the camel-case names stand apart. */
function itemUsage(item: JsonObject): Partial<Usage> {
  const data = asObject(item['providerData']);
  const usage = asObject(data?.['usage']) ?? asObject(data?.['rawUsage']);
  if (!usage) return {};
  if ('prompt_tokens' in usage) return openaiUsage(usage);
  const first = (...names: readonly string[]): number | undefined => names.map((name) => asNumber(usage[name])).find((value) => value !== undefined);
  return { input: first('inputTokens', 'input_tokens'), cachedInput: first('cacheReadInputTokens', 'cache_read_input_tokens'), cacheWrite: first('cacheCreationInputTokens', 'cache_creation_input_tokens'), output: first('outputTokens', 'output_tokens'), reasoning: first('reasoningTokens', 'reasoning_tokens') };
}

class WorkBuddySession implements FormatSession {
  private readonly draft = new DraftWriter();
  private answer = -1;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const item = asObject(node.value());
    const type = asString(item?.['type']) ?? 'record without type';
    this.context.count(type);
    if (!item || !TYPES.has(type)) {
      this.context.unknown(type);
      this.draft.events.push({ kind: 'other', sourceKind: type, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: type, timestampMs: timestampMs(item?.['timestamp']), span: spanOf(node, line) });
      return;
    }
    const parts = itemParts(item);
    const role: Role = type === 'function_call_result' ? 'tool' : type !== 'message' || item['role'] === 'assistant' ? 'assistant' : item['role'] === 'system' ? 'system' : 'user';
    if (role === 'assistant') {
      this.addToAnswer({ node, line }, item, parts);
      return;
    }
    this.answer = -1;
    this.draft.addMessage({ role, flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0, timestampMs: timestampMs(item['timestamp']) }, parts, node, line);
  }

  private addToAnswer({ node, line }: SourceRecord, item: JsonObject, parts: readonly Part[]): void {
    const { columns } = this.draft;
    if (this.answer < 0) this.answer = columns.addRow({ role: 'assistant', timestampMs: timestampMs(item['timestamp']) });
    columns.addSpan(this.answer, spanOf(node, line));
    columns.addParts(this.answer, parts);
    columns.mergeUsage(this.answer, itemUsage(item));
    const model = asString(asObject(item['providerData'])?.['model']);
    if (model) columns.setModel(this.answer, model);
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
