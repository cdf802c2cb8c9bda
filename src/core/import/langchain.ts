import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Thread, TraceEvent } from '../trace/model';
import { hasOwnText, idText } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { langchainMessage, langchainModel, langchainParts, langchainRole, langchainUsage } from './langchain-decode';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';

/**
 * LangChain message lists and LangGraph state and stream dumps (formats.md §12). Of a stream the states (`values`) count:
 * the last version of each message, in the order in which they appeared; chunks are joined by id where no state has the
 * message. A message that leaves the state is a context edit. Namespaces of subgraphs are threads.
 *
 * countsReasoning: false. Chat models are not given reasoning back unless it stands in content blocks.
 */
export const langchain: Format = {
  id: 'langchain',
  title: 'LangChain / LangGraph messages',
  reads: 'parts',
  detect,
  open: (context) => new LangChainSession(context),
  decode: (records) => langchainParts(records),
};

const MODES = new Set(['values', 'updates', 'messages', 'custom', 'debug', 'tasks', 'checkpoints', 'events']);

function detect(sample: Sample): number {
  const scores = sample.records.map((record): number => {
    if (Array.isArray(record)) {
      if (isTuple(record)) return 0.93;
      return record.length === 0 ? 0 : record.every((item) => Array.isArray(item) && isTuple(item)) ? 0.96 : listScore(record);
    }
    const object = asObject(record);
    if (!object) return 0;
    const state = asObject(object['values']);
    const messages = asArray(state?.['messages']) ?? asArray(object['messages']);
    if (messages) return listScore(messages) * (state && ('next' in object || 'config' in object) ? 1 : 0.98);
    return itemScore(object);
  });
  return scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function isTuple(value: readonly unknown[]): boolean {
  const [first, second] = value;
  if (value.length === 2) return typeof first === 'string' && MODES.has(first) && typeof second === 'object';
  return value.length === 3 && Array.isArray(first) && typeof second === 'string' && MODES.has(second);
}

/** Role-style messages are everybody's; one of LangChain's own spellings has to be there. */
function listScore(list: readonly unknown[]): number {
  const scores = list.map((item) => itemScore(asObject(item)));
  const isList = list.length > 0 && list.every((item) => langchainMessage(item) !== undefined);
  return isList ? Math.max(...scores) : 0;
}

function itemScore(object: JsonObject | undefined): number {
  if (!object || 'uuid' in object || 'sessionId' in object || 'message' in object || 'payload' in object) return 0;
  if (object['lc'] === 1 && object['type'] === 'constructor') return langchainMessage(object) ? 0.96 : 0;
  const type = asString(object['type']);
  const isOwn = type === 'human' || type === 'ai' || /^(Human|AI|Tool|System)Message(Chunk)?$/.test(type ?? '');
  const isTool = (type === 'tool' && 'tool_call_id' in object) || (type === 'system' && typeof object['content'] === 'string');
  return isOwn && langchainMessage(object) ? 0.92 : isTool ? 0.5 : 0;
}

interface Entry { node: JsonNode | null; chunks: JsonNode[]; line: number }

/** One line of messages: the main graph, or a subgraph by its namespace. */
interface Lane { id: string; entries: Map<string, Entry>; inState: Set<string>; edits: { after: string | undefined; removed: string[]; node: JsonNode; line: number }[] }

class LangChainSession implements FormatSession {
  private readonly lanes = new Map<string, Lane>();
  private readonly seen = new Set<string>();
  private readonly interrupts: { lane: Lane; after: string | undefined; node: JsonNode; line: number }[] = [];
  private unnamed = 0;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    if (node.kind === 'array') {
      if (isTupleNode(node)) this.addTuple(node, line);
      else for (const element of node.elements()) {
        if (isTupleNode(element)) this.addTuple(element, line);
        else this.addLoose(element, line);
      }
      return;
    }
    const fields = node.fields();
    const list = fields.get('values')?.field('messages') ?? fields.get('messages');
    if (!list) this.addLoose(node, line);
    else for (const message of list.elements()) this.addLoose(message, line);
  }

  private addLoose(node: JsonNode, line: number): void {
    this.context.count('message');
    this.put(this.lane(''), node, line);
  }

  private addTuple(node: JsonNode, line: number): void {
    const parts = node.elements();
    const [namespace, mode, payload] = parts.length === 3 ? [parts[0]!, parts[1]!, parts[2]!] : [undefined, parts[0]!, parts[1]!];
    const kind = asString(valueOf(mode)) ?? 'tuple';
    this.context.count(kind);
    const lane = this.lane((asArray(valueOf(namespace)) ?? []).map(String).join('|'));
    if (kind === 'values') this.addState(lane, payload, line);
    else if (kind === 'messages' && payload.kind === 'array') this.addChunk(lane, payload.elements(1)[0], line);
    else if (kind === 'updates') this.addUpdates(lane, payload, line);
  }

  private lane(namespace: string): Lane {
    let lane = this.lanes.get(namespace);
    if (!lane) this.lanes.set(namespace, (lane = { id: namespace === '' ? MAIN_THREAD : namespace, entries: new Map(), inState: new Set(), edits: [] }));
    return lane;
  }

  private addState(lane: Lane, payload: JsonNode, line: number): void {
    const fields = payload.fields();
    const after = [...lane.entries.keys()].at(-1);
    if (fields.has('__interrupt__')) this.interrupts.push({ lane, after, node: fields.get('__interrupt__')!, line });
    const list = fields.get('messages');
    if (!list) return;
    const now = new Set(list.elements().map((message) => this.put(lane, message, line)));
    const removed = [...lane.inState].filter((id) => !now.has(id));
    if (removed.length > 0) lane.edits.push({ after, removed, node: list, line });
    lane.inState = now;
  }

  /** `{node: {messages: […]}}`: what each node added. A state says the same, later. */
  private addUpdates(lane: Lane, payload: JsonNode, line: number): void {
    for (const [name, update] of payload.fields()) {
      if (name === '__interrupt__') this.interrupts.push({ lane, after: [...lane.entries.keys()].at(-1), node: update, line });
      const messages = update.field('messages');
      for (const message of messages?.kind === 'array' ? messages.elements() : messages ? [messages] : []) this.put(lane, message, line);
    }
  }

  private put(lane: Lane, node: JsonNode, line: number): string {
    const value = valueOf(node);
    const id = idText(langchainMessage(value)?.['id']) || `#${this.unnamed++}`;
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return id;
    }
    this.seen.add(id);
    const entry = lane.entries.get(id);
    if (entry) Object.assign(entry, { node, line, chunks: [] });
    else lane.entries.set(id, { node, chunks: [], line });
    return id;
  }

  private addChunk(lane: Lane, node: JsonNode | undefined, line: number): void {
    const message = langchainMessage(valueOf(node));
    if (!node || !message) return;
    const id = idText(message['id']) || `#${this.unnamed++}`;
    this.seen.add(id);
    const entry = lane.entries.get(id);
    if (!entry) lane.entries.set(id, { node: null, chunks: [node], line });
    else if (!entry.node) entry.chunks.push(node);
  }

  counts(): Partial<FileCounts> { return { messages: this.seen.size }; }

  build(): TrajectoryDraft[] {
    const draft = new DraftWriter();
    const pairing = new OrderPairing();
    const lanes = [...this.lanes.values()].filter((lane) => lane.entries.size > 0);
    const rows = new Map<Lane, Map<string, number>>();
    for (const lane of lanes) {
      const own = new Map<string, number>();
      rows.set(lane, own);
      for (const [id, entry] of lane.entries) {
        // A provider may change the id of a message while it is streamed and leave an empty piece behind.
        if (!entry.node && lane.inState.size > 0 && langchainParts(entry.chunks.map(valueOf)).length === 0) continue;
        own.set(id, addRow(draft, pairing, entry));
      }
      draft.events.push(...laneEvents(lane, own));
    }
    for (const { lane, after, node, line } of this.interrupts) {
      draft.events.push({ kind: 'interruption', sourceKind: '__interrupt__', thread: lane.id, afterRow: (after === undefined ? undefined : rows.get(lane)?.get(after)) ?? -1, label: 'The graph waited for a person.', span: spanOf(node, line) });
    }
    return [draft.build({ name: this.context.baseName }, () => lanes.map((lane): Thread => ({
      id: lane.id, tools: [], main: Uint32Array.from(rows.get(lane)!.values()), branches: [], countsReasoning: false,
      ...(lane.id === MAIN_THREAD || lanes[0]!.id !== MAIN_THREAD ? {} : { parentThread: MAIN_THREAD, title: lane.id.split('|').at(-1)!.replace(/:.*$/, '') }),
    })))];
  }
}

