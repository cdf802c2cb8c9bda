import { asArray, asBoolean, asNumber, asObject, asString, parseJson, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part, ToolResultPart } from '../trace/model';
import { contentParts, idText, imageFromUrl, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Items of Codex rollouts (formats.md §2): wrapped as `{type, payload}`, or bare in the layout before September 2025. */

/** The item inside a record, whatever the layout. */
export function codexItem(record: unknown): JsonObject {
  const object = asObject(record) ?? {};
  return asObject(object['payload']) ?? object;
}

const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call', 'tool_search_call', 'web_search_call', 'image_generation_call']);

export type ItemClass = 'message' | 'model' | 'output' | 'agent' | 'none' | 'unknown';

/** What an item is to the conversation: `model` = written by the model besides messages, `none` = bookkeeping. */
export function itemClass(type: string): ItemClass {
  if (type === 'message') return 'message';
  if (type === 'reasoning' || CALLS.has(type)) return 'model';
  if (type.endsWith('_output')) return 'output';
  if (type === 'agent_message') return 'agent';
  return type === 'ghost_snapshot' ? 'none' : 'unknown';
}

/** Parts of one record: a line, a bare item, an item of a replacement history, or a text inside one. */
export function codexParts(record: unknown): Part[] {
  if (typeof record === 'string') return [textPart(record)];
  const item = codexItem(record);
  const type = asString(item['type']) ?? '';
  switch (type) {
    case 'message':
    case 'agent_message':
      return item['content'] === undefined ? [textPart(asString(item['message']) ?? '')] : contentParts(item['content']);
    case 'user_message':
      return [textPart(asString(item['message']) ?? ''), ...(asArray(item['images']) ?? []).map((url) => imageFromUrl(asString(url) ?? '', 'image'))];
    case 'agent_reasoning':
      return [reasoningPart(item['text'])];
    case 'reasoning':
      return reasoningParts(item);
    case 'function_call':
      return [toolCall(item['call_id'], calledName(item), item['arguments'])];
    case 'custom_tool_call':
      return [toolCall(item['call_id'], item['name'], item['input'])];
    case 'local_shell_call':
      return [toolCall(item['call_id'] ?? item['id'], 'local_shell', item['action'])];
    case 'tool_search_call':
      return [toolCall(item['call_id'], 'tool_search', item['arguments'])];
    case 'web_search_call':
      return [toolCall('', 'web_search', item['action'])];
    case 'image_generation_call':
      return [toolCall('', 'image_generation', asString(item['revised_prompt']) ?? ''), { type: 'image', mime: 'image/png', bytes: Math.floor(((asString(item['result']) ?? '').length * 3) / 4) }];
    case '':
      return asString(item['text']) === undefined ? [otherPart('item', item)] : [textPart(asString(item['text'])!)];
    default:
      return type.endsWith('_output') ? [outputPart(item)] : [otherPart(type, item)];
  }
}

function calledName(item: JsonObject): string {
  const name = asString(item['name']) ?? '';
  const namespace = asString(item['namespace']) ?? '';
  return namespace === '' || name.startsWith(namespace) ? name : `${namespace}.${name}`;
}

/** Usually the summary only, or nothing but the encrypted text. */
function reasoningParts(item: JsonObject): Part[] {
  const texts = [...(asArray(item['summary']) ?? []), ...(asArray(item['content']) ?? [])].flatMap((block) => asString(asObject(block)?.['text']) ?? []);
  return texts.length === 0 ? [reasoningPart('', true)] : texts.map((text) => reasoningPart(text));
}

function outputPart(item: JsonObject): ToolResultPart {
  const output = item['output'];
  const wrapped = asObject(output);
  const isWrapped = wrapped !== undefined && 'content' in wrapped;
  const content = output === undefined && item['tools'] !== undefined ? [textPart(stringifyJson(item['tools']))] : contentParts(isWrapped ? wrapped['content'] : output);
  const first = content[0];
  const exitCode = first?.type === 'text' ? exitCodeOf(first.text) : undefined;
  const failed = (exitCode !== undefined && exitCode !== 0) || (isWrapped && asBoolean(wrapped['success']) === false);
  return { type: 'tool_result', callId: idText(item['call_id']), content, ...(failed ? { isError: true } : {}), ...(exitCode === undefined ? {} : { exitCode }) };
}

const EXIT_LINE = /^(?:Process exited with code|Exit code:) (-?\d+)\s*$/m;

/** The exit code stands in the text only: a line in its head, or a field of the older JSON form. */
function exitCodeOf(text: string): number | undefined {
  if (text.startsWith('{"output"') && text.includes('"exit_code"')) {
    try {
      return asNumber(asObject(asObject(parseJson(text))?.['metadata'])?.['exit_code']);
    } catch {
      return undefined;
    }
  }
  const code = EXIT_LINE.exec(text.slice(0, 400))?.[1];
  return code === undefined ? undefined : Number(code);
}

const INJECTED = ['# AGENTS.md instructions', '<user_instructions>', '<environment_context>', '<permissions', '<turn_aborted>', '<skill', '<user_shell_command>', '<collaboration_mode>', '<apps_instructions>', '<subagent_notification>'];

/** User-role items that the harness wrote. */
export function isInjected(parts: readonly Part[]): boolean {
  const first = parts.find((part) => part.type === 'text');
  return first?.type === 'text' && INJECTED.some((start) => first.text.trimStart().startsWith(start));
}
