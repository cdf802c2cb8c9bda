import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part } from '../trace/model';
import { contentParts, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Text and pictures of a message's `content`, by its `content_type` (formats.md §18). */
function chatgptContent(value: unknown): ContentPart[] {
  const content = asObject(value);
  if (!content) return contentParts(value);
  switch (content['content_type']) {
    case 'text': case 'multimodal_text': return (asArray(content['parts']) ?? []).flatMap(piece);
    case 'code': case 'execution_output': case 'system_error': return contentParts(content['text']);
    case 'tether_browsing_display': return contentParts(content['result'] ?? content['summary']);
    case 'tether_quote': return [content['title'], content['url'], content['text']].flatMap((text) => (typeof text === 'string' && text !== '' ? [textPart(text)] : []));
    case 'user_editable_context': return [content['user_profile'], content['user_instructions']].flatMap((text) => (typeof text === 'string' && text !== '' ? [textPart(text)] : []));
    case 'model_editable_context': return contentParts(content['model_set_context']);
    default: return [otherPart(asString(content['content_type']) ?? 'content', content)];
  }
}

const KNOWN_TYPES = new Set(['text', 'multimodal_text', 'code', 'execution_output', 'system_error', 'tether_browsing_display', 'tether_quote', 'user_editable_context', 'model_editable_context', 'thoughts', 'reasoning_recap']);
export function isKnownContent(type: string): boolean { return KNOWN_TYPES.has(type); }

function piece(value: unknown): ContentPart[] {
  if (typeof value === 'string') return value === '' ? [] : [textPart(value)];
  const object = asObject(value);
  const text = asString(object?.['text']);
  if (object?.['content_type'] === 'audio_transcription' && text !== undefined) return [textPart(text)];
  if (object?.['content_type'] !== 'image_asset_pointer') return [otherPart(asString(object?.['content_type']) ?? 'part', value)];
  const bytes = asNumber(object['size_bytes']);
  const width = asNumber(object['width']);
  const height = asNumber(object['height']);
  const ref = asString(object['asset_pointer']);
  return [{ type: 'image', mime: 'image', ...(bytes === undefined ? {} : { bytes }), ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }), ...(ref === undefined ? {} : { ref }) }];
}

/** Who an assistant message is for: 'all' = the reader, else a tool's name. */
export function recipientOf(message: JsonObject): string | null {
  const recipient = asString(message['recipient']) ?? 'all';
  return recipient === 'all' || recipient === '' ? null : recipient;
}

/** Parts of one message; ids of calls and results are the importer's. */
export function chatgptParts(message: JsonObject): Part[] {
  const author = asObject(message['author']);
  const content = asObject(message['content']);
  if (author?.['role'] === 'tool') {
    const name = asString(author['name']);
    return [{ type: 'tool_result', callId: '', ...(name === undefined ? {} : { toolName: name }), content: chatgptContent(content), ...(content?.['content_type'] === 'system_error' ? { isError: true } : {}) }];
  }
  if (author?.['role'] !== 'assistant') return chatgptContent(content ?? message['content']);
  if (content?.['content_type'] === 'thoughts') return (asArray(content['thoughts']) ?? []).map((thought) => reasoningPart([asString(asObject(thought)?.['summary']), asString(asObject(thought)?.['content'])].filter(Boolean).join('\n')));
  if (content?.['content_type'] === 'reasoning_recap') return [reasoningPart(content['content'])];
  const recipient = recipientOf(message);
  if (recipient === null) return chatgptContent(content ?? message['content']);
  const pieces = chatgptContent(content);
  return [toolCall('', recipient, pieces.every((part) => part.type === 'text') ? pieces.map((part) => (part.type === 'text' ? part.text : '')).join('') : stringifyJson(content))];
}
