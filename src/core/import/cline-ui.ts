import { asArray, asNumber, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, EventKind, Part, Role, TraceEvent, Usage } from '../trace/model';
import { imageFromUrl, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { locate } from './located';

/**
 * `ui_messages.json` of Cline, Roo and Kilo (formats.md §17): what the panel showed. `api_req_started` opens an answer and
 * holds its usage; outputs of commands and servers answer the last call. Results of file tools are not recorded here.
 *
 * countsReasoning: false. The panel's log is not what was sent.
 */
export const clineUi: Format = {
  id: 'cline-ui',
  title: 'Cline / Roo panel log',
  reads: 'parts',
  detect,
  open: (context) => new PanelSession(context),
  decode: (records, { role }) => entryParts(records, role),
};

function detect(sample: Sample): number {
  const list = sample.records[0];
  if (sample.records.length !== 1 || !Array.isArray(list) || list.length === 0) return 0;
  const fits = list.every((item) => {
    const object = asObject(item);
    return typeof object?.['ts'] === 'number' && (object['type'] === 'ask' || object['type'] === 'say');
  });
  return fits ? 0.97 : 0;
}

const kindOf = (entry: JsonObject): string => asString(entry[entry['type'] === 'ask' ? 'ask' : 'say']) ?? '';
const ANSWER_TEXT = new Set(['text', 'completion_result', 'plan_mode_respond', 'followup', 'new_task']);
const CALLS = new Set(['tool', 'command', 'use_mcp_server', 'browser_action', 'browser_action_launch']);
const OUTPUTS = new Set(['command_output', 'mcp_server_response', 'browser_action_result']);
const USER = new Set(['task', 'user_feedback', 'user_feedback_diff']);
const EVENT_OF: Readonly<Record<string, EventKind>> = {
  error: 'error', api_req_failed: 'error', mistake_limit_reached: 'error', diff_error: 'error', api_req_retried: 'retry', api_req_retry_delayed: 'retry', error_retry: 'retry', checkpoint_saved: 'checkpoint', checkpoint_created: 'checkpoint',
  condense_context: 'compaction', sliding_window_truncation: 'context-edit',
};
const SILENT = new Set(['api_req_finished', 'mcp_server_request_started', 'task_progress', 'resume_task', 'resume_completed_task', 'shell_integration_warning', 'subtask_result', 'codebase_search_result', 'user_edit_todos']);

function jsonOf(text: string): JsonObject | undefined {
  try {
    return asObject(parseJson(text));
  } catch {
    return undefined;
  }
}

/** A tool row is one result, however many pieces of output were shown. */
function entryParts(records: readonly unknown[], role: Role): Part[] {
  if (role !== 'tool') return records.flatMap((record) => entryPart(asObject(record) ?? {}));
  return [{ type: 'tool_result', callId: '', content: records.flatMap((record) => shown(asObject(record) ?? {})) }];
}

function shown(entry: JsonObject): ContentPart[] {
  const text = asString(entry['text']) ?? '';
  return [...(text === '' ? [] : [textPart(text)]), ...(asArray(entry['images']) ?? []).map((url) => imageFromUrl(asString(url) ?? '', 'image'))];
}

function entryPart(entry: JsonObject): Part[] {
  const kind = kindOf(entry);
  const text = asString(entry['text']) ?? '';
  if (kind === 'api_req_started') return [];
  if (kind === 'reasoning') return [reasoningPart(text !== '' ? text : entry['reasoning'])];
  if (kind === 'command') return [toolCall('', 'execute_command', text)];
  if (CALLS.has(kind)) {
    const call = jsonOf(text);
    return [toolCall('', asString(call?.['tool']) ?? asString(call?.['toolName']) ?? asString(call?.['action']) ?? kind, text)];
  }
  if (kind === 'followup' || kind === 'plan_mode_respond') {
    const asked = jsonOf(text);
    return [textPart(asString(asked?.['question']) ?? asString(asked?.['response']) ?? text)];
  }
  return ANSWER_TEXT.has(kind) || USER.has(kind) ? shown(entry) : [otherPart(kind, entry)];
}

class PanelSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private answer = -1;
  private result = -1;
  private lastCall = '';
  private calls = 0;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    for (const element of node.kind === 'array' ? node.elements() : [node]) this.addEntry(element, line);
  }

  private addEntry(node: JsonNode, line: number): void {
    const entry = locate(node, line, this.context, 'entry')?.value;
    if (!entry) return this.context.count('unreadable entry');
    const kind = kindOf(entry);
    this.context.count(`${asString(entry['type']) ?? 'entry'} ${kind}`);
    const time = timestampMs(entry['ts']);
    const isTask = kind === 'text' && this.draft.columns.rowCount === 0;
    if (isTask || USER.has(kind)) {
      this.answer = this.result = -1;
      this.draft.addMessage({ role: 'user', flags: MessageFlag.instruction, timestampMs: time }, entryParts([entry], 'user'), node, line);
    } else if (kind === 'api_req_started') this.addRequest(entry, node, line, time);
    else if (OUTPUTS.has(kind)) this.addOutput(entry, node, line, time);
    else if (ANSWER_TEXT.has(kind) || CALLS.has(kind) || kind === 'reasoning') this.addToAnswer(entry, node, line, time);
    else if (kind in EVENT_OF) this.addEvent(entry, kind, node, line, time);
    else if (!SILENT.has(kind)) this.context.unknown(kind);
  }

  private addRequest(entry: JsonObject, node: JsonNode, line: number, time: number | undefined): void {
    const facts = jsonOf(asString(entry['text']) ?? '') ?? {};
    const cancelled = asString(facts['cancelReason']);
    this.result = -1;
    this.answer = this.draft.addMessage({ role: 'assistant', flags: cancelled === undefined ? 0 : MessageFlag.failed, timestampMs: time }, [], node, line);
    const usage: Partial<Usage> = { input: asNumber(facts['tokensIn']), output: asNumber(facts['tokensOut']), cacheWrite: asNumber(facts['cacheWrites']), cachedInput: asNumber(facts['cacheReads']) };
    this.draft.columns.mergeUsage(this.answer, usage);
    if (cancelled !== undefined) this.push(cancelled === 'user_cancelled' ? 'interruption' : 'error', 'cancelReason', cancelled.replaceAll('_', ' '), node, line, time);
  }

  private addToAnswer(entry: JsonObject, node: JsonNode, line: number, time: number | undefined): void {
    const { columns } = this.draft;
    const parts = entryPart(entry).map((part) => (part.type === 'tool_call' ? { ...part, id: (this.lastCall = `ui-${++this.calls}`) } : part));
    // An approval that was asked for with nothing in it.
    if (parts.length === 0) return;
    if (this.answer < 0) this.answer = columns.addRow({ role: 'assistant', timestampMs: time });
    columns.addSpan(this.answer, spanOf(node, line));
    columns.addParts(this.answer, parts);
  }

  private addOutput(entry: JsonObject, node: JsonNode, line: number, time: number | undefined): void {
    const { columns } = this.draft;
    const content = shown(entry);
    if (content.length === 0) return;
    if (this.result >= 0) {
      columns.addSpan(this.result, spanOf(node, line));
      columns.addParts(this.result, content);
      return;
    }
    this.result = this.draft.addMessage({ role: 'tool', timestampMs: time }, [{ type: 'tool_result', callId: this.lastCall, content }], node, line);
    this.lastCall = '';
    this.answer = -1;
  }

  private addEvent(entry: JsonObject, kind: string, node: JsonNode, line: number, time: number | undefined): void {
    const text = asString(entry['text']) ?? '';
    const event = this.push(EVENT_OF[kind]!, kind, firstLine(text, 160) || kind.replaceAll('_', ' '), node, line, time);
    const condensed = asObject(entry['contextCondense']) ?? asObject(entry['contextTruncation']);
    if (event.kind === 'compaction') {
      event.label = 'Conversation condensed';
      event.data = { tokensBefore: asNumber(condensed?.['prevContextTokens']) ?? null, tokensAfter: asNumber(condensed?.['newContextTokens']) ?? null, trigger: null, summaryRow: null, firstKeptRow: null, summary: asString(condensed?.['summary']) ?? null };
    } else if (event.kind === 'context-edit') event.data = { tokensBefore: asNumber(condensed?.['prevContextTokens']) ?? null, tokensAfter: asNumber(condensed?.['newContextTokens']) ?? null, messagesRemoved: asNumber(condensed?.['messagesRemoved']) ?? null };
  }

  private push(kind: EventKind, sourceKind: string, label: string, node: JsonNode, line: number, time: number | undefined): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: time, label, span: spanOf(node, line) };
    this.draft.events.push(event);
    return event;
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
