import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, TraceEvent } from '../trace/model';
import { hasOwnText, idText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { FileLinks, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { geminiMessageParts, geminiUsage } from './gemini-parts';
import type { JsonNode } from './json-node';
import { locate, smallValue } from './located';
import { splitLines } from './message-tree';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';

/**
 * Gemini CLI chats (formats.md §3): one document, or the JSONL event log since 0.40, where a record with a known id
 * replaces it at its first position, `$set.messages` replaces the history and `$rewindTo` drops its end (a branch here).
 * Bare `Content` arrays (saved checkpoints, request bodies) are read too.
 *
 * countsReasoning: false. Thoughts are summaries for the display; they are not sent back.
 */
export const geminiCli: Format = {
  id: 'gemini-cli',
  title: 'Gemini CLI chat',
  reads: 'parts',
  detect,
  open: (context) => new GeminiSession(context),
  decode: (records) => records.flatMap(geminiMessageParts),
};

const TYPES = new Set(['user', 'gemini', 'model', 'info', 'error', 'warning']);

function isMessage(object: JsonObject): boolean {
  return TYPES.has(asString(object['type']) ?? '') && ('content' in object || 'parts' in object || 'toolCalls' in object);
}

function isContent(value: unknown): boolean {
  const object = asObject(value);
  return (object?.['role'] === 'user' || object?.['role'] === 'model') && Array.isArray(object['parts']) && !('type' in object);
}

function detect(sample: Sample): number {
  const first = sample.records[0];
  if (Array.isArray(first)) return sample.records.length === 1 && first.length > 0 && first.every(isContent) ? 0.92 : 0;
  const objects = sampledObjects(sample);
  const head = objects[0];
  if (!head) return 0;
  if (sample.shape === 'document') {
    if (Array.isArray(head['contents']) && head['contents'].length > 0 && head['contents'].every(isContent)) return 0.9;
    const messages = Array.isArray(head['messages']) ? head['messages'] : undefined;
    if (!messages || !('sessionId' in head)) return 0;
    const fitting = messages.every((message) => isMessage(asObject(message) ?? {}));
    return fitting ? ('projectHash' in head ? 0.97 : 0.85) : 0;
  }
  if ('projectHash' in head && 'sessionId' in head) return 0.97;
  // A log without its first line. Grok and Claude lines have such types too, so only what is Gemini's own counts.
  const ours = share(objects, (object) => isMessage(object) && 'id' in object && !('uuid' in object) && !('message' in object));
  return ours > 0.6 && objects.some((object) => object['type'] === 'gemini' || '$set' in object || '$rewindTo' in object) ? 0.85 : 0;
}

/** A message at its first position, with the record that counts. */
interface Slot { id: string | undefined; node: JsonNode; line: number; parent: number }

class GeminiSession implements FormatSession {
  private readonly slots: Slot[] = [];
  private readonly slotOf = new Map<string, number>();
  private readonly marks: { kind: EventKind; sourceKind: string; after: number; label: string; node: JsonNode; line: number }[] = [];
  private tip = -1;
  private head: JsonObject = {};
  private readonly callOfAgent = new Map<string, string>();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    if (node.kind === 'array') return this.addList(node, line);
    const fields = node.fields();
    const list = fields.get('messages') ?? fields.get('contents');
    const rewind = fields.get('$rewindTo');
    const set = fields.get('$set');
    if (list) {
      this.readHead([...fields].filter(([name]) => name !== 'messages' && name !== 'contents'));
      this.addList(list, line);
    } else if (rewind) this.rewind(asString(smallValue(rewind)) ?? '', node, line);
    else if (set) this.applySet(set, node, line);
    else if (fields.has('type')) {
      this.context.count(asString(smallValue(fields.get('type'))) ?? 'message');
      this.addMessage(node, line);
    } else {
      this.context.count('metadata');
      this.readHead([...fields]);
    }
  }

  private readHead(fields: Iterable<[string, JsonNode]>): void {
    for (const [name, field] of fields) this.head = { ...this.head, [name]: smallValue(field) };
  }

  private addList(list: JsonNode, line: number): void {
    for (const element of list.elements()) {
      this.context.count('message');
      this.addMessage(element, line);
    }
  }

  private addMessage(node: JsonNode, line: number): void {
    const message = locate(node, line, this.context, 'message');
    if (!message) return;
    this.noteAgents(message.value['toolCalls']);
    const id = asString(message.value['id']);
    const known = id === undefined ? undefined : this.slotOf.get(id);
    if (known !== undefined) {
      this.slots[known] = { ...this.slots[known]!, node, line };
      return;
    }
    this.tip = this.slots.push({ id, node, line, parent: this.tip }) - 1;
    if (id !== undefined) this.slotOf.set(id, this.tip);
  }

  /** A call that started a sub-agent names it; the sub-agent's own chat has that id. */
  private noteAgents(calls: unknown): void {
    for (const call of asArray(calls) ?? []) {
      const agent = asString(asObject(call)?.['agentId']);
      const id = idText(asObject(call)?.['id']);
      if (agent !== undefined && id !== '') this.callOfAgent.set(agent, id);
    }
  }

  /** Everything from that message on is gone; an unknown id clears all. */
  private rewind(id: string, node: JsonNode, line: number): void {
    this.context.count('$rewindTo');
    const target = this.slotOf.get(id);
    this.marks.push({ kind: 'checkpoint', sourceKind: '$rewindTo', after: this.slots.length - 1, label: target === undefined ? 'Rewound to the start' : 'Rewound', node, line });
    this.tip = target === undefined ? -1 : this.slots[target]!.parent;
    for (const [known, slot] of this.slotOf) if (target === undefined || slot >= target) this.slotOf.delete(known);
  }

  private applySet(set: JsonNode, node: JsonNode, line: number): void {
    this.context.count('$set');
    const fields = set.fields();
    const messages = fields.get('messages');
    this.readHead([...fields].filter(([name]) => name !== 'messages'));
    if (!messages) return;
    const before = this.tip;
    this.tip = -1;
    for (const element of messages.elements()) {
      const id = asString(smallValue(element.field('id')));
      const known = id === undefined ? undefined : this.slotOf.get(id);
      if (known !== undefined && this.slots[known]!.parent === this.tip) this.tip = known;
      else if (id !== undefined) this.slotOf.delete(id);
      this.addMessage(element, line);
    }
    if (before >= 0 && !this.isOnLine(before)) this.marks.push({ kind: 'checkpoint', sourceKind: '$set.messages', after: this.slots.length - 1, label: 'History replaced', node, line });
  }

  private isOnLine(slot: number): boolean {
    for (let at = this.tip; at >= slot; at = this.slots[at]!.parent) if (at === slot) return true;
    return false;
  }

  links(): FileLinks {
    const id = asString(this.head['sessionId']);
    return { sessionId: id, isSubagent: this.head['kind'] === 'subagent', agentId: id, callOfAgent: this.callOfAgent, spawnByPrompt: new Map() };
  }

  build(): TrajectoryDraft[] {
    if (this.slots.length === 0) return [];
    const writer = new GeminiWriter(this.head['kind'] === 'subagent');
    for (const slot of this.slots) writer.add(slot.node, slot.line);
    const { draft } = writer;
    for (const { kind, sourceKind, after, label, node, line } of this.marks) draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: after, label, span: spanOf(node, line) });
    const name = firstLine(asString(this.head['summary']) ?? '', 120) || this.context.baseName;
    const parents = Int32Array.from(this.slots, (slot) => slot.parent);
    const rows = Array.from(this.slots.keys());
    return [draft.build({ name, createdMs: timestampMs(this.head['startTime']) }, () => [{ id: MAIN_THREAD, tools: [], ...splitLines(rows, parents, this.tip), countsReasoning: false }])];
  }
}

