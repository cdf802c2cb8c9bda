import { asArray, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, ToolSchema } from '../trace/model';
import { plainRole } from './chat-rows';
import { contentParts, hasOwnText, idText, otherPart, reasoningPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * Letta agent files `.af` (formats.md §18), of several agents or the old flat form: one trajectory an agent. Messages that
 * are no longer in the context were evicted by a summary, which stands as a system alert in a user turn.
 *
 * countsReasoning: true. Native reasoning is sent back with its signature.
 */
export const lettaAf: Format = {
  id: 'letta-af',
  title: 'Letta agent file (.af)',
  reads: 'parts',
  detect,
  open: (context) => new LettaSession(context),
  decode: (records) => records.flatMap(lettaParts),
};

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    if (!object) return 0;
    const agent = asObject(asArray(object['agents'])?.[0]);
    if (agent && Array.isArray(agent['messages']) && ('blocks' in object || 'tools' in object) && ('llm_config' in agent || 'in_context_message_ids' in agent)) return 0.96;
    return 'core_memory' in object && Array.isArray(object['messages']) && ('in_context_message_indices' in object || 'llm_config' in object) ? 0.95 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function lettaParts(record: unknown): Part[] {
  const message = asObject(record);
  if (!message) return typeof record === 'string' ? contentParts(record) : [otherPart('message', record)];
  const content = message['content'] ?? message['text'];
  if (message['role'] === 'tool') return [resultPart(message, content)];
  const calls = (asArray(message['tool_calls']) ?? []).map((value): Part => {
    const call = asObject(value);
    const body = asObject(call?.['function']) ?? call;
    return toolCall(call?.['id'], body?.['name'], body?.['arguments']);
  });
  return [...blocks(content), ...calls];
}

function blocks(content: unknown): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((value): Part[] => {
    const block = asObject(value);
    switch (block?.['type']) {
      case 'reasoning': return [reasoningPart(block['reasoning'])];
      case 'redacted_reasoning': case 'omitted_reasoning': return [reasoningPart('', true)];
      default: return contentParts([value]);
    }
  });
}

function resultPart(message: JsonObject, content: unknown): Part {
  const returned = asObject(asArray(message['tool_returns'])?.[0]);
  const said = blocks(content).filter((part): part is ContentPart => part.type === 'text' || part.type === 'image' || part.type === 'other');
  const status = returned?.['status'] ?? envelope(said)?.['status'];
  const isError = status === 'error' || status === 'Failed';
  const name = asString(message['name']);
  return { type: 'tool_result', callId: idText(message['tool_call_id']) || idText(returned?.['tool_call_id']), ...(name === undefined ? {} : { toolName: name }), content: said, ...(isError ? { isError } : {}) };
}

/** User and tool texts may be JSON envelopes: `{"type": "user_message", "message": …}`, `{"status": "OK", …}`. */
function envelope(parts: readonly Part[]): JsonObject | undefined {
  const first = parts.find((part) => part.type === 'text');
  if (first?.type !== 'text' || !first.text.trimStart().startsWith('{')) return undefined;
  try {
    return asObject(parseJson(first.text));
  } catch {
    return undefined;
  }
}

class LettaSession implements FormatSession {
  private readonly runs: LettaRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const tools = new Map((asArray(valueOf(fields.get('tools'))) ?? []).map((value) => [idText(asObject(value)?.['id']) || idText(asObject(value)?.['name']), value] as const));
    for (const agent of fields.get('agents')?.elements() ?? [node]) {
      this.context.count('agent');
      this.runs.push(new LettaRun(this.context, agent, line, tools));
    }
  }

  build(): TrajectoryDraft[] { return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName)); }
}

class LettaRun {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private readonly name: string | undefined;
  private readonly model: string | undefined;
  private readonly tools: ToolSchema[];
  private readonly ids: string[] = [];

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number, tools: ReadonlyMap<string, unknown>) {
    const fields = node.fields();
    this.name = asString(valueOf(fields.get('name')));
    this.model = asString(asObject(valueOf(fields.get('llm_config')))?.['model']);
    const wanted = asArray(valueOf(fields.get('tool_ids')));
    const used = wanted ? wanted.map(idText).flatMap((id) => tools.get(id) ?? []) : [...tools.values()];
    this.tools = toolSchemas(used.map((tool) => asObject(tool)?.['json_schema'] ?? tool));
    const list = fields.get('messages')?.elements() ?? [];
    const system = fields.get('system');
    if (list.length === 0 && system && typeof valueOf(system) === 'string') this.draft.addMessage({ role: 'system' }, contentParts(valueOf(system)), system, line);
    for (const message of list) this.addMessage(message);
    this.addEviction(asArray(valueOf(fields.get('in_context_message_ids'))), asArray(valueOf(fields.get('in_context_message_indices'))));
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const message = asObject(value) ?? {};
    const source = asString(message['role']) ?? '';
    const hasCalls = (asArray(message['tool_calls']) ?? []).length > 0;
    const role = source === 'approval' && hasCalls ? 'assistant' : plainRole(source, this.context, ['approval']);
    const parts = this.pairing.assign(lettaParts(value));
    this.draft.addMessage({ role, flags: role === 'user' ? userFlags(parts, source) : 0, timestampMs: timestampMs(message['created_at']), model: role === 'assistant' ? (asString(message['model']) ?? this.model) : undefined }, parts, node, this.line);
    this.ids.push(idText(message['id']));
  }

  private addEviction(ids: readonly unknown[] | undefined, indices: readonly unknown[] | undefined): void {
    const kept = ids && ids.length > 0 ? new Set(ids.map(idText)) : null;
    const isIn = (row: number): boolean => (kept ? kept.has(this.ids[row]!) : indices ? indices.includes(row) : true);
    const gone = this.ids.flatMap((_, row) => (isIn(row) ? [] : [row]));
    const summary = this.ids.findIndex((_, row) => (this.draft.columns.rowFlags(row) & MessageFlag.compactSummary) !== 0);
    if (gone.length === 0 && summary < 0) return;
    const last = gone.at(-1) ?? Math.max(0, summary - 1);
    const firstKept = this.ids.findIndex((_, row) => row > last && row !== summary && isIn(row));
    this.draft.events.push({
      kind: 'compaction', sourceKind: gone.length > 0 ? 'in_context_message_ids' : 'system_alert', thread: MAIN_THREAD, afterRow: last,
      label: gone.length > 0 ? `${gone.length} messages were evicted from the context.` : 'Earlier messages were evicted and are not in the file.',
      data: { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: summary < 0 ? null : summary, firstKeptRow: firstKept < 0 || gone.length === 0 ? null : firstKept, removedMessages: gone.length },
    });
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.name || fallbackName, model: this.model }, (columns) => [linearThread(columns.n, this.tools, true)]);
  }
}

function userFlags(parts: readonly Part[], source: string): number {
  const type = asString(envelope(parts)?.['type']);
  if (type === 'system_alert') return MessageFlag.compactSummary;
  const isTyped = source === 'user' && hasOwnText(parts) && (type === undefined || type === 'user_message');
  return isTyped ? MessageFlag.instruction : MessageFlag.meta;
}
