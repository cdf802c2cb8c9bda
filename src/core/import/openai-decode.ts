import { asArray, asNumber, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part, Role, Usage } from '../trace/model';
import { contentParts, idText, reasoningPart, textPart, toolCall } from './content-parts';

/** Messages of OpenAI chat completions (formats.md §10), shared by chat files, SWE-agent and mini-swe-agent. */

const ROLE_OF: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool', function: 'tool' };

/** null = not a role of the chat protocol. */
export function chatRole(role: unknown): Role | null {
  return typeof role === 'string' && Object.hasOwn(ROLE_OF, role) ? ROLE_OF[role]! : null;
}

/** Parts of one message. Ids that are not recorded are '' (the importer pairs by order and keeps ids in columns). */
export function chatParts(message: JsonObject): Part[] {
  const role = chatRole(message['role']);
  if (role === 'tool') return resultParts(message);
  if (role !== 'assistant') return contentParts(message['content']);
  return [...reasoningParts(message), ...assistantContent(message['content']), ...callParts(message), ...refusal(message)];
}

function reasoningParts(message: JsonObject): Part[] {
  const text = asString(message['reasoning_content']) ?? asString(message['reasoning']);
  if (text) return [reasoningPart(text)];
  return (asArray(message['reasoning_details']) ?? []).map((detail) => {
    const object = asObject(detail);
    return reasoningPart(asString(object?.['text']) ?? asString(object?.['summary']));
  });
}

/** `<think>` tags stay in the text: where thinking ends cannot be told safely. */
function assistantContent(content: unknown): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((block): Part[] => {
    const object = asObject(block);
    const type = asString(object?.['type']);
    if (object && type === 'reasoning') return [reasoningPart(object['value'] ?? object['text'])];
    if (object && type === 'thinking') return [reasoningPart(object['thinking'])];
    if (object && type === 'tool_call') return [textCall(object['value'])];
    return contentParts([block]);
  });
}

/** LLaMA-Factory: the call is JSON text `{name, arguments}`; text that is no such JSON is kept as it is. */
function textCall(value: unknown): Part {
  const text = asString(value);
  let parsed: unknown = value;
  if (text !== undefined) {
    try {
      parsed = parseJson(text);
    } catch {
      return toolCall('', '', text);
    }
  }
  const call = asObject(parsed);
  return call && 'name' in call ? toolCall('', call['name'], call['arguments']) : toolCall('', '', text ?? parsed);
}

function callParts(message: JsonObject): Part[] {
  const calls = (asArray(message['tool_calls']) ?? []).map((call): Part => {
    const object = asObject(call);
    const body = asObject(object?.['function']) ?? asObject(object?.['custom']) ?? object;
    return toolCall(object?.['id'], body?.['name'], body?.['arguments'] ?? body?.['input']);
  });
  const legacy = asObject(message['function_call']);
  return legacy ? [...calls, toolCall('', legacy['name'], legacy['arguments'])] : calls;
}

function refusal(message: JsonObject): Part[] {
  const text = asString(message['refusal']);
  return text ? [textPart(text)] : [];
}

/** One result a message; of a {type, value} list one result an item (formats.md §19: results = content items). */
function resultParts(message: JsonObject): Part[] {
  const name = asString(message['name']);
  const base = { type: 'tool_result' as const, callId: idText(message['tool_call_id']), ...(name === undefined ? {} : { toolName: name }) };
  const content = message['content'];
  const isList = Array.isArray(content) && content.length > 0 && content.every((item) => 'value' in (asObject(item) ?? {}));
  if (isList && base.callId === '') return content.map((item): Part => ({ ...base, content: contentParts([item]) }));
  return [{ ...base, content: contentParts(content) }];
}

/** OpenAI counts cached tokens inside the prompt; ours are apart. `output` includes reasoning. */
export function openaiUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  if (!usage) return {};
  const prompt = asNumber(usage['prompt_tokens']) ?? asNumber(usage['input_tokens']);
  const cached = asNumber(asObject(usage['prompt_tokens_details'] ?? usage['input_tokens_details'])?.['cached_tokens']) ?? asNumber(usage['prompt_cache_hit_tokens']);
  const reasoning = asNumber(asObject(usage['completion_tokens_details'] ?? usage['output_tokens_details'])?.['reasoning_tokens']);
  return {
    input: prompt === undefined ? undefined : prompt - (cached ?? 0),
    cachedInput: cached,
    output: asNumber(usage['completion_tokens']) ?? asNumber(usage['output_tokens']),
    reasoning,
  };
}
