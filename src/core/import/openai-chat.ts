import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { ToolSchema } from '../trace/model';
import { ConversationSession, sampledRuns } from './conversation-session';
import type { ConversationRun } from './conversation-session';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import { hasOwnText, otherPart, timestampMs } from './content-parts';
import type { JsonNode } from './json-node';
import { chatParts, chatRole, openaiUsage } from './openai-decode';
import { OrderPairing } from './order-pairing';
import { toolSchemas } from './tool-schemas';
import { valueOf } from './run-list';

/**
 * OpenAI chat completions (formats.md §10): an array of messages, `{messages, tools?}`, `{messages | request, response}`,
 * and JSONL of those, each line one trajectory. LLaMA-Factory's {type, value} content is read too.
 *
 * countsReasoning: false. Chat completions do not take earlier reasoning back; training files hold it as a target only.
 */
export const openaiChat: Format = {
  id: 'openai-chat',
  title: 'OpenAI chat',
  reads: 'parts',
  detect,
  open: (context) => new ConversationSession(context, (node, line) => new ChatRun(context, node, line)),
  decode: (records) => records.flatMap((record) => chatParts(asObject(record) ?? {})),
};

/** Keys of other tools' files whose `messages` look like chat. */
const FOREIGN_KEYS = ['trajectory_format', 'schema_version', 'eval', 'info', 'agents', 'session_id', 'sessionId', 'reward_info', 'task_id', 'metrics', 'full_messages_history', 'run_type', 'system', 'latency_sec'];

function detect(sample: Sample): number {
  const records = sample.records;
  if (records.length === 0) return 0;
  // JSONL of bare messages, or one array of messages.
  const scores = records.map((record) => (Array.isArray(record) ? listScore(record) : objectScore(asObject(record))));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function listScore(list: readonly unknown[]): number {
  const runs = sampledRuns(list);
  return runs ? Math.min(...runs.map((run) => objectScore(asObject(run)))) : messagesScore(list);
}

function objectScore(object: JsonObject | undefined): number {
  if (!object || FOREIGN_KEYS.some((key) => key in object)) return 0;
  const messages = asArray(object['messages']) ?? asArray(asObject(object['request'])?.['messages']);
  if (messages) return messagesScore(messages);
  return asArray(object['choices']) && 'message' in (asObject(asArray(object['choices'])![0]) ?? {}) ? 0.9 : 0;
}

function messagesScore(messages: readonly unknown[]): number {
  const objects = messages.map(asObject);
  const isChat = objects.length > 0 && objects.every((object) => object && chatRole(object['role']) !== null && !('source' in object) && !('parts' in object) && !('message' in object));
  if (!isChat) return 0;
  const blocks = objects.flatMap((object) => asArray(object!['content']) ?? []).map((block) => asString(asObject(block)?.['type']) ?? '');
  if (blocks.some((type) => type === 'tool_use' || type.endsWith('tool_result') || type === 'thinking' || type === 'toolCall')) return 0.2;
  const distinct = objects.some((object) => 'tool_calls' in object! || 'tool_call_id' in object! || 'function_call' in object! || object!['role'] === 'tool');
  return distinct ? 0.9 : 0.75;
}

/** One conversation. */
class ChatRun implements ConversationRun {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private tools: ToolSchema[] = [];
  private title: string | undefined;
  private model: string | undefined;
  private createdMs: number | undefined;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    if (node.kind === 'array') this.addMessages(node);
    else this.addObject(node);
  }

  get units(): ConversationRun['units'] { return { kind: 'message', count: this.draft.columns.rowCount }; }

  private addObject(node: JsonNode): void {
    const fields = node.fields();
    const request = fields.get('request')?.fields() ?? fields;
    const get = (name: string): JsonNode | undefined => request.get(name) ?? fields.get(name);
    this.title = asString(valueOf(get('title'))) ?? asString(valueOf(get('custom_id')));
    this.model = asString(valueOf(get('model')));
    this.tools = toolSchemas(valueOf(get('tools') ?? get('functions')));
    const messages = get('messages');
    if (messages) this.addMessages(messages);
    this.addResponse(fields.get('response') ?? (fields.has('choices') ? node : undefined));
  }

  private addMessages(list: JsonNode): void {
    for (const element of list.elements()) this.addMessage(element);
  }

  private addResponse(response: JsonNode | undefined): void {
    if (!response) return;
    const outer = response.fields();
    const fields = outer.has('body') ? outer.get('body')!.fields() : outer;
    const choice = fields.get('choices')?.elements(1)[0];
    const message = choice?.field('message');
    if (!message) return;
    const row = this.addMessage(message);
    if (row < 0) return;
    const model = asString(valueOf(fields.get('model')));
    if (model) this.draft.columns.setModel(row, model);
    this.draft.columns.mergeUsage(row, openaiUsage(valueOf(fields.get('usage'))));
    this.createdMs = timestampMs(valueOf(fields.get('created')));
    if (fields.get('choices')!.elements(2).length > 1) this.draft.warnings.push('The response has several choices; the first one is shown.');
  }

  private addMessage(node: JsonNode): number {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return -1;
    }
    const message = asObject(value);
    const known = message ? chatRole(message['role']) : null;
    if (!message || known === null) this.context.unknown(message ? `role ${asString(message['role']) ?? 'missing'}` : 'element');
    const role = known ?? 'user';
    const parts = this.pairing.assign(message && known !== null ? chatParts(message) : [otherPart('message', message)]);
    const flags = known === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(message?.['timestamp'] ?? message?.['created_at']), model: asString(message?.['model']) }, parts, node, this.line);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, openaiUsage(message?.['usage']));
    return row;
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, model: this.model, createdMs: this.createdMs }, (columns) => [linearThread(columns.n, this.tools, false)]);
  }
}
