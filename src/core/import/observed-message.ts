import { asArray, asNumber, asObject, asString, parseJson, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';
import { langchainMessage, langchainParts, langchainRole } from './langchain-decode';

/** A message as an observability tool recorded it: OpenAI chat, Anthropic blocks, Vercel AI SDK, LangChain or GenAI parts. */
export function observedParts(value: unknown): Part[] {
  const message = asObject(value);
  if (!message) return typeof value === 'string' ? contentParts(value) : [otherPart('message', value)];
  if (isLangchain(message)) return langchainParts([message]);
  const list = asArray(message['parts']);
  const content = list ?? message['content'] ?? message['text'];
  const role = observedRole(value);
  const calls = callList(message['tool_calls'] ?? message['toolCalls']);
  const reasoning = asString(message['reasoning_content']) ?? asString(message['reasoning']);
  if (role === 'tool' && !Array.isArray(content)) return [result(message['tool_call_id'] ?? message['toolCallId'], message['name'], content)];
  if (role === 'tool' && Array.isArray(content) && message['tool_call_id'] !== undefined) return [result(message['tool_call_id'], message['name'], content)];
  const parts = Array.isArray(content) ? content.flatMap(blockPart) : contentParts(content);
  return [...(reasoning ? [reasoningPart(reasoning)] : []), ...parts, ...calls.filter((call) => call.type !== 'tool_call' || !parts.some((part) => part.type === 'tool_call' && part.id === call.id && call.id !== ''))];
}

const ROLE_OF: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', human: 'user', assistant: 'assistant', model: 'assistant', ai: 'assistant', tool: 'tool', function: 'tool' };

export function observedRole(value: unknown, fallback: Role = 'user'): Role {
  const message = asObject(value);
  if (!message) return fallback;
  if (isLangchain(message)) return langchainRole(langchainMessage(message)!) ?? fallback;
  const name = asString(message['role']) ?? '';
  const role = Object.hasOwn(ROLE_OF, name) ? ROLE_OF[name]! : fallback;
  const blocks = asArray(message['parts']) ?? asArray(message['content']);
  const isResults = role === 'user' && blocks !== undefined && blocks.length > 0 && blocks.every((block) => /^tool[-_](result|call_response)$/.test(asString(asObject(block)?.['type']) ?? ''));
  return isResults ? 'tool' : role;
}

function isLangchain(message: JsonObject): boolean {
  return (message['lc'] !== undefined || (message['role'] === undefined && typeof message['type'] === 'string')) && langchainMessage(message) !== undefined;
}

function callList(value: unknown): Part[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = parseJson(value);
    } catch {
      return [];
    }
  }
  return (asArray(list) ?? []).map((entry) => {
    const call = asObject(entry);
    const body = asObject(call?.['function']);
    return toolCall(call?.['id'] ?? call?.['toolCallId'], body?.['name'] ?? call?.['name'] ?? call?.['toolName'], body?.['arguments'] ?? call?.['arguments'] ?? call?.['args'] ?? call?.['input']);
  });
}

function blockPart(value: unknown): Part[] {
  const block = asObject(value);
  switch (block?.['type']) {
    case 'text': case 'input_text': case 'output_text': return contentParts(block['text'] === undefined && typeof block['content'] === 'string' ? block['content'] : [block]);
    case 'reasoning': case 'thinking': return [reasoningPart(block['content'] ?? block['text'] ?? block['thinking'])];
    case 'redacted_thinking': case 'redacted-reasoning': return [reasoningPart('', true)];
    case 'tool-call': case 'tool_call': case 'tool_use': return [toolCall(block['id'] ?? block['toolCallId'], block['name'] ?? block['toolName'], block['arguments'] ?? block['args'] ?? block['input'])];
    case 'tool-result': return [aiSdkResult(block)];
    case 'tool_call_response': return [result(block['id'], undefined, block['response'] ?? block['result'])];
    case 'tool_result': return [{ ...result(block['tool_use_id'], undefined, block['content']), ...(block['is_error'] === true ? { isError: true } : {}) }];
    default: return contentParts([value]);
  }
}

function aiSdkResult(block: JsonObject): Part {
  const output = asObject(block['output']);
  const wrapped = output !== undefined && typeof output['type'] === 'string' && 'value' in output;
  const isError = block['isError'] === true || (wrapped && String(output['type']).startsWith('error'));
  return { ...result(block['toolCallId'], block['toolName'], wrapped ? output['value'] : (block['output'] ?? block['result'])), ...(isError ? { isError } : {}) };
}

export function result(id: unknown, name: unknown, value: unknown): Extract<Part, { type: 'tool_result' }> {
  const toolName = asString(name);
  return { type: 'tool_result', callId: idText(id), ...(toolName === undefined ? {} : { toolName }), content: resultContent(value) };
}

/** Text, content blocks, or any other value as JSON. */
function resultContent(value: unknown): ContentPart[] {
  if (value === null || value === undefined || typeof value === 'string') return contentParts(value);
  const isBlocks = Array.isArray(value) && value.length > 0 && value.every((item) => typeof asObject(item)?.['type'] === 'string' && ('text' in asObject(item)! || 'image_url' in asObject(item)! || 'source' in asObject(item)!));
  return isBlocks ? contentParts(value) : [textPart(stringifyJson(value))];
}

/** Classes that add up to a total stand apart; where input and output alone make it, cached and reasoning are inside. */
export function bucketUsage(usage: { input?: number; output?: number; total?: number; read?: number; write?: number; reasoning?: number }): Partial<Usage> {
  const { input, output, total, read, write, reasoning } = usage;
  const inside = total !== undefined && total === (input ?? 0) + (output ?? 0);
  return {
    input: input === undefined ? undefined : inside ? Math.max(0, input - (read ?? 0) - (write ?? 0)) : input,
    cachedInput: read, cacheWrite: write, output: output === undefined ? undefined : inside ? output : output + (reasoning ?? 0), reasoning,
  };
}

export function firstNumber(object: JsonObject | undefined, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = object?.[name];
    const number = typeof value === 'string' && value !== '' ? Number(value) : asNumber(value);
    if (number !== undefined && Number.isFinite(number)) return number;
  }
  return undefined;
}
