import { asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, TraceEvent } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { openaiUsage } from './openai-decode';
import { sampledObjects, share } from './sampling';
import { typedRecord } from './typed-record';

/**
 * What `codex exec --json` prints (formats.md §2; openai/codex codex-rs/exec/src/exec_events.rs): items of turns. An item
 * counts once, in its last state; a tool item is a call and, when it has ended, its result. Which model call wrote an
 * item is not said: what stands between two results is taken as one. Usage is that of the turn, at its last answer.
 * The prompt is not printed.
 *
 * countsReasoning: true, as for rollouts.
 */
export const codexExec: Format = {
  id: 'codex-exec',
  title: 'Codex exec events',
  reads: 'whole',
  detect,
  open: (context) => new CodexExecSession(context),
  decode: (records, facts) => records.flatMap((record) => {
    const item = asObject(asObject(record)?.['item']) ?? {};
    return facts.role === 'tool' ? resultParts(item) : callParts(item);
  }),
};

const EVENT_TYPE = /^(thread\.started|turn\.(started|completed|failed)|item\.(started|updated|completed))$/;

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const fits = share(objects, (object) => EVENT_TYPE.test(asString(object['type']) ?? '') && !('payload' in object));
  const own = objects.some((object) => 'thread_id' in object || asObject(object['item']) !== undefined || 'usage' in object);
  return fits > 0.5 && own ? 0.96 : 0;
}

const TOOL_NAMES: Readonly<Record<string, string>> = { command_execution: 'shell', file_change: 'apply_patch', mcp_tool_call: '', web_search: 'web_search', collab_tool_call: '', todo_list: 'update_plan' };
const TEXT_TYPES = new Set(['agent_message', 'assistant_message', 'plan', 'reasoning']);

function itemType(item: JsonObject): string { return asString(item['type']) ?? asString(item['item_type']) ?? 'item without type'; }
function isTool(type: string): boolean { return Object.hasOwn(TOOL_NAMES, type); }

function callParts(item: JsonObject): Part[] {
  const type = itemType(item);
  if (type === 'reasoning') return [reasoningPart(item['text'])];
  if (TEXT_TYPES.has(type)) return [textPart(asString(item['text']) ?? '')];
  if (!isTool(type)) return [otherPart(type, item)];
  return [toolCall(item['id'], TOOL_NAMES[type] || toolName(type, item), callArgs(type, item))];
}

function toolName(type: string, item: JsonObject): string {
  const name = asString(item['tool']) ?? type;
  const server = asString(item['server']);
  return server === undefined ? name : `${server}.${name}`;
}

function callArgs(type: string, item: JsonObject): unknown {
  switch (type) {
    case 'command_execution': return { command: item['command'] };
    case 'file_change': return { changes: item['changes'] };
    case 'web_search': return { query: item['query'], ...(item['action'] === undefined ? {} : { action: item['action'] }) };
    case 'todo_list': return { items: item['items'] };
    case 'collab_tool_call': return { prompt: item['prompt'], receivers: item['receiver_thread_ids'] };
    default: return item['arguments'] ?? {};
  }
}

/** Searches and plans are answered by nothing that is printed. */
function resultParts(item: JsonObject): Part[] {
  const type = itemType(item);
  const exitCode = asNumber(item['exit_code']);
  const failed = item['status'] === 'failed' || item['status'] === 'declined' || (exitCode !== undefined && exitCode !== 0);
  return [{ type: 'tool_result', callId: idText(item['id']), toolName: TOOL_NAMES[type] || toolName(type, item), content: resultContent(type, item), ...(failed ? { isError: true } : {}), ...(exitCode === undefined ? {} : { exitCode }) }];
}

function resultContent(type: string, item: JsonObject): ContentPart[] {
  if (type === 'command_execution') return contentParts(item['aggregated_output']);
  const error = asString(asObject(item['error'])?.['message']);
  if (error !== undefined) return [textPart(error)];
  const result = asObject(item['result']);
  if (result) return Array.isArray(result['content']) ? contentParts(result['content']) : [textPart(stringifyJson(result))];
  if (type === 'collab_tool_call') return [textPart(stringifyJson(item['agents_states'] ?? {}))];
  return contentParts(item['status']);
}

