import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role, ToolSchema, TraceEvent } from '../trace/model';
import { appliedEdits } from './applied-edits';
import { anthropicParts, anthropicUsage, isKnownBlock } from './claude-decode';
import { contentParts, hasOwnText, otherPart, timestampMs } from './content-parts';
import { ConversationSession, sampledRuns } from './conversation-session';
import type { ConversationRun } from './conversation-session';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { toolSchemas } from './tool-schemas';
import { valueOf } from './run-list';

/**
 * Anthropic Messages (formats.md §11): `{system?, messages, tools?}`, a bare array, a single response `{type:"message"}`,
 * `{…request, response}`, and lists or JSONL of those. Hosted tools keep their results in the assistant's own message.
 *
 * countsReasoning: true. Thinking blocks have to be sent back with their signatures within a tool loop.
 */
export const anthropicMessages: Format = {
  id: 'anthropic-messages',
  title: 'Anthropic messages',
  reads: 'parts',
  detect,
  open: (context) => new ConversationSession(context, (node, line) => new AnthropicRun(context, node, line)),
  decode: (records) => records.flatMap(recordParts),
};

function detect(sample: Sample): number {
  if (sample.records.length === 0) return 0;
  const scores = sample.records.map((record) => {
    const runs = sampledRuns(record);
    if (runs) return Math.min(...runs.map((run) => objectScore(asObject(run))));
    return Array.isArray(record) ? messagesScore(record, false) : objectScore(asObject(record));
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

const FOREIGN_KEYS = ['info', 'uuid', 'sessionId', 'schema_version', 'eval', 'trajectory_format', 'agents', 'conversation', 'run_type', 'task_id', 'kwargs'];

function objectScore(object: JsonObject | undefined): number {
  if (!object || FOREIGN_KEYS.some((key) => key in object)) return 0;
  if (object['type'] === 'message' && object['role'] === 'assistant' && Array.isArray(object['content'])) return 'usage' in object || 'stop_reason' in object ? 0.95 : 0.7;
  const request = asObject(object['request']) ?? object;
  const messages = asArray(request['messages']);
  return messages ? messagesScore(messages, 'system' in request) : 0;
}

function messagesScore(messages: readonly unknown[], hasSystem: boolean): number {
  const objects = messages.map(asObject);
  const fits = objects.length > 0 && objects.every((object) => object && (object['role'] === 'user' || object['role'] === 'assistant') && 'content' in object && !('tool_calls' in object));
  if (!fits) return 0;
  const types = objects.flatMap((object) => asArray(object!['content']) ?? []).map((block) => asString(asObject(block)?.['type']) ?? '');
  if (types.some((type) => type === 'tool_use' || type === 'tool_result' || type === 'server_tool_use' || type === 'thinking' || type === 'redacted_thinking')) return 0.93;
  if (types.some((type) => type !== '' && !isKnownBlock(type))) return 0;
  return hasSystem ? 0.85 : types.length > 0 ? 0.55 : 0.4;
}

function recordParts(record: unknown): Part[] {
  const object = asObject(record);
  if (object && ('content' in object || 'role' in object)) return anthropicParts(object['content']);
  return contentParts(record);
}

class AnthropicRun implements ConversationRun {
  private readonly draft = new DraftWriter();
  private tools: ToolSchema[] = [];
  private model: string | undefined;
  private responseBlocks = 0;
  private isResponse = false;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    if (node.kind === 'array') this.addMessages(node);
    else this.addObject(node);
  }

  /** A single response counts its content blocks. */
  get units(): ConversationRun['units'] {
    return this.isResponse ? { kind: 'content block', count: this.responseBlocks } : { kind: 'message', count: this.draft.columns.rowCount };
  }

  private addObject(node: JsonNode): void {
    const fields = node.fields();
    if (fields.has('content') && !fields.has('messages')) {
      this.isResponse = true;
      this.addMessage(node);
      return;
    }
    const request = fields.get('request')?.fields() ?? fields;
    this.model = asString(valueOf(request.get('model') ?? fields.get('model')));
    this.tools = toolSchemas(valueOf(request.get('tools')));
    const system = request.get('system');
    const prompt = system && system.kind !== 'other' ? valueOf(system) : undefined;
    if (system && prompt !== undefined) this.draft.addMessage({ role: 'system' }, recordParts(prompt), system, this.line);
    const messages = request.get('messages');
    if (messages) this.addMessages(messages);
    const response = fields.get('response');
    if (response?.field('content')) this.addMessage(response);
  }

  private addMessages(list: JsonNode): void {
    for (const element of list.elements()) this.addMessage(element);
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const message = asObject(value);
    const source = asString(message?.['role']);
    const isKnown = source === 'user' || source === 'assistant' || source === 'system';
    if (!isKnown) this.context.unknown(message ? `role ${source ?? 'missing'}` : 'element');
    const parts = message ? recordParts(message) : [otherPart('message', message)];
    const role: Role = source === 'assistant' || source === 'system' ? source : parts.length > 0 && parts.every((part) => part.type === 'tool_result') ? 'tool' : 'user';
    const flags = role === 'user' && isKnown && hasOwnText(parts) ? MessageFlag.instruction : 0;
    const row = this.draft.addMessage(
      { role, flags, timestampMs: timestampMs(message?.['ts'] ?? message?.['timestamp'] ?? message?.['created_at']), model: asString(message?.['model']), callKey: role === 'assistant' ? asString(message?.['id']) : undefined },
      parts, node, this.line,
    );
    if (role === 'assistant' && message) this.addAnswer(row, message, node);
    for (const block of asArray(message?.['content']) ?? []) {
      const type = asString(asObject(block)?.['type']) ?? 'block without type';
      if (typeof block !== 'string' && !isKnownBlock(type)) this.context.unknown(`block ${type}`);
    }
  }

  private addAnswer(row: number, message: JsonObject, node: JsonNode): void {
    this.responseBlocks += asArray(message['content'])?.length ?? 1;
    this.draft.columns.mergeUsage(row, anthropicUsage(message['usage']));
    const event = (kind: TraceEvent['kind'], sourceKind: string, label: string, data: TraceEvent['data']): void => {
      this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: row, label, data, span: spanOf(node, this.line) });
    };
    const blocks = asArray(message['content']) ?? [];
    if (blocks.some((block) => asObject(block)?.['type'] === 'compaction')) {
      const usage = asObject(message['usage']);
      const pass = (asArray(usage?.['iterations']) ?? []).map(asObject).find((iteration) => iteration?.['type'] === 'compaction');
      event('compaction', 'compaction', 'The API compacted the conversation', { tokensBefore: asNumber(pass?.['input_tokens']) ?? null, tokensAfter: asNumber(usage?.['input_tokens']) ?? null, trigger: 'api', summaryRow: row, firstKeptRow: null });
    }
    for (const { sourceKind, label, data } of appliedEdits(message['context_management'])) event('context-edit', sourceKind, label, data);
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: fallbackName, model: this.model }, (columns) => [linearThread(columns.n, this.tools, true)]);
  }
}
