import { asArray, asNumber, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, idText, imageFromUrl, otherPart, reasoningPart, textPart, toolCall } from './content-parts';

/**
 * Messages ("bubbles") of Cursor's `state.vscdb`: `type` 1 is the user, 2 the assistant; an assistant's bubble holds
 * thinking, text, or one call with its result (`toolFormerData`, whose arguments and result are JSON inside strings).
 */

/** `capabilityType` of the bubble that says "Chat context summarized". */
const COMPACTION = 22;

export function isCompaction(bubble: JsonObject): boolean { return bubble['capabilityType'] === COMPACTION; }

/** The call in a bubble; undefined where there is none. */
export function toolOf(bubble: JsonObject): JsonObject | undefined {
  const tool = asObject(bubble['toolFormerData']);
  return tool && (typeof tool['name'] === 'string' || typeof tool['toolCallId'] === 'string') ? tool : undefined;
}

/** What a bubble puts into a message of `role`: call and result stand in one bubble, and are two messages. */
export function bubbleParts(record: unknown, role: Role): Part[] {
  const bubble = asObject(record);
  if (!bubble) return [otherPart('message', record)];
  const summary = asObject(bubble['summary']);
  if (summary) return contentParts(asString(summary['summary']) ?? '');
  if (role === 'tool') return resultParts(bubble);
  const parts: Part[] = [];
  const text = asString(bubble['text']);
  if (role === 'user') return [...(text ? [textPart(text)] : []), ...imageParts(bubble['images'])];
  const thinking = asString(bubble['thinking']) ?? asString(asObject(bubble['thinking'])?.['text']);
  if (thinking) parts.push(reasoningPart(thinking));
  else for (const block of asArray(bubble['allThinkingBlocks']) ?? []) parts.push(reasoningPart(asString(asObject(block)?.['thinking']) ?? asString(asObject(block)?.['text'])));
  if (text) parts.push(textPart(text));
  const tool = toolOf(bubble);
  if (tool) parts.push(toolCall(callId(bubble, tool), tool['name'] ?? '', tool['rawArgs'] ?? tool['params'] ?? ''));
  return parts;
}

function imageParts(value: unknown): ContentPart[] {
  return (asArray(value) ?? []).map((image): ContentPart => {
    const object = asObject(image);
    const source = asString(object?.['data']) ?? asString(object?.['url']) ?? asString(object?.['path']);
    return source === undefined ? { type: 'image', mime: 'image' } : imageFromUrl(source, 'image');
  });
}

function callId(bubble: JsonObject, tool: JsonObject): string { return idText(tool['toolCallId']) || idText(bubble['bubbleId']); }

/** Nothing where the call never came back. */
function resultParts(bubble: JsonObject): Part[] {
  const tool = toolOf(bubble);
  if (!tool) return [];
  const { result, error, status } = tool;
  const failed = status === 'error' || asString(error) !== undefined || tool['userDecision'] === 'rejected';
  if ((result === undefined || result === null || result === '') && !failed) return [];
  const body = result === undefined || result === null || result === '' ? (error ?? '') : result;
  const exitCode = exitCodeOf(body);
  return [{ type: 'tool_result', callId: callId(bubble, tool), toolName: asString(tool['name']), content: contentParts(body), ...(failed || (exitCode !== undefined && exitCode !== 0) ? { isError: true } : {}), ...(exitCode === undefined ? {} : { exitCode }) }];
}

function exitCodeOf(result: unknown): number | undefined {
  const text = asString(result);
  if (text === undefined || !text.includes('"exitCode"')) return undefined;
  try {
    return asNumber(asObject(parseJson(text))?.['exitCode']);
  } catch {
    return undefined;
  }
}

/** Zeros stand where nothing was recorded. */
export function bubbleUsage(value: unknown): Partial<Usage> {
  const counts = asObject(value);
  const input = asNumber(counts?.['inputTokens']);
  const output = asNumber(counts?.['outputTokens']);
  return { ...(input ? { input } : {}), ...(output ? { output } : {}) };
}