/** −1 = no item of it has been met yet. */
interface Answer { row: number }

const ENDED = new Set(['completed', 'failed', 'declined']);

class CodexExecSession implements FormatSession {
  private readonly draft = new DraftWriter();
  /** Answer of each call that has no result yet, by item. */
  private readonly running = new Map<string, Answer>();
  private readonly ended = new Set<string>();
  /** The last state of lists that are not completed. */
  private readonly lists = new Map<string, { record: SourceRecord; item: JsonObject }>();
  /** What is being read. Items that started before its first result came are of the same answer. */
  private answer: Answer = { row: -1 };
  private lastRow = -1;
  private threadId: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const item = asObject(object['item']);
    if (type.startsWith('item.') && item) this.addItem(record, type === 'item.completed', item);
    else this.addEvent(record, type, object);
  }

  private addItem(record: SourceRecord, completed: boolean, item: JsonObject): void {
    const id = idText(item['id']);
    const type = itemType(item);
    if (id !== '' && this.ended.has(id)) return;
    const ended = completed || ENDED.has(asString(item['status']) ?? '');
    if (ended) this.ended.add(id);
    if (type === 'todo_list' && !ended) this.lists.set(id, { record, item });
    else if (isTool(type)) this.addTool(record, item, id, ended);
    else if (ended && type === 'error') this.event('error', 'error', asString(item['message']) ?? 'error', record);
    else if (ended) {
      if (!TEXT_TYPES.has(type)) this.context.unknown(`item ${type}`);
      this.addToAnswer(record, item, this.answer);
    }
  }

  private addTool(record: SourceRecord, item: JsonObject, id: string, ended: boolean): void {
    const type = itemType(item);
    let answer = this.running.get(id);
    if (!answer) {
      answer = this.answer;
      this.addToAnswer(record, item, answer);
      this.running.set(id, answer);
    }
    if (!ended) return;
    this.running.delete(id);
    this.lists.delete(id);
    if (type === 'todo_list' || (type === 'web_search' && item['result'] === undefined)) return;
    this.draft.addMessage({ role: 'tool' }, resultParts(item), record.node, record.line);
    if (answer === this.answer) this.answer = { row: -1 };
  }

  private addToAnswer({ node, line }: SourceRecord, item: JsonObject, answer: Answer): void {
    const { columns } = this.draft;
    if (answer.row < 0) answer.row = columns.addRow({ role: 'assistant' });
    columns.addSpan(answer.row, spanOf(node, line));
    columns.addParts(answer.row, callParts(item));
    this.lastRow = answer.row;
  }

  private addEvent(record: SourceRecord, type: string, object: JsonObject): void {
    if (type === 'thread.started') this.threadId = asString(object['thread_id']);
    else if (type === 'turn.completed') this.endTurn(object['usage']);
    else if (type === 'turn.failed' || type === 'error') {
      this.endTurn(undefined);
      if (this.lastRow >= 0) this.draft.columns.addFlags(this.lastRow, MessageFlag.failed);
      this.event('error', type, asString(asObject(object['error'])?.['message']) ?? asString(object['message']) ?? type, record);
    } else if (type !== 'turn.started') {
      this.context.unknown(type);
      this.event('other', type, type, record);
    }
  }

  private endTurn(usage: unknown): void {
    this.flush();
    const facts = asObject(usage);
    if (facts && this.lastRow >= 0) this.draft.columns.mergeUsage(this.lastRow, openaiUsage({ ...facts, input_tokens_details: { cached_tokens: facts['cached_input_tokens'] }, output_tokens_details: { reasoning_tokens: facts['reasoning_output_tokens'] } }));
    this.answer = { row: -1 };
  }

  /** Lists are rarely completed: their last state counts. */
  private flush(): void {
    for (const { record, item } of this.lists.values()) this.addToAnswer(record, item, this.answer);
    this.lists.clear();
  }

  private event(kind: TraceEvent['kind'], sourceKind: string, label: string, { node, line }: SourceRecord): void {
    this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: firstLine(label, 160), span: spanOf(node, line) });
  }

  build(): TrajectoryDraft[] {
    this.flush();
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0 && this.threadId === undefined) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], true)])];
  }
}
