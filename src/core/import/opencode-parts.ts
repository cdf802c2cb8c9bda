import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, imageFromUrl, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Parts of OpenCode messages (formats.md §4), the same in exports, store dumps and `opencode run --format json`. */

/** Bookkeeping without text: counted, never shown as content. */
const SERVICE_PARTS = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'compaction']);
const CONTENT_PARTS = new Set(['text', 'reasoning', 'tool', 'file', 'subtask']);

export function isKnownPart(type: string): boolean {
  return SERVICE_PARTS.has(type) || CONTENT_PARTS.has(type);
}

/** True for parts that put something into the conversation. */
export function hasContent(part: JsonObject): boolean {
  return !SERVICE_PARTS.has(asString(part['type']) ?? '');
}

/** Decodes part records in order; message infos (no `type`) give nothing. */
export function opencodeParts(records: readonly unknown[], role: Role): Part[] {
  return records.flatMap((record): Part[] => {
    const part = asObject(record);
    if (!part) return [otherPart('part', record)];
    const type = asString(part['type']);
    if (type === undefined) return asString(part['role']) === undefined ? [otherPart('part', part)] : [];
    if (SERVICE_PARTS.has(type)) return [];
    if (type === 'text') return [textOf(part, role)];
    if (type === 'reasoning') return [reasoningPart(part['text'])];
    if (type === 'tool') return toolParts(part);
    if (type === 'file') return [filePart(part)];
    return [otherPart(type, part)];
  });
}

/** What the harness put into a user's turn (file contents behind an @mention) is not the user's own text. */
function textOf(part: JsonObject, role: Role): ContentPart {
  const text = asString(part['text']) ?? '';
  if (role === 'user' && part['synthetic'] === true) return otherPart('synthetic', text);
  return part['ignored'] === true ? otherPart('ignored', text) : textPart(text);
}

/** Call and result are one part; pending and running calls have no result. */
function toolParts(part: JsonObject): Part[] {
  const state = asObject(part['state']) ?? {};
  const name = asString(part['tool']);
  const call = toolCall(part['callID'], name, state['input']);
  const status = asString(state['status']);
  if (status !== 'completed' && status !== 'error') return [call];
  const exitCode = asNumber(asObject(state['metadata'])?.['exit']);
  return [call, {
    type: 'tool_result',
    callId: call.id,
    ...(name === undefined ? {} : { toolName: name }),
    content: [...contentParts(status === 'error' ? state['error'] : state['output']), ...(asArray(state['attachments']) ?? []).map((item) => filePart(asObject(item) ?? {}))],
    ...(status === 'error' ? { isError: true } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
  }];
}

function filePart(part: JsonObject): ContentPart {
  const mime = asString(part['mime']) ?? '';
  const url = asString(part['url']) ?? '';
  if (mime.startsWith('image/')) return imageFromUrl(url, mime);
  // The bytes of an attached document stay in the source.
  const short = url.startsWith('data:') ? { ...part, url: `${url.slice(0, url.indexOf(',') + 1)}…` } : part;
  return otherPart('file', stringifyJson(short));
}

/** `input` excludes what was read from the cache, `output` excludes reasoning. All zero = the call never finished. */
export function opencodeUsage(tokens: unknown): Partial<Usage> {
  const object = asObject(tokens);
  if (!object) return {};
  const cache = asObject(object['cache']);
  const usage = {
    input: asNumber(object['input']), cachedInput: asNumber(cache?.['read']), cacheWrite: asNumber(cache?.['write']), output: asNumber(object['output']), reasoning: asNumber(object['reasoning']),
  };
  return Object.values(usage).some((value) => value !== undefined && value > 0) ? usage : {};
}
