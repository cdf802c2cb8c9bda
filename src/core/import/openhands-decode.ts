import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';
import { chatRecordParts } from './chat-rows';

/** Events of OpenHands V0 (`action` / `observation`) and of its V1 SDK (`kind`): parts of one event (formats.md §7). */
export function eventParts(record: unknown, role?: Role): Part[] {
  const event = asObject(record);
  if (!event) return [otherPart('event', record)];
  if (isV1Event(event)) return v1Parts(event);
  if (typeof event['action'] === 'string') return actionParts(event);
  if (typeof event['observation'] === 'string') return observationParts(event, role);
  return chatRecordParts(event);
}

export function isV1Event(event: JsonObject): boolean {
  const kind = event['kind'];
  return typeof kind === 'string' && (kind.endsWith('Event') || kind.startsWith('Condensation') || kind.endsWith('Observation'));
}

export function isV0Event(event: JsonObject): boolean {
  return (typeof event['action'] === 'string' && 'args' in event) || (typeof event['observation'] === 'string' && ('content' in event || 'extras' in event));
}

/** Actions that are bookkeeping, no call (formats.md §19). */
const NO_CALL = new Set(['message', 'system', 'change_agent_state', 'recall', 'null', 'condensation', 'condensation_request']);
export function isV0Call(action: string): boolean { return !NO_CALL.has(action); }

/** Observations that answer nothing the model asked for. */
const NO_RESULT = new Set(['null', 'recall', 'agent_state_changed']);
export function isV0Result(event: JsonObject): boolean {
  const kind = asString(event['observation']);
  return kind !== undefined && !NO_RESULT.has(kind) && (asNumber(event['cause']) !== undefined || event['tool_call_metadata'] !== undefined);
}

function actionParts(event: JsonObject): Part[] {
  const action = asString(event['action'])!;
  const args = asObject(event['args']) ?? {};
  if (!isV0Call(action)) return [...contentParts(args['content'] ?? event['message']), ...imageParts(args['image_urls'])];
  const metadata = asObject(event['tool_call_metadata']);
  const thought = asString(args['thought']);
  const { thought: _thought, ...rest } = args;
  const said: Part[] = thought ? [textPart(thought)] : [];
  const id = idText(metadata?.['tool_call_id']);
  const sent = sentCall(metadata, id);
  return [...said, toolCall(id, asString(metadata?.['function_name']) ?? action, sent ?? rest)];
}

/** Arguments as the model wrote them, out of the response that the event carries. */
function sentCall(metadata: JsonObject | undefined, id: string): string | undefined {
  const choice = asObject(asArray(asObject(metadata?.['model_response'])?.['choices'])?.[0]);
  for (const value of asArray(asObject(choice?.['message'])?.['tool_calls']) ?? []) {
    const call = asObject(value);
    if (idText(call?.['id']) === id) return asString(asObject(call?.['function'])?.['arguments']);
  }
  return undefined;
}

