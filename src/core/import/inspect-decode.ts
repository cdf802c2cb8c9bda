import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Outcome, Part, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/** Messages of Inspect AI samples (formats.md §9). */

const ATTACHMENT = 'attachment://';

/** Hashes that a message refers to, each once, in the order of the text: the spans after the message's own hold them in this order. */
export function attachmentHashes(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') {
    if (value.startsWith(ATTACHMENT) && !found.includes(value.slice(ATTACHMENT.length))) found.push(value.slice(ATTACHMENT.length));
  } else if (Array.isArray(value)) for (const item of value) attachmentHashes(item, found);
  else for (const item of Object.values(asObject(value) ?? {})) attachmentHashes(item, found);
  return found;
}

/** A copy of a value with its attachments put in; those that are missing keep their reference. */
function resolve(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith(ATTACHMENT) ? (texts.get(value.slice(ATTACHMENT.length)) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => resolve(item, texts));
  const object = asObject(value);
  return object ? Object.fromEntries(Object.entries(object).map(([key, item]) => [key, resolve(item, texts)])) : value;
}

/** A message and the texts of its attachments; or the input of a sample as plain text. */
export function inspectParts(records: readonly unknown[]): Part[] {
  const [first, ...texts] = records;
  if (typeof first === 'string') return contentParts(texts.length > 0 && first.startsWith(ATTACHMENT) ? texts[0] : first);
  const hashes = texts.length > 0 ? attachmentHashes(first) : [];
  const known = new Map(hashes.flatMap((hash, i) => (typeof texts[i] === 'string' ? [[hash, texts[i]] as const] : [])));
  const message = asObject(known.size > 0 ? resolve(first, known) : first);
  if (!message) return [otherPart('message', first)];
  if (message['role'] === 'tool') return [resultPart(message)];
  const calls = (asArray(message['tool_calls']) ?? []).map(callPart);
  return [...blocks(message['content']), ...calls];
}

function callPart(value: unknown): Part {
  const call = asObject(value);
  return call ? toolCall(call['id'], call['function'], call['arguments']) : otherPart('tool_call', value);
}

function resultPart(message: JsonObject): Part {
  const error = asObject(message['error']);
  const said = blocks(message['content']).filter((part): part is ContentPart => part.type === 'text' || part.type === 'image' || part.type === 'other');
  const hasText = said.some((part) => part.type !== 'text' || part.text !== '');
  const content = error && !hasText ? [textPart(asString(error['message']) ?? '')] : said;
  const name = asString(message['function']);
  return { type: 'tool_result', callId: idText(message['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content, ...(error ? { isError: true } : {}) };
}

function blocks(content: unknown): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((value): Part[] => {
    const block = asObject(value);
    switch (block?.['type']) {
      case 'reasoning': return [reasoningPart(asString(block['summary']) ?? block['reasoning'], block['redacted'] === true)];
      case 'image': return contentParts([{ type: 'image_url', image_url: { url: asString(block['image']) ?? '' } }]);
      case 'tool_use': return serverTool(block);
      default: return contentParts([value]);
    }
  });
}

/** A tool that the provider ran: call and result in one block. */
function serverTool(block: JsonObject): Part[] {
  const id = idText(block['id']);
  const call = toolCall(id, block['name'], block['arguments']);
  const error = block['error'];
  const failed = error !== null && error !== undefined && error !== '';
  const output = failed ? error : block['result'];
  if (output === undefined || output === null) return [call];
  return [call, { type: 'tool_result', callId: id, content: contentParts(typeof output === 'string' ? output : stringifyJson(output)), ...(failed ? { isError: true } : {}) }];
}

/** Some providers' cached tokens are inside `input_tokens`, others' beside them: the total tells which. */
export function inspectUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  const input = asNumber(usage?.['input_tokens']);
  if (!usage || input === undefined) return {};
  const output = asNumber(usage['output_tokens']);
  const read = asNumber(usage['input_tokens_cache_read']);
  const write = asNumber(usage['input_tokens_cache_write']);
  const isInside = asNumber(usage['total_tokens']) === input + (output ?? 0) && (read ?? 0) + (write ?? 0) <= input;
  return { input: isInside ? input - (read ?? 0) - (write ?? 0) : input, cachedInput: read, cacheWrite: write, output, reasoning: asNumber(usage['reasoning_tokens']) };
}

const LETTERS: Readonly<Record<string, number>> = { C: 1, I: 0, P: 0.5, N: 0 };

/** The first score as reward; all of them as a label. */
export function inspectOutcome(scores: unknown, error: unknown, limit: unknown): Outcome | undefined {
  const entries = Object.entries(asObject(scores) ?? {}).map(([name, score]) => [name, asObject(score) && 'value' in asObject(score)! ? asObject(score)!['value'] : score] as const);
  const labels = entries.map(([name, value]) => `${name}: ${typeof value === 'string' || typeof value === 'number' ? value : stringifyJson(value)}`);
  const kind = asString(asObject(limit)?.['type']);
  if (kind !== undefined) labels.push(`limit: ${kind}`);
  const message = asString(asObject(error)?.['message']);
  if (message !== undefined) labels.push(`error: ${message.split('\n')[0]!.slice(0, 120)}`);
  const value = entries[0]?.[1];
  const reward = typeof value === 'string' ? LETTERS[value] : typeof value === 'boolean' ? Number(value) : asNumber(value);
  if (labels.length === 0) return undefined;
  return { ...(reward === undefined ? {} : { reward, success: reward >= 1 }), label: labels.join(', ') };
}
