import { asArray, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part, Role } from '../trace/model';
import { contentParts, otherPart, toolCall } from './content-parts';
import { observedParts, result } from './observed-message';

/** A value of the OTLP attribute model, as plain JSON. */
function anyValue(value: unknown): unknown {
  const object = asObject(value);
  if (!object) return value;
  const get = (name: string): unknown => object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
  const list = asObject(get('arrayValue'));
  if (list) return (asArray(list['values']) ?? []).map(anyValue);
  const map = asObject(get('kvlistValue'));
  if (map) return attributeMap(map['values']);
  const int = get('intValue');
  if (int !== undefined) return Number(int);
  return get('stringValue') ?? get('doubleValue') ?? get('boolValue') ?? get('bytesValue');
}

/** `[{key, value}]` as one object. */
export function attributeMap(list: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const entry of asArray(list) ?? []) {
    const key = asString(asObject(entry)?.['key']);
    if (key !== undefined) found[key] = anyValue(asObject(entry)?.['value']);
  }
  return found;
}

/** Keys of one message in flattened attributes: OpenInference, then OpenLLMetry. */
export const FLAT_MESSAGE = /^(llm\.(?:input|output)_messages|gen_ai\.(?:prompt|completion))\.(\d+)\.(.+)$/;

/** Parts of the records of one row: flattened attributes, span events, tool spans, or messages out of JSON. */
export function otlpParts(records: readonly unknown[], role: Role): Part[] {
  const flat: unknown[] = [];
  const parts: Part[] = [];
  for (const record of records) {
    const object = asObject(record);
    if (object && 'key' in object && 'value' in object) {
      if (FLAT_MESSAGE.test(String(object['key']))) flat.push(record);
      else parts.push(...textAttribute(String(object['key']), anyValue(object['value'])));
    } else if (object && ('spanId' in object || 'span_id' in object)) parts.push(...spanParts(object, role));
    else if (object && 'attributes' in object && 'name' in object) parts.push(...eventParts(object));
    else if (object && ('kvlistValue' in object || 'kvlist_value' in object || 'stringValue' in object)) parts.push(...observedParts(anyValue(object)));
    else if (Array.isArray(record)) parts.push(...observedParts({ role: 'system', parts: record }));
    else parts.push(...observedParts(record));
  }
  return flat.length > 0 ? [...observedParts(flatMessage(flat)), ...parts] : parts;
}

/** A text, or the calls that the Vercel AI SDK keeps beside it. */
function textAttribute(key: string, value: unknown): Part[] {
  if (key === 'ai.response.toolCalls') return observedParts({ role: 'assistant', toolCalls: value });
  return typeof value === 'string' ? contentParts(value) : [otherPart(key, value)];
}

interface FlatCall { id?: unknown; name?: unknown; arguments?: unknown }

/** `message.contents.1.message_content.text` and the like, put together again. */
function flatMessage(attributes: readonly unknown[]): JsonObject {
  const message: Record<string, unknown> = {};
  const contents = new Map<number, Record<string, unknown>>();
  const calls = new Map<number, FlatCall>();
  for (const entry of attributes) {
    const object = asObject(entry);
    const path = FLAT_MESSAGE.exec(String(object?.['key']))?.[3]?.replace(/^message\./, '');
    if (path === undefined) continue;
    const value = anyValue(object?.['value']);
    const content = /^contents?\.(\d+)\.(?:message_content\.)?(.+)$/.exec(path);
    const call = /^tool_calls\.(\d+)\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(path);
    if (call) calls.set(Number(call[1]), { ...calls.get(Number(call[1])), [call[2]!]: value });
    else if (content) contents.set(Number(content[1]), { ...contents.get(Number(content[1])), [content[2]!]: value });
    else if (!path.includes('.')) message[path] = value;
  }
  if (contents.size > 0) message['content'] = [...contents].sort(([a], [b]) => a - b).map(([, block]) => flatBlock(block));
  if (calls.size > 0) message['tool_calls'] = [...calls].sort(([a], [b]) => a - b).map(([, call]) => call);
  return message;
}

