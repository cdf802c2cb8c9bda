import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role } from '../trace/model';
import { plainRole } from './chat-rows';
import { chatgptParts, isKnownContent, recipientOf } from './chatgpt-content';
import { hasOwnText, idText, otherPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { splitLines } from './message-tree';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * ChatGPT data export (formats.md §18; mitkury/chatgpt-export-parser docs/chatgpt-data-export-format.md):
 * `conversations.json`, a conversation a trajectory. A conversation is a tree of nodes; the main line ends in
 * `current_node`, every other leaf is a branch. Thoughts and the answer that follows them are one row; a message to a
 * tool is a call, and the tool's messages below it are its results. No usage is exported.
 *
 * countsReasoning: false. Earlier thoughts are not sent back.
 */
export const chatgptExport: Format = {
  id: 'chatgpt-export',
  title: 'ChatGPT export',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new ChatgptRun(context, node, line), elementsOrSelf),
  decode: (records) => records.flatMap(recordParts),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  return objects.length > 0 && objects.every(isConversation) ? 0.97 : 0;
}

function isConversation(object: JsonObject | undefined): boolean {
  const nodes = Object.values(asObject(object?.['mapping']) ?? {}).map(asObject);
  return nodes.length > 0 && nodes.some((node) => node !== undefined && ('children' in node || 'parent' in node) && 'message' in node);
}

function recordParts(record: unknown): Part[] {
  const message = asObject(record);
  return message ? chatgptParts(message) : [otherPart('message', record)];
}

/** What later nodes need of a message. */
interface MessageFacts { isAssistant: boolean; recipient: string | null; endsTurn: boolean }

interface TreeNode { id: string; parent: number; children: number; message: JsonNode | undefined; facts: MessageFacts | null; row: number; /** Node whose call is open for tool messages below; −1 = none. */ call: number }

class ChatgptRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly nodes: TreeNode[] = [];
  private readonly parents: number[] = [];
  private readonly title: string;
  private readonly createdMs: number | undefined;
  private end = -1;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const field = (name: string): unknown => valueOf(fields.get(name));
    context.count('conversation');
    this.title = firstLine(asString(field('title')) ?? '', 120);
    this.createdMs = timestampMs(field('create_time'));
    const order = this.readTree(fields.get('mapping'));
    for (const index of order) this.addNode(index);
    const current = this.nodes.find(({ id }) => id === idText(field('current_node')));
    if (current) this.end = this.rowAbove(this.nodes.indexOf(current));
    // The nodes hold on to the bytes of the file.
    this.nodes.length = 0;
  }

  /** Parents before children, whatever the order of the file; nodes whose parent is missing or circular are roots. */
  private readTree(mapping: JsonNode | undefined): number[] {
    const index = new Map<string, number>();
    const parentIds: string[] = [];
    for (const [id, node] of mapping?.fields() ?? []) {
      const message = node.field('message');
      index.set(id, this.nodes.length);
      parentIds.push(idText(valueOf(node.field('parent'))));
      this.nodes.push({ id, parent: -1, children: 0, message: message?.kind === 'object' ? message : undefined, facts: null, row: -1, call: -1 });
    }
    const below: number[][] = this.nodes.map(() => []);
    const roots: number[] = [];
    parentIds.forEach((id, i) => {
      const parent = index.get(id);
      if (parent === undefined || parent === i) roots.push(i);
      else {
        this.nodes[i]!.parent = parent;
        below[parent]!.push(i);
      }
    });
    this.nodes.forEach((node, i) => { node.children = below[i]!.length; });
    const order: number[] = [];
    const seen = new Set<number>();
    const walk = (root: number): void => {
      const stack = [root];
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        if (seen.has(at)) continue;
        seen.add(at);
        order.push(at);
        stack.push(...below[at]!.slice().reverse());
      }
    };
    for (const root of roots) walk(root);
    // What is left hangs in circles.
    this.nodes.forEach((node, i) => {
      if (seen.has(i)) return;
      node.parent = -1;
      walk(i);
    });
    return order;
  }

  private addNode(index: number): void {
    const node = this.nodes[index]!;
    const above = node.parent < 0 ? undefined : this.nodes[node.parent];
    node.call = above?.call ?? -1;
    if (!node.message) return;
    const value = valueOf(node.message);
    const message = asObject(value);
    if (!message) {
      this.context.unknown('unreadable message');
      return;
    }
    const role = plainRole(asString(asObject(message['author'])?.['role']) ?? '', this.context);
    node.facts = { isAssistant: role === 'assistant', recipient: role === 'assistant' ? recipientOf(message) : null, endsTurn: message['end_turn'] === true };
    const type = asString(asObject(message['content'])?.['content_type']) ?? 'content without type';
    if (!isKnownContent(type)) this.context.unknown(type);
    const parts = this.withIds(chatgptParts(message), node, message);
    // The empty system message at the root of most conversations only links.
    if (role === 'system' && parts.length === 0) return;
    if (role === 'assistant' && continues(above)) this.addToAnswer(node, above!.row, parts, message);
    else this.addRow(node, role, parts, message);
    if (role !== 'tool') node.call = node.facts.recipient === null ? -1 : index;
    this.addEvents(node, message);
  }

  private addToAnswer(node: TreeNode, row: number, parts: readonly Part[], message: JsonObject): void {
    node.row = row;
    this.draft.columns.addSpan(row, spanOf(node.message!, this.line));
    this.draft.columns.addParts(row, parts);
    const model = modelOf(message);
    if (model !== undefined) this.draft.columns.setModel(row, model);
  }

  private addRow(node: TreeNode, role: Role, parts: readonly Part[], message: JsonObject): void {
    const metadata = asObject(message['metadata']);
    const isHidden = metadata?.['is_visually_hidden_from_conversation'] === true || metadata?.['is_user_system_message'] === true;
    const flags = role !== 'user' ? 0 : isHidden ? MessageFlag.meta : hasOwnText(parts) ? MessageFlag.instruction : 0;
    const parent = node.parent < 0 ? -1 : this.rowAbove(node.parent);
    node.row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(message['create_time']), model: role === 'assistant' ? modelOf(message) : undefined }, parts, node.message!, this.line);
    this.parents[node.row] = parent;
  }

  private withIds(parts: readonly Part[], node: TreeNode, message: JsonObject): Part[] {
    const name = asString(asObject(message['author'])?.['name']);
    return parts.map((part): Part => {
      if (part.type === 'tool_call') return { ...part, id: node.id };
      if (part.type !== 'tool_result') return part;
      const open = this.nodes[node.call];
      const isAnswer = open?.facts != null && sameTool(open.facts.recipient, name);
      return { ...part, callId: isAnswer ? open.id : node.id };
    });
  }

  private addEvents(node: TreeNode, message: JsonObject): void {
    const finish = asObject(asObject(message['metadata'])?.['finish_details']);
    if (finish?.['type'] !== 'interrupted' && message['status'] !== 'finished_partial_completion') return;
    this.draft.columns.addFlags(node.row, MessageFlag.failed);
    this.draft.events.push({ kind: 'interruption', sourceKind: 'finish_details', thread: MAIN_THREAD, afterRow: node.row, label: 'The answer was stopped.', timestampMs: timestampMs(message['create_time']), span: spanOf(node.message!, this.line) });
  }

  /** Row of a node, or of the nearest one above it. */
  private rowAbove(index: number): number {
    for (let at = index, steps = 0; at >= 0 && steps <= this.nodes.length; at = this.nodes[at]!.parent, steps++) if (this.nodes[at]!.row >= 0) return this.nodes[at]!.row;
    return -1;
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, createdMs: this.createdMs }, (columns) => {
      const rows = Array.from({ length: columns.n }, (_, row) => row);
      const lines = splitLines(rows, Int32Array.from(rows, (row) => this.parents[row] ?? -1), this.end >= 0 ? this.end : undefined);
      return [{ id: MAIN_THREAD, tools: [], ...lines, countsReasoning: false }];
    });
  }
}

/** Thoughts stand in messages of their own before what they led to. */
function continues(above: TreeNode | undefined): boolean {
  return above?.facts != null && above.row >= 0 && above.children === 1 && above.facts.isAssistant && above.facts.recipient === null && !above.facts.endsTurn;
}

function modelOf(message: JsonObject): string | undefined {
  return asString(asObject(message['metadata'])?.['model_slug']);
}

/** `dalle.text2im` is answered by `dalle.text2im` or by `dalle`. */
function sameTool(recipient: string | null, author: string | undefined): boolean {
  if (recipient === null) return false;
  return author === undefined || recipient === author || recipient.split('.')[0] === author.split('.')[0];
}
