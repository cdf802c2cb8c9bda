import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, ToolResultPart, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Parts of Gemini `Content` objects (formats.md §3), shared by Gemini CLI, Qwen Code and bare `contents`. */
export function geminiParts(parts: unknown): Part[] {
  if (typeof parts === 'string') return parts === '' ? [] : [textPart(parts)];
  return (asArray(parts) ?? (parts === null || parts === undefined ? [] : [parts])).map(geminiPart);
}

function geminiPart(value: unknown): Part {
  const part = asObject(value);
  if (!part) return typeof value === 'string' ? textPart(value) : otherPart('part', value);
  const text = asString(part['text']);
  if (text !== undefined) return part['thought'] === true ? reasoningPart(text) : textPart(text);
  const call = asObject(part['functionCall']) ?? asObject(part['function_call']);
  if (call) return toolCall(call['id'], call['name'], call['args']);
  const response = asObject(part['functionResponse']) ?? asObject(part['function_response']);
  if (response) return responsePart(response);
  return mediaPart(part) ?? otherPart(Object.keys(part)[0] ?? 'part', part);
}

function mediaPart(part: JsonObject): ContentPart | null {
  const inline = asObject(part['inlineData']) ?? asObject(part['inline_data']);
  const file = asObject(part['fileData']) ?? asObject(part['file_data']);
  const media = inline ?? file;
  if (!media) return null;
  const mime = asString(media['mimeType']) ?? asString(media['mime_type']) ?? 'image';
  if (!mime.startsWith('image')) return otherPart(mime, inline ? { mimeType: mime, bytes: ((asString(inline['data']) ?? '').length * 3) >> 2 } : file);
  return contentParts([inline ? { type: 'image', data: inline['data'], mimeType: mime } : { type: 'image', mimeType: mime, url: file!['fileUri'] ?? file!['file_uri'] }])[0]!;
}

function responsePart(response: JsonObject): ToolResultPart {
  const body = asObject(response['response']);
  const failure = body?.['error'];
  const name = asString(response['name']);
  return {
    type: 'tool_result', callId: idText(response['id']), ...(name === undefined ? {} : { toolName: name }),
    content: [...bodyText(body ?? response['response']), ...(asArray(response['parts']) ?? []).flatMap((part) => mediaPart(asObject(part) ?? {}) ?? [])],
    ...(failure === undefined || failure === null ? {} : { isError: true }),
  };
}

/** Most tools answer `{output}` or `{error}`; anything else is shown as JSON. */
function bodyText(body: unknown): ContentPart[] {
  const object = asObject(body);
  if (!object) return contentParts(body);
  const keys = Object.keys(object);
  if (keys.length === 0) return [];
  const only = keys.length === 1 ? object[keys[0]!] : undefined;
  return [textPart(typeof only === 'string' && (keys[0] === 'output' || keys[0] === 'error') ? only : stringifyJson(object))];
}

const EXIT_LINE = /^Exit Code: (-?\d+)\s*$/m;

/** A message of a Gemini CLI chat: thoughts, text, then each call with its own result. */
export function geminiMessageParts(record: unknown): Part[] {
  const message = asObject(record);
  if (!message) return [otherPart('message', record)];
  const thoughts = (asArray(message['thoughts']) ?? []).map((thought) => {
    const object = asObject(thought);
    const texts = [asString(object?.['subject']), asString(object?.['description'])].filter((text) => text !== undefined && text !== '');
    return reasoningPart(texts.join('\n'));
  });
  return [...thoughts, ...geminiParts(message['content'] ?? message['parts']), ...(asArray(message['toolCalls']) ?? []).flatMap(callParts)];
}

function callParts(value: unknown): Part[] {
  const entry = asObject(value);
  if (!entry) return [otherPart('toolCall', value)];
  const call = toolCall(entry['id'], entry['name'], entry['args']);
  const status = asString(entry['status']);
  const failed = status === 'error' || status === 'cancelled';
  const result = entry['result'];
  const display = asString(entry['resultDisplay']);
  if ((result === undefined || result === null) && !(failed && display !== undefined)) return [call];
  const answers = result === undefined || result === null ? [textPart(display!)] : geminiParts(result);
  const content = answers.flatMap((part): ContentPart[] => (part.type === 'tool_result' ? part.content : part.type === 'text' || part.type === 'image' || part.type === 'other' ? [part] : []));
  const isError = failed || answers.some((part) => part.type === 'tool_result' && part.isError === true);
  const first = content[0];
  const code = first?.type === 'text' ? EXIT_LINE.exec(first.text.slice(-500))?.[1] : undefined;
  return [call, {
    type: 'tool_result', callId: call.id, ...(call.name === '' ? {} : { toolName: call.name }), content,
    ...(isError ? { isError } : {}), ...(code === undefined ? {} : { exitCode: Number(code) }),
  }];
}

/** Gemini CLI: `input` includes cached tokens, `output` excludes thoughts. Prompts of tools count as input. */
export function geminiUsage(tokens: unknown): Partial<Usage> {
  const object = asObject(tokens);
  const input = asNumber(object?.['input']);
  if (!object || input === undefined) return {};
  const cached = asNumber(object['cached']) ?? 0;
  return { input: Math.max(0, input - cached) + (asNumber(object['tool']) ?? 0), cachedInput: cached, output: asNumber(object['output']), reasoning: asNumber(object['thoughts']) };
}