function isTupleNode(node: JsonNode): boolean {
  const elements = node.elements(4);
  if (elements.length !== 2 && elements.length !== 3) return false;
  const mode = elements[elements.length - 2]!;
  return mode.kind === 'string' && MODES.has(asString(valueOf(mode)) ?? '') && (elements.length === 2 || elements[0]!.kind === 'array');
}

function addRow(draft: DraftWriter, pairing: OrderPairing, entry: Entry): number {
  const nodes = entry.node ? [entry.node] : entry.chunks;
  const values = nodes.map(valueOf);
  const messages = values.map((value) => langchainMessage(value) ?? {});
  const role = langchainRole(messages[0] ?? {}) ?? 'user';
  const parts: Part[] = pairing.assign(langchainParts(values));
  const flags = role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
  const model = messages.map(langchainModel).find((name) => name !== undefined);
  const row = draft.columns.addRow({ role, flags, model: role === 'assistant' ? model : undefined });
  for (const node of nodes) draft.columns.addSpan(row, spanOf(node, entry.line));
  draft.columns.addParts(row, parts);
  if (role === 'assistant') for (const message of messages) draft.columns.mergeUsage(row, langchainUsage(message));
  return row;
}

function laneEvents(lane: Lane, rows: ReadonlyMap<string, number>): TraceEvent[] {
  return lane.edits.map(({ after, removed, node, line }) => {
    const gone = removed.flatMap((id) => rows.get(id) ?? []);
    return {
      kind: 'context-edit', sourceKind: 'values', thread: lane.id, afterRow: (after === undefined ? undefined : rows.get(after)) ?? -1, span: spanOf(node, line),
      label: `${removed.length} message${removed.length === 1 ? '' : 's'} left the state.`,
      data: { tokensBefore: null, tokensAfter: null, removedMessages: removed.length, removedRows: gone.join(',') },
    };
  });
}
