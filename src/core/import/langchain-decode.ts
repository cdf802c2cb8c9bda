import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part, Role, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, toolCall } from './content-parts';

/**
 * LangChain messages (formats.md §12) in each of their spellings, as one plain object: `{lc, type: "constructor", id,
 * kwargs}`, `{type, data}`, `{type, content}` and `{role, content}`. undefined = no message.
 */
export function langchainMessage(value: unknown): JsonObject | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const kwargs = asObject(object['kwargs']);
  if (object['type'] === 'constructor' && kwargs) {
    const name = asArray(object['id'])?.at(-1);
    return typeof name === 'string' && /Message(Chunk)?$/.test(name) ? { ...kwargs, type: name } : undefined;
  }
  const data = asObject(object['data']);
  if (typeof object['type'] === 'string' && data && roleOf(object['type']) !== undefined) return { ...data, type: object['type'] };
  if (typeof object['type'] === 'string' && 'content' in object && roleOf(object['type']) !== undefined) return object;
  return typeof object['role'] === 'string' && 'content' in object ? { ...object, type: object['role'] } : undefined;
}

const ROLE_OF: Readonly<Record<string, Role>> = { human: 'user', user: 'user', ai: 'assistant', assistant: 'assistant', tool: 'tool', function: 'tool', system: 'system', developer: 'system', chat: 'user', generic: 'user' };

function roleOf(type: string): Role | undefined {
  const name = type.replace(/(Message)?(Chunk)?$/, '').toLowerCase();
  return Object.hasOwn(ROLE_OF, name) ? ROLE_OF[name] : undefined;
}

/** Role of a message from `langchainMessage`; undefined for kinds that are none (RemoveMessage). */
export function langchainRole(message: JsonObject): Role | undefined {
  const type = asString(message['type']) ?? '';
  return /^chat/i.test(type) ? (roleOf(asString(message['role']) ?? '') ?? 'user') : roleOf(type);
}

/** One message, or the chunks that were streamed of it. */
export function langchainParts(records: readonly unknown[]): Part[] {
  const messages = records.map(langchainMessage);
  if (messages.length === 1 || messages.some((message) => !message)) return messages.flatMap((message, i) => (message ? messageParts(message) : [otherPart('message', records[i])]));
  return messageParts(joinChunks(messages as JsonObject[]));
}