/** `role` tool: the importer took it for the answer to a call, though old events name no cause. */
function observationParts(event: JsonObject, role: Role | undefined): Part[] {
  const extras = asObject(event['extras']) ?? {};
  if (!isV0Result(event) && role !== 'tool') return [...contentParts(event['content']), ...knowledgeParts(extras)];
  const exit = asNumber(asObject(extras['metadata'])?.['exit_code']) ?? asNumber(extras['exit_code']);
  const isError = event['observation'] === 'error' || (exit !== undefined && exit > 0);
  const screenshot = asString(extras['screenshot']);
  const content = [...contentParts(event['content']), ...(screenshot ? imageParts([screenshot]) : [])];
  const metadata = asObject(event['tool_call_metadata']);
  const name = asString(metadata?.['function_name']);
  return [{ type: 'tool_result', callId: idText(metadata?.['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content, ...(isError ? { isError } : {}), ...(exit === undefined ? {} : { exitCode: exit }) }];
}

/** What a recall puts into the context: repository instructions and microagent texts. */
function knowledgeParts(extras: JsonObject): Part[] {
  const instructions = asString(extras['repo_instructions']);
  const agents = (asArray(extras['microagent_knowledge']) ?? []).flatMap((item) => contentParts(asObject(item)?.['content']));
  return [...(instructions ? [textPart(instructions)] : []), ...agents];
}

function imageParts(urls: unknown): ContentPart[] {
  return (asArray(urls) ?? []).flatMap((url) => (typeof url === 'string' && url !== '' ? contentParts([{ type: 'image_url', image_url: { url } }]) : []));
}

function v1Parts(event: JsonObject): Part[] {
  switch (event['kind']) {
    case 'SystemPromptEvent': return [...contentParts(event['system_prompt']), ...contentParts(event['dynamic_context'])];
    case 'MessageEvent': {
      const message = asObject(event['llm_message']) ?? {};
      return [...thoughtParts(message), ...messageContent(message['content'])];
    }
    case 'ActionEvent': return [...thoughtParts(event), ...messageContent(event['thought']), ...actionCall(event)];
    case 'ACPToolCallEvent': return acpParts(event);
    case 'CondensationSummaryEvent': return contentParts(event['summary']);
    default: return v1Result(event);
  }
}

function thoughtParts(object: JsonObject): Part[] {
  const blocks = (asArray(object['thinking_blocks']) ?? []).map((block) => reasoningPart(asObject(block)?.['thinking']));
  const text = asString(object['reasoning_content']);
  return blocks.length > 0 ? blocks : text ? [reasoningPart(text)] : [];
}

/** V1 images hold `image_urls`. */
function messageContent(content: unknown): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((block) => (asArray(asObject(block)?.['image_urls']) ? imageParts(asObject(block)!['image_urls']) : contentParts([block])));
}

function actionCall(event: JsonObject): Part[] {
  const call = asObject(event['tool_call']);
  const id = call?.['id'] ?? event['tool_call_id'];
  const name = call?.['name'] ?? event['tool_name'];
  return id === undefined && name === undefined ? [] : [toolCall(id, name, call?.['arguments'] ?? event['action'])];
}

function acpParts(event: JsonObject): Part[] {
  const id = idText(event['tool_call_id']);
  const call = toolCall(id, event['title'] ?? event['tool_kind'], event['raw_input']);
  const output = event['raw_output'] ?? event['content'];
  if (output === undefined || output === null) return [call];
  return [call, { type: 'tool_result', callId: id, content: [textPart(typeof output === 'string' ? output : stringifyJson(output))], ...(event['is_error'] === true ? { isError: true } : {}) }];
}

/** ObservationEvent, AgentErrorEvent, UserRejectObservation. */
function v1Result(event: JsonObject): Part[] {
  const observation = asObject(event['observation']) ?? {};
  const error = asString(event['error']) ?? asString(event['rejection_reason']);
  const exit = asNumber(observation['exit_code']) ?? asNumber(asObject(observation['metadata'])?.['exit_code']);
  const isError = error !== undefined || observation['is_error'] === true || (typeof observation['error'] === 'string' && observation['error'] !== '') || (exit !== undefined && exit > 0);
  const content = error !== undefined ? [textPart(error)] : messageContent(observation['content'] ?? observation['output'] ?? observation['error']);
  const name = asString(event['tool_name']);
  return [{ type: 'tool_result', callId: idText(event['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content: content as ContentPart[], ...(isError ? { isError: true } : {}), ...(exit === undefined ? {} : { exitCode: exit }) }];
}

/** litellm counts cached and cache-written tokens inside the prompt; ours are apart. */
export function litellmUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  const prompt = asNumber(usage?.['prompt_tokens']);
  const read = asNumber(usage?.['cache_read_input_tokens']) ?? asNumber(usage?.['cache_read_tokens']) ?? asNumber(asObject(usage?.['prompt_tokens_details'])?.['cached_tokens']);
  const write = asNumber(usage?.['cache_creation_input_tokens']) ?? asNumber(usage?.['cache_write_tokens']);
  return {
    input: prompt === undefined ? undefined : Math.max(0, prompt - (read ?? 0) - (write ?? 0)),
    cachedInput: read, cacheWrite: write, output: asNumber(usage?.['completion_tokens']),
    reasoning: asNumber(usage?.['reasoning_tokens']) ?? asNumber(asObject(usage?.['completion_tokens_details'])?.['reasoning_tokens']),
  };
}
