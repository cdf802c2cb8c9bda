import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part, ToolResultPart } from '../trace/model';
import { contentParts, otherPart, reasoningPart, textPart, toolCall, idText } from './content-parts';

/** Blocks of the Anthropic Messages API (formats.md §11), shared by Claude Code, Anthropic arrays and single responses. */

export const KNOWN_BLOCKS = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'server_tool_use', 'mcp_tool_use', 'image', 'document', 'compaction', 'container_upload', 'search_result', 'tool_reference']);

export function isKnownBlock(type: string): boolean {
  return KNOWN_BLOCKS.has(type) || type.endsWith('tool_result');
}

/** Parts of one message's `content` (string or blocks), in order. */
export function anthropicParts(content: unknown): Part[] {
  if (typeof content === 'string') return [textPart(content)];
  return (asArray(content) ?? (content === null || content === undefined ? [] : [content])).map(blockPart);
}

function blockPart(block: unknown): Part {
  const object = asObject(block);
  if (!object) return typeof block === 'string' ? textPart(block) : otherPart('value', block);
  const type = asString(object['type']) ?? 'other';
  if (type === 'thinking') return reasoningPart(object['thinking']);
  if (type === 'redacted_thinking') return reasoningPart('', true);
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') return toolCall(object['id'], object['name'], object['input']);
  if (type.endsWith('tool_result')) return toolResult(type, object);
  return contentParts([block])[0]!;
}

function toolResult(type: string, block: JsonObject): ToolResultPart {
  const content = block['content'];
  const failure = asObject(content);
  const isError = block['is_error'] === true || (failure !== undefined && (asString(failure['type']) ?? '').endsWith('_error'));
  return {
    type: 'tool_result',
    callId: idText(block['tool_use_id']),
    // Hosted tools name themselves in the block type.
    ...(type === 'tool_result' || type === 'mcp_tool_result' ? {} : { toolName: type.slice(0, -'_tool_result'.length) }),
    content: contentParts(content),
    ...(isError ? { isError } : {}),
  };
}

/** Repeated calls of one message (streamed lines that repeat the block before) count once. */
export function dropRepeatedCalls(parts: Part[], isNew: (callId: string) => boolean): Part[] {
  if (!parts.some((part) => part.type === 'tool_call')) return parts;
  return parts.filter((part) => part.type !== 'tool_call' || part.id === '' || isNew(part.id));
}

/** Usage as Anthropic counts it: `input_tokens` excludes cached and cache-writing tokens. */
export function anthropicUsage(usage: unknown): { input?: number; cachedInput?: number; cacheWrite?: number; output?: number } {
  const object = asObject(usage);
  if (!object) return {};
  const pick = (name: string): number | undefined => (typeof object[name] === 'number' ? object[name] : undefined);
  return { input: pick('input_tokens'), cachedInput: pick('cache_read_input_tokens'), cacheWrite: pick('cache_creation_input_tokens'), output: pick('output_tokens') };
}