function messageParts(message: JsonObject): Part[] {
  const role = langchainRole(message);
  if (role === 'tool') {
    const name = asString(message['name']);
    return [{ type: 'tool_result', callId: idText(message['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content: contentParts(message['content']), ...(message['status'] === 'error' ? { isError: true } : {}) }];
  }
  if (role !== 'assistant') return contentParts(message['content']);
  const calls = callParts(message);
  return [...extraReasoning(message), ...blocks(message['content'], calls.length > 0), ...calls];
}

/** The same call stands in up to three places: `tool_calls` first, then OpenAI's form; blocks only where neither has any. */
function callParts(message: JsonObject): Part[] {
  const parsed = [...(asArray(message['tool_calls']) ?? []), ...(asArray(message['invalid_tool_calls']) ?? [])].map((value): Part => {
    const call = asObject(value);
    const body = asObject(call?.['function']);
    return toolCall(call?.['id'], call?.['name'] ?? body?.['name'], call?.['args'] ?? body?.['arguments'] ?? call?.['arguments']);
  });
  if (parsed.length > 0) return parsed;
  const extra = asObject(message['additional_kwargs']);
  const raw = (asArray(extra?.['tool_calls']) ?? []).map((value): Part => {
    const body = asObject(asObject(value)?.['function']);
    return toolCall(asObject(value)?.['id'], body?.['name'], body?.['arguments']);
  });
  const legacy = asObject(extra?.['function_call']);
  return raw.length > 0 || !legacy ? raw : [toolCall('', legacy['name'], legacy['arguments'])];
}

function extraReasoning(message: JsonObject): Part[] {
  const extra = asObject(message['additional_kwargs']);
  const text = asString(extra?.['reasoning_content']);
  if (text) return [reasoningPart(text)];
  const reasoning = asObject(extra?.['reasoning']);
  if (!reasoning) return [];
  const summary = (asArray(reasoning['summary']) ?? []).flatMap((block) => asString(asObject(block)?.['text']) ?? []);
  return [summary.length > 0 ? reasoningPart(summary.join('\n')) : reasoningPart('', true)];
}

function blocks(content: unknown, hasCalls: boolean): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((value): Part[] => {
    const block = asObject(value);
    switch (block?.['type']) {
      case 'tool_use': case 'tool_call': return hasCalls ? [] : [toolCall(block['id'], block['name'], block['input'] ?? block['args'])];
      case 'tool_call_chunk': case 'input_json_delta': return [];
      case 'thinking': return [reasoningPart(block['thinking'])];
      case 'reasoning': return [reasoningPart(block['reasoning'] ?? summaryText(block['summary']))];
      default: return contentParts([value]);
    }
  });
}

function summaryText(summary: unknown): string | undefined {
  const texts = (asArray(summary) ?? []).flatMap((block) => asString(asObject(block)?.['text']) ?? []);
  return texts.length > 0 ? texts.join('\n') : undefined;
}

interface OpenCall { id: string; name: string; args: string }

/** Chunks of one id as a message: texts and argument pieces joined, calls told apart by their index. */
function joinChunks(chunks: readonly JsonObject[]): JsonObject {
  let text = '';
  let reasoning = '';
  const calls = new Map<number, OpenCall>();
  const rest: unknown[] = [];
  for (const chunk of chunks) {
    for (const part of [...extraReasoning(chunk), ...blocks(chunk['content'], true)]) {
      if (part.type === 'text') text += part.text;
      else if (part.type === 'reasoning') reasoning += part.text;
      else rest.push(part.type === 'other' ? { type: part.kind, raw: part.raw } : part);
    }
    for (const value of asArray(chunk['tool_call_chunks']) ?? []) {
      const piece = asObject(value) ?? {};
      const index = asNumber(piece['index']) ?? calls.size;
      const open = calls.get(index) ?? { id: '', name: '', args: '' };
      calls.set(index, { id: open.id || idText(piece['id']), name: open.name + (asString(piece['name']) ?? ''), args: open.args + (asString(piece['args']) ?? '') });
    }
  }
  return {
    ...chunks[0], tool_calls: [...calls.values()], invalid_tool_calls: [],
    additional_kwargs: reasoning === '' ? {} : { reasoning_content: reasoning },
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...rest],
  };
}

/** `input_tokens` includes cached ones; ours are apart. */
export function langchainUsage(message: JsonObject): Partial<Usage> {
  const usage = asObject(message['usage_metadata']);
  const meta = asObject(message['response_metadata']);
  if (usage) {
    const details = asObject(usage['input_token_details']);
    const input = asNumber(usage['input_tokens']);
    const read = asNumber(details?.['cache_read']);
    const write = asNumber(details?.['cache_creation']);
    return { input: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (write ?? 0)), cachedInput: read, cacheWrite: write, output: asNumber(usage['output_tokens']), reasoning: asNumber(asObject(usage['output_token_details'])?.['reasoning']) };
  }
  const old = asObject(meta?.['tokenUsage']) ?? asObject(meta?.['token_usage']);
  return { input: asNumber(old?.['promptTokens']) ?? asNumber(old?.['prompt_tokens']), output: asNumber(old?.['completionTokens']) ?? asNumber(old?.['completion_tokens']) };
}

export function langchainModel(message: JsonObject): string | undefined {
  const meta = asObject(message['response_metadata']);
  return asString(meta?.['model_name']) ?? asString(meta?.['model']);
}
