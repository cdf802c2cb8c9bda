import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, hasOwnText, idText, imageFromUrl, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { mostly } from './sampling';

/**
 * Pydantic AI message history (formats.md §18; pydantic/pydantic-ai pydantic_ai_slim/pydantic_ai/messages.py):
 * `ModelMessagesTypeAdapter.dump_json`, a list of requests and responses, `{messages}`, or JSONL of lists. Each part of a
 * request is a row; a response is one. Instructions are sent anew with every request and are a row when they change.
 *
 * countsReasoning: true. Thinking parts are sent back with their signatures.
 */
export const pydanticAi: Format = {
  id: 'pydantic-ai',
  title: 'Pydantic AI messages',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new PydanticRun(context, node, line), runsOf),
  decode: (records) => records.flatMap(recordParts),
};

const LIST_KEYS = ['messages', 'all_messages', 'message_history', 'new_messages'];

function isMessage(value: unknown): boolean {
  const object = asObject(value);
  const first = asObject(asArray(object?.['parts'])?.[0]);
  return object !== undefined && (object['kind'] === 'request' || object['kind'] === 'response') && (first === undefined ? Array.isArray(object['parts']) : 'part_kind' in first);
}

function listOf(record: unknown): readonly unknown[] | undefined {
  const object = asObject(record);
  return asArray(record) ?? LIST_KEYS.map((key) => asArray(object?.[key])).find((list) => list !== undefined);
}

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const list = listOf(record);
    if (list) {
      const inner = list.length > 0 && list.every((item) => Array.isArray(item)) ? list.flatMap((item) => asArray(item) ?? []) : list;
      return mostly(inner, isMessage) ? 0.97 : 0;
    }
    return isMessage(record) ? 0.93 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

/** A list of messages, or a list of such lists. */
function runsOf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' && node.elements(1)[0]?.kind === 'array' ? node.elements() : [node];
}

/** A response, a part of a request, or instructions. */
function recordParts(record: unknown): Part[] {
  if (typeof record === 'string') return [textPart(record)];
  const object = asObject(record);
  if (!object) return [otherPart('part', record)];
  if (object['kind'] === 'response' && Array.isArray(object['parts'])) return object['parts'].flatMap((part) => partOf(asObject(part) ?? {}));
  return partOf(object);
}

function partOf(part: JsonObject): Part[] {
  const kind = asString(part['part_kind']) ?? 'part';
  switch (kind) {
    case 'system-prompt': case 'user-prompt': return userContent(part['content']);
    case 'text': return [textPart(asString(part['content']) ?? '')];
    case 'thinking': return [reasoningPart(part['content'])];
    case 'tool-call': case 'builtin-tool-call': return [toolCall(part['tool_call_id'], part['tool_name'], part['args'] ?? '')];
    case 'tool-return': case 'builtin-tool-return': return [resultPart(part, part['outcome'] === 'failed' || part['outcome'] === 'denied')];
    case 'retry-prompt': return part['tool_name'] === undefined || part['tool_name'] === null ? resultContent(part['content']) : [resultPart(part, true)];
    case 'file': return userContent([part['content']]);
    default: return [otherPart(kind, part)];
  }
}

const KNOWN_PARTS = new Set(['system-prompt', 'user-prompt', 'text', 'thinking', 'tool-call', 'builtin-tool-call', 'tool-return', 'builtin-tool-return', 'retry-prompt', 'file']);

