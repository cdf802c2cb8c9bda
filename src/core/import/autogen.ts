import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role, TraceEvent, Usage } from '../trace/model';
import { contentParts, hasOwnText, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';
import { mostly } from './sampling';
import { ThreadLines } from './thread-lines';

/**
 * AutoGen from v0.4 on (formats.md §18; microsoft/autogen python/packages/autogen-agentchat/src/autogen_agentchat/messages.py
 * and state/_states.py, autogen-core models/_types.py): messages and events of a run as a list, JSONL or a `TaskResult`,
 * and saved states of an agent or a team. In a team's state the group chat is the main thread and each agent's model
 * context a thread of its own. In group chats who speaks stands first in each turn, as the agents see it.
 *
 * countsReasoning: false. Thoughts are not sent back.
 */
export const autogen: Format = {
  id: 'autogen',
  title: 'AutoGen messages and states',
  reads: 'parts',
  detect,
  open: (context) => new AutogenSession(context),
  decode: (records) => records.flatMap(recordParts),
};

/** Messages that agents exchange, and events that tell how they came about. */
const CHAT_TYPES = new Set(['TextMessage', 'MultiModalMessage', 'StopMessage', 'HandoffMessage', 'ToolCallSummaryMessage']);
const EVENT_TYPES = new Set(['ToolCallRequestEvent', 'ToolCallExecutionEvent', 'ThoughtEvent', 'MemoryQueryEvent', 'UserInputRequestedEvent', 'ModelClientStreamingChunkEvent', 'CodeGenerationEvent', 'CodeExecutionEvent', 'SelectSpeakerEvent', 'SelectorEvent']);
/** Entries of a model context. */
const MODEL_TYPES = new Set(['SystemMessage', 'UserMessage', 'AssistantMessage', 'FunctionExecutionResultMessage']);

function typeOf(value: unknown): string { return asString(asObject(value)?.['type']) ?? ''; }

function isMessage(value: unknown): boolean {
  const object = asObject(value);
  const type = typeOf(value);
  if (!object || !('content' in object || 'result' in object)) return false;
  if (CHAT_TYPES.has(type) || EVENT_TYPES.has(type) || type.startsWith('StructuredMessage')) return 'source' in object;
  return MODEL_TYPES.has(type);
}

function isState(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && (asObject(object['agent_states']) !== undefined || (/State$/.test(typeOf(value)) && ('llm_context' in object || 'llm_messages' in object || 'message_thread' in object || 'agent_state' in object)));
}

function detect(sample: Sample): number {
  const scores = sample.records.map((record): number => {
    if (isState(record)) return 0.96;
    const list = asArray(record) ?? asArray(asObject(record)?.['messages']);
    return (list ? mostly(list, isMessage) : isMessage(record)) ? 0.95 : 0;
  });
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function recordParts(record: unknown): Part[] {
  const message = asObject(record);
  if (!message) return [otherPart('message', record)];
  const type = typeOf(message);
  const { content } = message;
  switch (type) {
    case 'ToolCallRequestEvent': return calls(content);
    case 'AssistantMessage': {
      const thought = asString(message['thought']);
      return [...(thought ? [reasoningPart(thought)] : []), ...(Array.isArray(content) ? calls(content) : contentParts(content))];
    }
    case 'ToolCallExecutionEvent': case 'FunctionExecutionResultMessage': return (asArray(content) ?? []).map(resultPart);
    case 'ThoughtEvent': return [reasoningPart(content)];
    case 'CodeExecutionEvent': return contentParts(asObject(message['result'])?.['output'] ?? message['result']);
    case 'SystemMessage': return contentParts(content);
    case 'UserMessage': return userContent(content);
    case 'MemoryQueryEvent': return [textPart(stringifyJson(content))];
    default: return [...speaker(message), ...(type.startsWith('StructuredMessage') ? [textPart(stringifyJson(content))] : userContent(content))];
  }
}

function speaker(message: JsonObject): ContentPart[] {
  const source = asString(message['source']) ?? 'user';
  return source === 'user' ? [] : [textPart(`${source}:`)];
}

function calls(content: unknown): Part[] {
  return (asArray(content) ?? []).map((value) => toolCall(asObject(value)?.['id'], asObject(value)?.['name'], asObject(value)?.['arguments'] ?? ''));
}

function resultPart(value: unknown): Part {
  const result = asObject(value);
  const name = asString(result?.['name']);
  return { type: 'tool_result', callId: idText(result?.['call_id']), ...(name === undefined ? {} : { toolName: name }), content: contentParts(result?.['content']), ...(result?.['is_error'] === true ? { isError: true } : {}) };
}

/** Text, or texts and images `{data}` in base64. */
function userContent(content: unknown): ContentPart[] {
  return (asArray(content) ?? [content]).flatMap((value): ContentPart[] => {
    const data = asString(asObject(value)?.['data']);
    return data === undefined ? contentParts(value) : [{ type: 'image', mime: 'image', bytes: Math.floor((data.length * 3) / 4) }];
  });
}

function autogenUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  return { input: asNumber(usage?.['prompt_tokens']), output: asNumber(usage?.['completion_tokens']) };
}

class AutogenSession implements FormatSession {
  private readonly runs: AutogenRun[] = [];
  private loose: AutogenRun | null = null;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const list = node.kind === 'array' ? node : fields.get('messages');
    if (fields.has('agent_states') || /State$/.test(asString(valueOf(fields.get('type'))) ?? '')) this.newRun(line).addState(node, '');
    else if (list?.kind === 'array') this.newRun(line).addMessages(list, MAIN_THREAD).addStop(fields.get('stop_reason'));
    else {
      if (!this.loose) this.loose = this.newRun(line);
      this.loose.line = line;
      this.loose.addMessage(node, MAIN_THREAD);
    }
  }

  private newRun(line: number): AutogenRun {
    const run = new AutogenRun(this.context, line);
    this.runs.push(run);
    return run;
  }

  build(): TrajectoryDraft[] {
    return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

class AutogenRun {
  private readonly draft = new DraftWriter();
  private readonly lines = new ThreadLines();
  private readonly pairing = new OrderPairing();
  /** A thought belongs to what its agent does next. */
  private thought: { row: number; source: string; thread: string } | null = null;

  constructor(private readonly context: FormatContext, public line: number) {}

  /** A team holds containers of agents' states, and its manager the group chat. */
  addState(node: JsonNode, name: string): void {
    const fields = node.fields();
    const inner = fields.get('agent_state');
    if (inner) return this.addState(inner, name);
    const agents = fields.get('agent_states');
    const chat = fields.get('message_thread');
    const context = fields.get('llm_messages') ?? fields.get('llm_context')?.field('messages');
    if (agents) {
      this.context.count('team');
      // The group chat first: its thread is the main one.
      const states = [...agents.fields()].sort(([, a], [, b]) => Number(hasChat(b)) - Number(hasChat(a)));
      for (const [agent, state] of states) this.addState(state, agent.split('/')[0]!);
    } else if (chat) this.addMessages(chat, name === '' || !this.lines.has(MAIN_THREAD) ? MAIN_THREAD : name);
    else if (context) {
      this.context.count('agent');
      const thread = name === '' ? MAIN_THREAD : name;
      if (thread !== MAIN_THREAD) this.lines.open(thread, { title: name });
      this.addMessages(context, thread);
    } else {
      this.context.count('other state');
      const type = asString(valueOf(fields.get('type'))) ?? 'state';
      this.event(node, 'other', type, `State of ${name || type}`, MAIN_THREAD);
    }
  }

  addMessages(list: JsonNode, thread: string): this {
    this.lines.open(thread);
    for (const message of list.elements()) this.addMessage(message, thread);
    this.thought = null;
    return this;
  }

  addStop(node: JsonNode | undefined): void {
    const reason = asString(valueOf(node));
    if (node && reason !== undefined) this.event(node, 'other', 'stop_reason', firstLine(reason, 160), MAIN_THREAD);
  }

  addMessage(node: JsonNode, thread: string): void {
    const value = valueOf(node);
    const message = asObject(value);
    const type = message ? typeOf(message) : 'unreadable message';
    this.context.count(type || 'message without type');
    if (!message) return this.context.unknown(type);
    if (type === 'ModelClientStreamingChunkEvent') return;
    if (type === 'UserInputRequestedEvent' || type === 'SelectSpeakerEvent' || type === 'SelectorEvent') return this.event(node, 'other', type, firstLine(stringifyJson(message['content']), 160), thread);
    if (!CHAT_TYPES.has(type) && !EVENT_TYPES.has(type) && !MODEL_TYPES.has(type) && !type.startsWith('StructuredMessage')) this.context.unknown(type || 'message without type');
    const source = asString(message['source']) ?? '';
    const parts = this.pairing.assign(recordParts(message));
    const role = roleOf(type, source);
    const row = role === 'assistant' && this.thought?.source === source && this.thought.thread === thread && type !== 'ThoughtEvent' ? this.extend(this.thought.row, node, parts) : this.addRow(node, type, role, source, parts, message, thread);
    this.thought = type === 'ThoughtEvent' ? { row, source, thread } : null;
    if (role === 'assistant') this.draft.columns.mergeUsage(row, autogenUsage(message['models_usage']));
    if (type === 'HandoffMessage') this.event(node, 'other', type, `Handed over to ${asString(message['target']) ?? '?'}`, thread);
  }

  private extend(row: number, node: JsonNode, parts: readonly Part[]): number {
    this.draft.columns.addSpan(row, spanOf(node, this.line));
    this.draft.columns.addParts(row, parts);
    return row;
  }

  private addRow(node: JsonNode, type: string, role: Role, source: string, parts: readonly Part[], message: JsonObject, thread: string): number {
    const isTyped = role === 'user' && (source === 'user' || source === '') && hasOwnText(parts);
    const side = thread === MAIN_THREAD ? 0 : MessageFlag.sidechain;
    // The tool's words once more, as the agent's answer: no model wrote it.
    const own = type === 'ToolCallSummaryMessage' ? MessageFlag.synthetic : role !== 'user' ? 0 : isTyped ? MessageFlag.instruction : type === 'CodeExecutionEvent' ? MessageFlag.harness : MessageFlag.meta;
    const row = this.draft.addMessage({ role, flags: side | own, timestampMs: timestampMs(message['created_at']) }, parts, node, this.line);
    this.lines.add(thread, row);
    return row;
  }

  private event(node: JsonNode, kind: TraceEvent['kind'], sourceKind: string, label: string, thread: string): void {
    const home = this.lines.home(thread);
    this.draft.events.push({ kind, sourceKind, thread: home, afterRow: this.lines.lastRow(home), label, span: spanOf(node, this.line) });
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: fallbackName }, () => this.lines.threads(false));
  }
}

function hasChat(container: JsonNode): boolean {
  return (container.field('agent_state') ?? container).field('message_thread') !== undefined;
}

function roleOf(type: string, source: string): Role {
  if (type === 'SystemMessage') return 'system';
  if (type === 'ToolCallExecutionEvent' || type === 'FunctionExecutionResultMessage') return 'tool';
  if (type === 'UserMessage' || type === 'CodeExecutionEvent' || type === 'MemoryQueryEvent') return 'user';
  return source === 'user' ? 'user' : 'assistant';
}
