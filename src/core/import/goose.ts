import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { locate, smallValue } from './located';
import { sampledObjects, share } from './sampling';

/**
 * `goose session export --format json`, and the JSONL sessions before its SQLite store (formats.md §17). Only totals are
 * recorded. A compaction hides earlier messages from the model (`agentVisible: false`) and adds a summary that only the
 * model sees.
 *
 * countsReasoning: true. Thinking blocks keep their signatures and go back.
 */
export const goose: Format = {
  id: 'goose',
  title: 'Goose session',
  reads: 'parts',
  detect,
  open: (context) => new GooseSession(context),
  decode: (records) => records.flatMap(messageParts),
};

const OWN_BLOCKS = new Set(['toolRequest', 'toolResponse', 'toolConfirmationRequest', 'frontendToolRequest', 'systemNotification', 'redactedThinking', 'summarizationRequested', 'contextLengthExceeded']);

function isMessage(value: unknown): boolean {
  const object = asObject(value);
  return (object?.['role'] === 'user' || object?.['role'] === 'assistant') && Array.isArray(object['content']) && ('created' in object || hasOwnBlock(object));
}

function hasOwnBlock(message: JsonObject): boolean {
  return (asArray(message['content']) ?? []).some((block) => OWN_BLOCKS.has(asString(asObject(block)?.['type']) ?? ''));
}

function detect(sample: Sample): number {
  const objects = sampledObjects(sample);
  const head = objects[0];
  if (!head) return 0;
  const list = asArray(head['conversation']);
  if (list) return 'working_dir' in head ? 0.96 : list.length > 0 && list.every(isMessage) ? 0.9 : 0;
  const messages = share(objects, isMessage);
  if ('working_dir' in head && !('role' in head) && !('type' in head)) return messages > 0 || objects.length === 1 ? 0.95 : 0.6;
  return messages > 0.8 && objects.some(hasOwnBlock) ? 0.9 : 0;
}

function messageParts(record: unknown): Part[] {
  return (asArray(asObject(record)?.['content']) ?? []).map(blockPart);
}

function blockPart(value: unknown): Part {
  const block = asObject(value);
  const type = asString(block?.['type']);
  if (!block || type === undefined) return otherPart('block', value);
  if (type === 'thinking') return reasoningPart(block['thinking']);
  if (type === 'redactedThinking') return reasoningPart('', true);
  if (type === 'toolRequest' || type === 'frontendToolRequest') {
    const call = asObject(block['toolCall']);
    const inner = asObject(call?.['value']) ?? {};
    // A call that could not be parsed has an error in place of a name.
    return toolCall(block['id'], inner['name'] ?? '', inner['arguments'] ?? call?.['error']);
  }
  if (type !== 'toolResponse') return contentParts([block])[0]!;
  const result = asObject(block['toolResult']) ?? {};
  const body = asObject(result['value']);
  const failed = result['status'] === 'error' || body?.['isError'] === true || body?.['is_error'] === true;
  const content: ContentPart[] = result['status'] === 'error' ? [textPart(asString(result['error']) ?? '')] : contentParts(body && 'content' in body ? body['content'] : result['value']);
  return { type: 'tool_result', callId: idText(block['id']), content, ...(failed ? { isError: true } : {}) };
}

class GooseSession implements FormatSession {
  private readonly runs: GooseRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const list = fields.get('conversation');
    if (list) {
      const run = this.start(fields, 'conversation');
      for (const element of list.elements()) {
        this.context.count('message');
        run.addMessage(element, line);
      }
    } else if (fields.has('role')) {
      this.context.count('message');
      (this.runs[0] ?? this.start(new Map(), '')).addMessage(node, line);
    } else {
      this.context.count('header');
      this.start(fields, '');
    }
  }

  private start(fields: ReadonlyMap<string, JsonNode>, skipped: string): GooseRun {
    const head: Record<string, unknown> = {};
    for (const [name, field] of fields) if (name !== skipped) head[name] = smallValue(field);
    const run = new GooseRun(this.context, head);
    this.runs.push(run);
    return run;
  }

  build(): TrajectoryDraft[] { return this.runs.flatMap((run) => run.build(this.context.baseName)); }
}

class GooseRun {
  private readonly draft = new DraftWriter();
  private hidden = false;

  constructor(private readonly context: FormatContext, private readonly head: JsonObject) {}

  addMessage(node: JsonNode, line: number): void {
    const message = locate(node, line, this.context, 'message')?.value;
    if (!message) return;
    const parts = messageParts(message);
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const role: Role = message['role'] === 'assistant' ? 'assistant' : isResult ? 'tool' : 'user';
    const visible = asObject(message['metadata']);
    const time = timestampMs(message['created']);
    const isSummary = this.hidden && visible?.['userVisible'] === false && visible['agentVisible'] !== false;
    const hasText = parts.some((part) => part.type === 'text');
    const flags = isSummary ? MessageFlag.compactSummary : role !== 'user' ? 0 : hasText && visible?.['userVisible'] !== false ? MessageFlag.instruction : MessageFlag.meta;
    const row = this.draft.addMessage({ role, flags, timestampMs: time, callKey: role === 'assistant' ? asString(message['id']) : undefined }, parts, node, line);
    if (isSummary) {
      const data = { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: row, firstKeptRow: null };
      this.draft.events.push({ kind: 'compaction', sourceKind: 'agentVisible', thread: MAIN_THREAD, afterRow: row - 1, timestampMs: time, label: 'Earlier messages hidden from the model', data, span: spanOf(node, line) });
    }
    this.hidden = visible?.['agentVisible'] === false;
    for (const part of parts) if (part.type === 'other' && !OWN_BLOCKS.has(part.kind)) this.context.unknown(`block ${part.kind}`);
  }

  build(fallbackName: string): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    const name = firstLine(asString(this.head['name']) ?? asString(this.head['description']) ?? '', 120) || fallbackName;
    const draft = this.draft.build({ name, createdMs: timestampMs(this.head['created_at']), model: asString(asObject(this.head['model_config'])?.['model_name']) }, (columns) => [linearThread(columns.n, [], true)]);
    return [{ ...draft, usage: { ...draft.usage, ...this.totals() } }];
  }

  /** Sums over all calls where there are any, else those of the last call. */
  private totals(): Partial<Usage> {
    const total = (name: string): number | null => asNumber(this.head[`accumulated_${name}`]) ?? asNumber(this.head[name]) ?? null;
    return { input: total('input_tokens'), output: total('output_tokens') };
  }
}