function resultPart(part: JsonObject, isError: boolean): Part {
  const name = asString(part['tool_name']);
  return { type: 'tool_result', callId: idText(part['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content: resultContent(part['content']), ...(isError ? { isError } : {}) };
}

/** Tools return any value; retries of a validation return a list of errors. */
function resultContent(content: unknown): ContentPart[] {
  if (content === null || content === undefined || typeof content === 'string') return contentParts(content);
  return [textPart(stringifyJson(content))];
}

/** Text, or a list of texts, URLs and binary contents. */
function userContent(content: unknown): ContentPart[] {
  return (asArray(content) ?? [content]).flatMap((value): ContentPart[] => {
    if (typeof value === 'string') return [textPart(value)];
    const object = asObject(value);
    const mime = asString(object?.['media_type']) ?? '';
    const url = asString(object?.['url']);
    if (object?.['kind'] === 'image-url' && url !== undefined) return [imageFromUrl(url, 'image')];
    if (object?.['kind'] === 'binary' && mime.startsWith('image')) return contentParts([{ type: 'image', data: object['data'], mimeType: mime }]);
    return value === null || value === undefined ? [] : [otherPart(asString(object?.['kind']) ?? 'content', value)];
  });
}

/** `input_tokens` includes cached ones; ours are apart. Before v1: `request_tokens`, `response_tokens`. */
function pydanticUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  if (!usage) return {};
  const input = asNumber(usage['input_tokens']) ?? asNumber(usage['request_tokens']);
  const read = asNumber(usage['cache_read_tokens']);
  const write = asNumber(usage['cache_write_tokens']);
  const hasCache = (read ?? 0) + (write ?? 0) > 0;
  const details = asObject(usage['details']);
  return {
    input: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (write ?? 0)),
    // Zeros are written where the provider says nothing.
    ...(hasCache ? { cachedInput: read, cacheWrite: write } : {}),
    output: asNumber(usage['output_tokens']) ?? asNumber(usage['response_tokens']),
    reasoning: asNumber(details?.['reasoning_tokens']),
  };
}

class PydanticRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private instructions = '';

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const list = node.kind === 'array' ? node : LIST_KEYS.map((key) => fields.get(key)).find((field) => field !== undefined);
    for (const message of list?.elements() ?? [node]) this.addMessage(message);
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    const message = asObject(value);
    this.context.count(asString(message?.['kind']) ?? 'unreadable message');
    if (message?.['kind'] === 'response') this.addResponse(node, message);
    else if (message?.['kind'] === 'request') this.addRequest(node, message);
    else this.context.unknown(message ? `kind ${asString(message['kind']) ?? 'missing'}` : 'unreadable message');
  }

  private addResponse(node: JsonNode, message: JsonObject): void {
    const parts = this.pairing.assign(recordParts(message));
    for (const part of asArray(message['parts']) ?? []) this.notePart(asObject(part));
    const failed = message['finish_reason'] === 'error' || message['state'] === 'interrupted';
    const row = this.draft.addMessage({ role: 'assistant', flags: failed ? MessageFlag.failed : 0, timestampMs: timestampMs(message['timestamp']), model: asString(message['model_name']), callKey: asString(message['provider_response_id']) ?? asString(message['vendor_id']) }, parts, node, this.line);
    this.draft.columns.mergeUsage(row, pydanticUsage(message['usage']));
  }

  private addRequest(node: JsonNode, message: JsonObject): void {
    const text = asString(message['instructions']) ?? '';
    if (text !== '' && text !== this.instructions) this.draft.addMessage({ role: 'system' }, [textPart(text)], node.field('instructions')!, this.line);
    this.instructions = text === '' ? this.instructions : text;
    for (const part of node.field('parts')?.elements() ?? []) this.addPart(part, timestampMs(message['timestamp']));
  }

  private addPart(node: JsonNode, messageTime: number | undefined): void {
    const value = valueOf(node);
    const part = asObject(value);
    if (!part) {
      this.context.unknown('unreadable part');
      return;
    }
    this.notePart(part);
    const parts = this.pairing.assign(recordParts(value));
    const kind = asString(part['part_kind']);
    const isResult = parts.some((piece) => piece.type === 'tool_result');
    const role: Role = kind === 'system-prompt' ? 'system' : isResult ? 'tool' : 'user';
    const flags = role !== 'user' ? 0 : kind === 'retry-prompt' ? MessageFlag.harness : hasOwnText(parts) ? MessageFlag.instruction : 0;
    this.draft.addMessage({ role, flags, timestampMs: timestampMs(part['timestamp']) ?? messageTime }, parts, node, this.line);
  }

  private notePart(part: JsonObject | undefined): void {
    const kind = asString(part?.['part_kind']) ?? 'missing';
    if (!KNOWN_PARTS.has(kind)) this.context.unknown(`part ${kind}`);
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: fallbackName }, (columns) => [linearThread(columns.n, [], true)]);
  }
}
