import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part } from '../trace/model';
import { anthropicParts, isKnownBlock } from './claude-decode';
import { hasOwnText, idText, otherPart, textPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { MessageTree, PREVIOUS, splitLines } from './message-tree';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * Claude.ai data export (formats.md §18): `conversations.json` of `{uuid, name, chat_messages}`, a conversation a
 * trajectory. Messages follow `parent_message_uuid` where it is recorded (edits and retries are branches), else the order
 * of the list. One answer holds its whole tool loop: it is split at the results, a span a block. Attachments are text of
 * the turn. No usage is exported.
 *
 * countsReasoning: false. Thinking of earlier turns is not sent back.
 */
export const claudeAiExport: Format = {
  id: 'claude-ai-export',
  title: 'Claude.ai export',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new ClaudeAiRun(context, node, line), conversations),
  decode: (records) => records.flatMap(recordParts),
};

/** The list itself, `{conversations}`, or one conversation. */
function conversations(node: JsonNode): readonly JsonNode[] {
  const list = node.kind === 'array' ? node : node.field('conversations');
  return list?.kind === 'array' ? list.elements() : [node];
}

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => asArray(record) ?? asArray(asObject(record)?.['conversations']) ?? [record]).map(asObject);
  return objects.length > 0 && objects.every((object) => Array.isArray(object?.['chat_messages'])) ? 0.97 : 0;
}

const ROOT_PARENT = /^0{8}-0000-4000-8000-0{12}$/;

/** A block, a message without blocks, an attachment, or a file. */
function recordParts(record: unknown): Part[] {
  const object = asObject(record);
  if (!object) return anthropicParts(record);
  if ('sender' in object) return anthropicParts(object['text'] ?? '');
  const name = asString(object['file_name']);
  if (name === undefined || 'type' in object) return anthropicParts([object]);
  const content = asString(object['extracted_content']);
  if (content !== undefined) return [textPart(`${name}:`), textPart(content)];
  return object['file_kind'] === 'image' ? [{ type: 'image', mime: 'image', ref: name }] : [otherPart('file', object)];
}

class ClaudeAiRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly tree = new MessageTree();
  private readonly title: string;
  private readonly model: string | undefined;
  private readonly createdMs: number | undefined;
  private readonly endRow: number;
  private open: string[] = [];
  private calls = 0;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const field = (name: string): unknown => valueOf(fields.get(name));
    context.count('conversation');
    this.title = firstLine(asString(field('name')) ?? '', 120);
    this.model = asString(field('model'));
    this.createdMs = timestampMs(field('created_at'));
    for (const message of inTime(fields.get('chat_messages')?.elements() ?? [])) this.addMessage(message);
    const current = asString(field('current_leaf_message_uuid'));
    this.endRow = current === undefined ? -1 : this.tree.rowOf(`${current} end`);
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    const message = asObject(value);
    if (!message) {
      this.context.unknown('unreadable message');
      return;
    }
    const sender = asString(message['sender']) ?? '';
    if (sender !== 'human' && sender !== 'assistant') this.context.unknown(`sender ${sender || 'missing'}`);
    const blocks = node.field('content')?.elements() ?? [];
    const groups = splitAtResults(blocks.length > 0 ? blocks : [node], sender === 'assistant');
    const extra = [...(node.field('attachments')?.elements() ?? []), ...(node.field('files_v2') ?? node.field('files'))?.elements() ?? []];
    const first = this.draft.columns.rowCount;
    this.open = [];
    groups.forEach((group, i) => { this.addRow(i === 0 ? [...extra, ...group.nodes] : group.nodes, group.isResult, sender, message); });
    this.link(message, first);
    if (message['stop_reason'] === 'user_canceled' || message['truncated'] === true) {
      this.draft.events.push({ kind: 'interruption', sourceKind: asString(message['stop_reason']) ?? 'truncated', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: 'The answer was stopped.', timestampMs: timestampMs(message['created_at']), span: spanOf(node, this.line) });
    }
  }

  private addRow(nodes: readonly JsonNode[], isResult: boolean, sender: string, message: JsonObject): void {
    const { columns } = this.draft;
    const values = nodes.map(valueOf);
    const parts = this.withIds(values.flatMap(recordParts));
    for (const value of values) {
      const type = asString(asObject(value)?.['type']);
      if (type !== undefined && !isKnownBlock(type) && type !== 'token_budget') this.context.unknown(`block ${type}`);
    }
    const role = isResult ? 'tool' : sender === 'assistant' ? 'assistant' : 'user';
    const row = columns.addRow({ role, flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0, timestampMs: timestampMs(message['created_at']), model: role === 'assistant' ? this.model : undefined });
    for (const node of nodes) columns.addSpan(row, spanOf(node, this.line));
    columns.addParts(row, parts);
  }

  /** Older exports leave out the ids of calls: results then follow the order of the calls of their message. */
  private withIds(parts: readonly Part[]): Part[] {
    return parts.map((part) => {
      if (part.type === 'tool_call') {
        this.calls++;
        const id = part.id || `call-${this.calls}`;
        this.open.push(id);
        return { ...part, id };
      }
      if (part.type !== 'tool_result') return part;
      const callId = part.callId || (this.open[0] ?? '');
      this.open = this.open.filter((id) => id !== callId);
      return { ...part, callId };
    });
  }

  /** The rows of a message follow each other; what answers it hangs on the last. */
  private link(message: JsonObject, first: number): void {
    const id = idText(message['uuid']);
    const parent = asString(message['parent_message_uuid']);
    for (let row = first; row < this.draft.columns.rowCount; row++) {
      const above = row > first ? PREVIOUS : parent === undefined ? PREVIOUS : ROOT_PARENT.test(parent) ? null : `${parent} end`;
      this.tree.add(row === this.draft.columns.rowCount - 1 ? `${id} end` : undefined, above, row, '');
    }
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, model: this.model, createdMs: this.createdMs }, (columns) => {
      const rows = Array.from({ length: columns.n }, (_, row) => row);
      return [{ id: MAIN_THREAD, tools: [], ...splitLines(rows, this.tree.parentRows(columns.n), this.endRow >= 0 ? this.endRow : undefined), countsReasoning: false }];
    });
  }
}

/** By time where every message has one: what was written last ends the main line, and parents stand before children. */
function inTime(messages: readonly JsonNode[]): readonly JsonNode[] {
  const timed = messages.map((node) => ({ node, ms: timestampMs(valueOf(node.field('created_at'))) }));
  return timed.some(({ ms }) => ms === undefined) ? messages : timed.sort((a, b) => a.ms! - b.ms!).map(({ node }) => node);
}

/** Runs of results and of everything else. */
function splitAtResults(blocks: readonly JsonNode[], isAnswer: boolean): { nodes: JsonNode[]; isResult: boolean }[] {
  const groups: { nodes: JsonNode[]; isResult: boolean }[] = [];
  for (const node of blocks) {
    const isResult = isAnswer && asString(valueOf(node.field('type'))) === 'tool_result';
    const last = groups.at(-1);
    if (last && last.isResult === isResult) last.nodes.push(node);
    else groups.push({ nodes: [node], isResult });
  }
  return groups;
}
