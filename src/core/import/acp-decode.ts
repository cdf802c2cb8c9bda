import { asArray, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** A JSON-RPC message of the Agent Client Protocol, out of whatever envelope a logger put around it. */
export function acpMessage(record: unknown): JsonObject | undefined {
  const object = asObject(record);
  if (!object) return undefined;
  if (isRpc(object) || acpUpdate(object)) return object;
  for (const name of ['message', 'msg', 'data', 'payload', 'json']) {
    const inner = asObject(object[name]);
    if (inner && (isRpc(inner) || acpUpdate(inner))) return inner;
  }
  return undefined;
}

function isRpc(object: JsonObject): boolean {
  return object['jsonrpc'] === '2.0' || object['method'] === 'session/update' || object['method'] === 'session/prompt';
}

/** The update of a `session/update` notification, with or without its envelope. */
export function acpUpdate(message: JsonObject): JsonObject | undefined {
  const params = asObject(message['params']) ?? message;
  const update = asObject(params['update']) ?? params;
  return typeof update['sessionUpdate'] === 'string' ? update : undefined;
}

/** Text, images, links and embedded resources, as in MCP. */
export function acpContent(value: unknown): ContentPart[] {
  return (asArray(value) ?? (value === undefined || value === null ? [] : [value])).flatMap((block): ContentPart[] => {
    const object = asObject(block);
    if (object?.['type'] === 'resource') {
      const text = asString(asObject(object['resource'])?.['text']);
      if (text !== undefined) return [textPart(text)];
    }
    if (object?.['type'] === 'resource_link') return [textPart(asString(object['uri']) ?? '')];
    return contentParts(object?.['type'] === 'image' ? { ...object, url: object['uri'] } : block);
  });
}

/** A tool call as its updates patch it: only keys that are given change. */
export function patchCall(state: JsonObject, update: JsonObject): JsonObject {
  const given = Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null && value !== undefined));
  return { ...state, ...given };
}

/** Agents name tools in their own metadata; else the kind is all there is, and the title says what is done. */
function acpCall(state: JsonObject): Part {
  const meta = asObject(state['_meta']);
  const own = asString(asObject(meta?.['claudeCode'])?.['toolName']) ?? asString(meta?.['toolName']) ?? asString(state['toolName']);
  const args = state['rawInput'] ?? { title: state['title'], ...(state['locations'] === undefined ? {} : { locations: state['locations'] }) };
  return toolCall(state['toolCallId'], own ?? asString(state['kind']) ?? asString(state['title']) ?? '', args);
}

export function acpResult(state: JsonObject): Part {
  const failed = state['status'] === 'failed' || state['status'] === 'cancelled';
  const content = (asArray(state['content']) ?? []).flatMap((value): ContentPart[] => {
    const item = asObject(value);
    return item?.['type'] === 'content' ? acpContent(item['content']) : [otherPart(asString(item?.['type']) ?? 'content', value)];
  });
  return { type: 'tool_result', callId: idText(state['toolCallId']), content: content.length > 0 ? content : rawOutput(state['rawOutput']), ...(failed ? { isError: true } : {}) };
}

function rawOutput(value: unknown): ContentPart[] {
  if (value === undefined || value === null) return [];
  return [textPart(typeof value === 'string' ? value : stringifyJson(value))];
}

/** Consecutive chunks are one text; the records of one call are one call, where the first of them stands. */
export function acpAnswer(updates: readonly JsonObject[]): Part[] {
  const parts: Part[] = [];
  const calls = new Map<string, { at: number; state: JsonObject }>();
  for (const update of updates) {
    const kind = update['sessionUpdate'];
    if (kind === 'tool_call' || kind === 'tool_call_update') {
      const id = idText(update['toolCallId']);
      const known = calls.get(id);
      const state = patchCall(known?.state ?? {}, update);
      calls.set(id, { at: known?.at ?? parts.length, state });
      if (known) parts[known.at] = acpCall(state);
      else parts.push(acpCall(state));
    } else for (const part of acpContent(update['content'])) join(parts, kind === 'agent_thought_chunk' && part.type === 'text' ? reasoningPart(part.text) : part);
  }
  return parts;
}

function join(parts: Part[], part: Part): void {
  const last = parts.at(-1);
  if (last?.type === 'text' && part.type === 'text') parts[parts.length - 1] = { ...last, text: last.text + part.text };
  else if (last?.type === 'reasoning' && part.type === 'reasoning' && !last.redacted && !part.redacted) parts[parts.length - 1] = { ...last, text: last.text + part.text };
  else parts.push(part);
}
