import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Items of the OpenAI Responses API (formats.md §10): parts of one item. Linked by `call_id`; hosted tools carry their own result. */
export function itemParts(item: JsonObject): Part[] {
  const type = asString(item['type']) ?? ('role' in item ? 'message' : '');
  const hosted = HOSTED[type];
  if (hosted) return hosted(item, idText(item['id']));
  switch (type) {
    case 'message': return contentParts(item['content']);
    case 'reasoning': return reasoningParts(item);
    case 'function_call': return [toolCall(item['call_id'], item['name'], item['arguments'])];
    case 'custom_tool_call': return [toolCall(item['call_id'], item['name'], item['input'])];
    case 'computer_call': return [toolCall(item['call_id'], 'computer', item['action'])];
    case 'local_shell_call': return [toolCall(item['call_id'], 'local_shell', item['action'])];
    case 'shell_call': return [toolCall(item['call_id'], 'shell', item['action'])];
    case 'apply_patch_call': return [toolCall(item['call_id'], 'apply_patch', item['operation'])];
    case 'tool_search_call': return [toolCall(item['call_id'] ?? item['id'], 'tool_search', item['arguments'])];
    default:
      if (isOutput(type)) return [outputPart(type, item)];
      return [otherPart(type || 'item', item)];
  }
}

/** Item types that stand in an answer and are no call. */
const OTHER_TYPES = new Set(['message', 'reasoning', 'program', 'program_output', 'compaction', 'compaction_summary', 'mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'item_reference']);
const CALL_TYPES = new Set(['function_call', 'custom_tool_call', 'computer_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'tool_search_call']);

export function isKnownItem(type: string): boolean { return OTHER_TYPES.has(type) || CALL_TYPES.has(type) || isOutput(type) || Object.hasOwn(HOSTED, type); }
export function isOutput(type: string): boolean { return (CALL_TYPES.has(type.replace(/_output$/, '')) && type.endsWith('_output')) || type === 'tool_search_output'; }

/** Is a value an item, told by the keys of its type? */
export function isItem(value: unknown): boolean {
  const item = asObject(value);
  const type = asString(item?.['type']);
  if (!item || type === undefined) return false;
  if (type === 'message') return typeof item['role'] === 'string' && (Array.isArray(item['content']) || typeof item['content'] === 'string') && !('message' in item);
  if (type === 'reasoning') return Array.isArray(item['summary']);
  if (type === 'function_call') return 'call_id' in item && 'arguments' in item;
  return isOutput(type) ? 'call_id' in item : isKnownItem(type) && ('id' in item || 'call_id' in item);
}

/** A summary, the text itself, or nothing but the encrypted form. */
function reasoningParts(item: JsonObject): Part[] {
  const blocks = [...(asArray(item['summary']) ?? []), ...(asArray(item['content']) ?? [])];
  const texts = blocks.flatMap((block) => asString(asObject(block)?.['text']) ?? []);
  return texts.length > 0 ? texts.map((text) => reasoningPart(text)) : [reasoningPart('', true)];
}

function outputPart(type: string, item: JsonObject): Part {
  const output = item['output'] ?? item['tools'];
  const callId = idText(item['call_id'] ?? item['id']);
  if (type === 'computer_call_output') return { type: 'tool_result', callId, content: [screenshot(output)] };
  const isError = item['status'] === 'failed' || item['status'] === 'incomplete';
  return { type: 'tool_result', callId, content: outputContent(output), ...(isError ? { isError } : {}) };
}

function outputContent(output: unknown): ContentPart[] {
  if (!Array.isArray(output)) return typeof output === 'string' || output === null || output === undefined ? contentParts(output) : [textPart(stringifyJson(output))];
  // shell_call_output: a list of {stdout, stderr, outcome}.
  return output.flatMap((entry): ContentPart[] => {
    const object = asObject(entry);
    if (!object || !('stdout' in object || 'stderr' in object)) return contentParts([entry]);
    return [textPart([asString(object['stdout']), asString(object['stderr'])].filter(Boolean).join('\n'))];
  });
}

function screenshot(output: unknown): ContentPart {
  const url = asString(asObject(output)?.['image_url']);
  return url === undefined ? otherPart('computer_call_output', output) : contentParts([{ type: 'input_image', image_url: url }])[0]!;
}

type Hosted = (item: JsonObject, id: string) => Part[];

/** Hosted tools: the item is call and result in one. */
const HOSTED: Readonly<Record<string, Hosted>> = {
  web_search_call: (item, id) => {
    const { sources, ...action } = asObject(item['action']) ?? {};
    return [toolCall(id, 'web_search', action), hostedResult(item, id, (asArray(sources) ?? []).map((source) => otherPart('source', source)))];
  },
  file_search_call: (item, id) => [toolCall(id, 'file_search', { queries: item['queries'] }), hostedResult(item, id, (asArray(item['results']) ?? []).map((result) => {
    const text = asString(asObject(result)?.['text']);
    return text === undefined ? otherPart('result', result) : textPart(text);
  }))],
  code_interpreter_call: (item, id) => [toolCall(id, 'code_interpreter', item['code']), hostedResult(item, id, (asArray(item['outputs']) ?? []).map((output) => {
    const logs = asString(asObject(output)?.['logs']);
    return logs === undefined ? otherPart('output', output) : textPart(logs);
  }))],
  image_generation_call: (item, id) => {
    const data = asString(item['result']);
    return [toolCall(id, 'image_generation', asString(item['revised_prompt']) ?? ''), hostedResult(item, id, data === undefined ? [] : contentParts([{ type: 'image', media_type: 'image/png', data }]))];
  },
  mcp_call: (item, id) => {
    const error = item['error'];
    const failed = error !== null && error !== undefined;
    const content = failed ? contentParts(typeof error === 'string' ? error : stringifyJson(error)) : contentParts(item['output']);
    return [toolCall(id, item['name'], item['arguments']), { type: 'tool_result', callId: id, content, ...(failed ? { isError: true } : {}) }];
  },
};

function hostedResult(item: JsonObject, id: string, content: ContentPart[]): Part {
  return { type: 'tool_result', callId: id, content, ...(item['status'] === 'failed' ? { isError: true } : {}) };
}

/** Cached and cache-written tokens are counted inside `input_tokens`; ours are apart. `output` includes reasoning. */
export function responsesUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  if (!usage) return {};
  const details = asObject(usage['input_tokens_details']);
  const input = asNumber(usage['input_tokens']);
  const cached = asNumber(details?.['cached_tokens']);
  const written = asNumber(details?.['cache_write_tokens']);
  return {
    input: input === undefined ? undefined : Math.max(0, input - (cached ?? 0) - (written ?? 0)),
    cachedInput: cached, cacheWrite: written, output: asNumber(usage['output_tokens']), reasoning: asNumber(asObject(usage['output_tokens_details'])?.['reasoning_tokens']),
  };
}