function flatBlock(block: Record<string, unknown>): unknown {
  const url = block['image.image.url'] ?? block['image.url'];
  return url === undefined ? { type: 'text', ...block } : { type: 'image_url', image_url: { url } };
}

const EVENT_ROLES: Readonly<Record<string, string>> = { 'gen_ai.system.message': 'system', 'gen_ai.user.message': 'user', 'gen_ai.assistant.message': 'assistant', 'gen_ai.tool.message': 'tool', 'gen_ai.choice': 'assistant' };
export function eventRole(name: string): string | undefined { return Object.hasOwn(EVENT_ROLES, name) ? EVENT_ROLES[name] : undefined; }

/** Messages that early GenAI conventions wrote as span events. */
function eventParts(event: JsonObject): Part[] {
  const attributes = attributeMap(event['attributes']);
  const body = plainJson(attributes['message'] ?? attributes['gen_ai.event.content']);
  const role = eventRole(String(event['name'])) ?? 'user';
  const inner = asObject(body);
  return observedParts({ role, tool_call_id: attributes['id'], content: attributes['content'] ?? (inner ? undefined : body), tool_calls: plainJson(attributes['tool_calls']), ...inner });
}

export function plainJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/** A tool span is a call in an assistant row and its result in a tool row. */
function spanParts(span: JsonObject, role: Role): Part[] {
  const tool = toolOf(String(span['name'] ?? ''), attributeMap(span['attributes']));
  if (tool.kind !== 'TOOL') return [];
  if (role !== 'tool') return [toolCall(tool.id, tool.name, tool.args ?? '')];
  const isError = isFailed(asObject(span['status'])?.['code']);
  return [{ ...result(tool.id, tool.name, tool.output), ...(isError ? { isError } : {}) }];
}

export function isFailed(code: unknown): boolean { return code === 2 || code === 'STATUS_CODE_ERROR' || code === 'ERROR'; }

export interface ToolFacts { kind: string; id: string; name: string; args: unknown; output: unknown }

const LLM_OPERATIONS = new Set(['chat', 'text_completion', 'generate_content', 'completion']);

/** What a span is, in OpenInference's words; '' = nothing that says so. */
export function spanKind(attributes: Readonly<Record<string, unknown>>): string {
  const kind = asString(attributes['openinference.span.kind'])?.toUpperCase();
  if (kind !== undefined) return kind;
  const operation = asString(attributes['gen_ai.operation.name']);
  if (operation === 'execute_tool' || attributes['ai.operationId'] === 'ai.toolCall') return 'TOOL';
  if (operation !== undefined && LLM_OPERATIONS.has(operation)) return 'LLM';
  if (operation === 'invoke_agent' || operation === 'create_agent') return 'AGENT';
  if ('llm.request.type' in attributes || 'gen_ai.prompt.0.role' in attributes || /doGenerate|doStream/.test(asString(attributes['ai.operationId']) ?? '')) return 'LLM';
  return operation?.toUpperCase() ?? asString(attributes['traceloop.span.kind'])?.toUpperCase() ?? '';
}

export function toolOf(name: string, attributes: Readonly<Record<string, unknown>>): ToolFacts {
  return {
    kind: spanKind(attributes),
    id: asString(attributes['gen_ai.tool.call.id']) ?? asString(attributes['ai.toolCall.id']) ?? asString(attributes['tool_call.id']) ?? '',
    name: asString(attributes['tool.name']) ?? asString(attributes['gen_ai.tool.name']) ?? asString(attributes['ai.toolCall.name']) ?? asString(attributes['traceloop.entity.name']) ?? name,
    args: attributes['gen_ai.tool.call.arguments'] ?? attributes['ai.toolCall.args'] ?? attributes['input.value'] ?? attributes['traceloop.entity.input'] ?? attributes['tool.parameters'],
    output: attributes['gen_ai.tool.call.result'] ?? attributes['ai.toolCall.result'] ?? attributes['output.value'] ?? attributes['traceloop.entity.output'],
  };
}
