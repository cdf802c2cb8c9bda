import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, ImagePart, Part, ReasoningPart, ToolCallPart } from '../trace/model';

/** Pieces of message content that several formats share. All take `unknown` and lose nothing. */

export function textPart(text: string): ContentPart { return { type: 'text', text }; }

export function otherPart(kind: string, value: unknown): ContentPart {
  return { type: 'other', kind, raw: typeof value === 'string' ? value : stringifyJson(value) };
}

export function toolCall(id: unknown, name: unknown, args: unknown): ToolCallPart {
  return { type: 'tool_call', id: idText(id), name: asString(name) ?? '', args: typeof args === 'string' ? args : stringifyJson(args) };
}

/** An id as text: numbers are ids too; '' = none. */
export function idText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

export function reasoningPart(text: unknown, redacted = false): ReasoningPart {
  const plain = asString(text) ?? '';
  return redacted || plain === '' ? { type: 'reasoning', text: plain, redacted: true } : { type: 'reasoning', text: plain };
}

const TEXT_TYPES = new Set(['text', 'input_text', 'output_text', 'refusal']);

/** Message or result content: null, a string, one block, or a list of blocks (OpenAI, Anthropic, pi, LLaMA-Factory). */
export function contentParts(content: unknown): ContentPart[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [textPart(content)];
  const blocks = asArray(content) ?? [content];
  return blocks.map(contentPart);
}

function contentPart(block: unknown): ContentPart {
  if (typeof block === 'string') return textPart(block);
  const object = asObject(block);
  if (!object) return otherPart('value', block);
  const type = asString(object['type']) ?? 'other';
  if (TEXT_TYPES.has(type)) {
    const text = asString(object['text']) ?? asString(object['value']) ?? asString(object['refusal']);
    if (text !== undefined) return textPart(text);
  }
  return imagePart(type, object) ?? otherPart(type, block);
}

/** Images as Anthropic (`source`), OpenAI (`image_url`) and pi (`data`, `mimeType`) write them. The data stays in the source. */
function imagePart(type: string, block: JsonObject): ImagePart | null {
  if (type === 'image_url' || type === 'input_image') {
    return imageFromUrl(asString(asObject(block['image_url'])?.['url']) ?? asString(block['image_url']) ?? '', 'image');
  }
  if (type !== 'image') return null;
  const source = asObject(block['source']) ?? block;
  const data = asString(source['data']);
  const mime = asString(source['media_type']) ?? asString(source['mimeType']) ?? 'image';
  if (data !== undefined) return { type: 'image', mime, bytes: base64Bytes(data.length) };
  const ref = asString(source['url']) ?? asString(source['file_id']);
  return ref === undefined ? { type: 'image', mime } : { type: 'image', mime, ref };
}

/** An image behind a URL; of a data URL only the size is kept. `mime` is used where the URL names none. */
export function imageFromUrl(url: string, mime: string): ImagePart {
  const data = /^data:([^;,]*)[^,]*,/.exec(url.slice(0, 200));
  return data ? { type: 'image', mime: data[1] || mime, bytes: base64Bytes(url.length - data[0].length) } : { type: 'image', mime, ref: url };
}

function base64Bytes(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

/** True when some text of its own is in the content (not only an injected reminder). */
export function hasOwnText(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type === 'text' && part.text.trim() !== '' && !part.text.trimStart().startsWith('<system-reminder>'));
}

/** ISO text, or seconds / milliseconds since the epoch. */
export function timestampMs(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? undefined : ms;
  }
  const number = asNumber(value);
  // Seconds until the year 5138, milliseconds from 1973 on.
  return number === undefined ? undefined : number < 1e11 ? number * 1000 : number;
}