const NOTICE_EVENTS: Readonly<Record<string, EventKind>> = { info: 'other', warning: 'other', error: 'error' };

class GeminiWriter {
  readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private model: string | undefined;

  constructor(private readonly sidechain: boolean) {}

  add(node: JsonNode, line: number): void {
    const message = asObject(node.value()) ?? {};
    const type = asString(message['type']) ?? asString(message['role']) ?? '';
    const parts = this.pairing.assign(geminiMessageParts(message));
    const time = timestampMs(message['timestamp']);
    const model = asString(message['model']);
    const role = roleOf(type, parts);
    let flags = this.sidechain ? MessageFlag.sidechain : 0;
    if (type in NOTICE_EVENTS) flags |= MessageFlag.synthetic;
    else if (role === 'user' && !this.sidechain) flags |= hasOwnText(parts) && !isInjected(parts) ? MessageFlag.instruction : MessageFlag.meta;
    const row = this.draft.addMessage({ role, flags, timestampMs: time, model: role === 'assistant' ? model : undefined, callKey: role === 'assistant' && !(type in NOTICE_EVENTS) ? asString(message['id']) : undefined }, parts, node, line);
    this.draft.columns.mergeUsage(row, geminiUsage(message['tokens']));
    if (type in NOTICE_EVENTS) this.notice(type, parts, row, time, node, line);
    if (model === undefined) return;
    if (this.model !== undefined && this.model !== model) this.draft.events.push({ kind: 'model-change', sourceKind: 'model', thread: MAIN_THREAD, afterRow: row - 1, timestampMs: time, label: `${this.model} → ${model}`, span: spanOf(node, line) });
    this.model = model;
  }

  private notice(type: string, parts: readonly Part[], row: number, time: number | undefined, node: JsonNode, line: number): void {
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const kind: TraceEvent['kind'] = /\bcancell?ed\b/i.test(text) ? 'interruption' : /compress/i.test(text) && /token/i.test(text) ? 'compaction' : NOTICE_EVENTS[type]!;
    const event: TraceEvent = { kind, sourceKind: type, thread: MAIN_THREAD, afterRow: row, timestampMs: time, label: firstLine(text, 160) || type, span: spanOf(node, line) };
    if (kind === 'compaction') {
      const [before, after] = [...text.matchAll(/\d+/g)].map(Number);
      event.data = { tokensBefore: before ?? null, tokensAfter: after ?? null, trigger: null, summaryRow: null, firstKeptRow: null };
    }
    this.draft.events.push(event);
  }
}

function roleOf(type: string, parts: readonly Part[]): Role {
  if (type === 'user') return parts.length > 0 && parts.every((part) => part.type === 'tool_result') ? 'tool' : 'user';
  return 'assistant';
}

function isInjected(parts: readonly Part[]): boolean {
  const first = parts.find((part) => part.type === 'text');
  return first?.type === 'text' && first.text.trimStart().startsWith('<session_context>');
}
