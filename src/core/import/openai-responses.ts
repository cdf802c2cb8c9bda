import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, ToolSchema, TraceEvent } from '../trace/model';
import { contentParts, hasOwnText, idText, otherPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { isItem, isKnownItem, isOutput, itemParts, responsesUsage } from './responses-items';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * OpenAI Responses (formats.md §10): one response, a request with its response, a bare list of items (array or JSONL),
 * recorded streams, and JSONL of responses, joined where `previous_response_id` names one of them. What one call wrote
 * (reasoning, text, calls, hosted results) is one row with a span an item.
 *
 * countsReasoning: true. Reasoning items are handed back with the next request.
 */
export const openaiResponses: Format = {
  id: 'openai-responses',
  title: 'OpenAI Responses',
  reads: 'parts',
  detect,
  open: (context) => new ResponsesSession(context),
  decode: (records) => records.flatMap(recordParts),
};

function recordParts(record: unknown): Part[] {
  const item = asObject(record);
  return item ? itemParts(item) : typeof record === 'string' ? contentParts(record) : [otherPart('item', record)];
}

function detect(sample: Sample): number {
  if (sample.records.length === 0) return 0;
  const scores = sample.records.map((record): number => {
    if (Array.isArray(record)) return record.length > 0 && record.every((value) => isItem(value) || isPlainMessage(value)) && record.some(isItem) ? 0.93 : 0;
    const object = asObject(record);
    if (!object || 'payload' in object || 'record_type' in object) return 0;
    if (asString(object['type'])?.startsWith('response.') && ('sequence_number' in object || 'response' in object || 'item' in object || 'delta' in object)) return 0.95;
    if (isResponse(object) || isResponse(asObject(object['response'])) || isResponse(asObject(asObject(object['response'])?.['body']))) return 0.96;
    if (isRequest(object) || isRequest(asObject(object['body']) ?? {})) return 0.85;
    return isItem(object) ? 0.85 : 0;
  });
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function isPlainMessage(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && !('type' in object) && typeof object['role'] === 'string' && 'content' in object;
}

function isResponse(object: JsonObject | undefined): boolean {
  return object?.['object'] === 'response' && Array.isArray(object['output']);
}

function isRequest(object: JsonObject): boolean {
  const input = object['input'];
  return typeof object['model'] === 'string' && Array.isArray(input) && input.some(isItem) && input.every((value) => isItem(value) || isPlainMessage(value));
}

class ResponsesSession extends RunListSession<ResponsesRun> {
  /** Items and stream events that stand alone in lines make one run. */
  private loose: ResponsesRun | null = null;
  private readonly runOfResponse = new Map<string, ResponsesRun>();

  constructor(context: FormatContext) {
    super(context, (node, line) => new ResponsesRun(context).addItems(node, line));
  }

  override add(record: SourceRecord): void {
    const { node, line } = record;
    if (node.kind === 'array') {
      if (node.elements(1)[0]?.field('object')) for (const element of node.elements()) this.addObject(element, line);
      else super.add(record);
      return;
    }
    this.addObject(node, line);
  }

  private addObject(node: JsonNode, line: number): void {
    const fields = node.fields();
    const type = asString(valueOf(fields.get('type')));
    if (type?.startsWith('response.')) {
      this.context.count(type);
      this.looseRun().addStreamEvent(type, fields, line);
      return;
    }
    const wrapped = fields.get('response');
    const response = wrapped?.field('body') ?? wrapped ?? (fields.has('output') && fields.has('object') ? node : undefined);
    const request = (fields.get('request') ?? fields.get('body') ?? node).fields();
    if (!response && !request.has('input')) {
      const run = this.looseRun();
      run.addItem(node, node.value(), line);
      return;
    }
    const previous = asString(valueOf(response?.field('previous_response_id') ?? request.get('previous_response_id')));
    let run = previous === undefined ? undefined : this.runOfResponse.get(previous);
    if (!run) this.runs.push((run = new ResponsesRun(this.context)));
    run.addRequest(response && !request.has('input') ? response.fields() : request, line);
    if (response) this.runOfResponse.set(run.addResponse(response.fields(), line), run);
  }

  private looseRun(): ResponsesRun {
    if (!this.loose) this.runs.push((this.loose = new ResponsesRun(this.context)));
    return this.loose;
  }
}

class ResponsesRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private tools: ToolSchema[] = [];
  private model: string | undefined;
  private messages = 0;
  /** The row of the answer being read; −1 = the next item starts one. */
  private open = -1;
  private instructions: string | undefined;
  private streamed = false;

  constructor(private readonly context: FormatContext) {}

  get counts(): Partial<FileCounts> { return { messages: this.messages }; }

  addItems(list: JsonNode, line: number): this {
    for (const element of list.elements()) this.addItem(element, valueOf(element), line);
    return this;
  }

  addRequest(fields: ReadonlyMap<string, JsonNode>, line: number): void {
    this.open = -1;
    this.tools = fields.has('tools') ? toolSchemas(valueOf(fields.get('tools'))) : this.tools;
    this.model ??= asString(valueOf(fields.get('model')));
    const instructions = fields.get('instructions');
    const text = asString(valueOf(instructions));
    if (instructions && text && text !== this.instructions) {
      this.instructions = text;
      this.draft.addMessage({ role: 'system' }, contentParts(text), instructions, line);
    }
    const input = fields.get('input');
    const asked = asString(valueOf(input));
    if (input && asked !== undefined) this.draft.addMessage({ role: 'user', flags: MessageFlag.instruction }, contentParts(asked), input, line);
    else if (input) this.addItems(input, line);
    this.open = -1;
  }

  /** Returns the response's id. */
  addResponse(fields: ReadonlyMap<string, JsonNode>, line: number): string {
    const model = asString(valueOf(fields.get('model')));
    this.model ??= model;
    const time = timestampMs(valueOf(fields.get('created_at')));
    const id = idText(valueOf(fields.get('id')));
    for (const element of this.streamed ? [] : (fields.get('output')?.elements() ?? [])) this.addItem(element, valueOf(element), line, { time, model, id });
    const row = this.open;
    this.open = -1;
    if (row < 0) return id;
    this.draft.columns.mergeUsage(row, responsesUsage(valueOf(fields.get('usage'))));
    if (model) this.draft.columns.setModel(row, model);
    const status = asString(valueOf(fields.get('status')));
    if (status === 'failed' || status === 'incomplete' || status === 'cancelled') {
      const why = asString(asObject(valueOf(fields.get('error')))?.['message']) ?? asString(asObject(valueOf(fields.get('incomplete_details')))?.['reason']);
      this.draft.columns.addFlags(row, MessageFlag.failed);
      this.draft.events.push({ kind: status === 'cancelled' ? 'interruption' : 'error', sourceKind: `status ${status}`, thread: MAIN_THREAD, afterRow: row, label: why ?? `The response is ${status}.` });
    }
    return id;
  }

  /** The last event of a stream repeats the items; those that came as `output_item.done` are not read twice. */
  addStreamEvent(type: string, fields: ReadonlyMap<string, JsonNode>, line: number): void {
    const item = fields.get('item');
    const response = fields.get('response');
    this.model ??= asString(valueOf(response?.field('model')));
    if (type === 'response.output_item.done' && item) {
      this.addItem(item, valueOf(item), line, undefined, false);
      this.streamed = true;
    } else if (response && ['response.completed', 'response.incomplete', 'response.failed'].includes(type)) {
      if (this.tools.length === 0) this.tools = toolSchemas(valueOf(response.field('tools')));
      this.addResponse(response.fields(), line);
      this.streamed = false;
    }
  }

  addItem(node: JsonNode, value: unknown, line: number, call?: { time?: number; model?: string; id: string }, counted = true): void {
    if (value === undefined) {
      this.context.count('unreadable item');
      this.context.unknown('unreadable item');
      return;
    }
    const item = asObject(value) ?? {};
    const type = asString(item['type']) ?? ('role' in item ? 'message' : 'unreadable item');
    if (counted) this.context.count(type);
    if (!isKnownItem(type)) this.context.unknown(type);
    if (type === 'mcp_list_tools') this.tools.push(...toolSchemas(item['tools']));
    const parts = this.pairing.assign(recordParts(value));
    if (type === 'message') this.messages++;
    const role = type === 'message' ? messageRole(item['role']) : isOutput(type) || type === 'mcp_approval_response' ? 'tool' : 'assistant';
    if (role !== 'assistant') {
      this.open = -1;
      const flags = role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
      this.draft.addMessage({ role, flags }, parts, node, line);
      return;
    }
    if (this.open < 0) {
      this.open = this.draft.addMessage({ role, timestampMs: call?.time, model: call?.model, callKey: call?.id || undefined }, parts, node, line);
    } else {
      this.draft.columns.addSpan(this.open, spanOf(node, line));
      this.draft.columns.addParts(this.open, parts);
    }
    if (type === 'compaction' || type === 'compaction_summary') this.addCompaction(node, item, line);
  }

  /** The item stands for everything before it; what it says is encrypted. */
  private addCompaction(node: JsonNode, item: JsonObject, line: number): void {
    const event: TraceEvent = {
      kind: 'compaction', sourceKind: 'compaction', thread: MAIN_THREAD, afterRow: this.open, label: 'The history was compacted into one encrypted item.', span: spanOf(node, line),
      data: { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, encryptedChars: asString(item['encrypted_content'])?.length ?? null },
    };
    this.draft.events.push(event);
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: fallbackName, model: this.model }, (columns) => [linearThread(columns.n, this.tools, true)]);
  }
}

function messageRole(role: unknown): 'system' | 'user' | 'assistant' {
  return role === 'system' || role === 'developer' ? 'system' : role === 'assistant' ? 'assistant' : 'user';
}
