import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, TraceEvent } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * VS Code's *Chat: Export Chat…* and its `chatSessions/*.json` (formats.md §18; microsoft/vscode
 * src/vs/workbench/contrib/chat/common/model/chatModel.ts), also of its forks and Positron. The tool call rounds of a
 * request's result are what the model wrote, a row each, with the results by call id; where there are none, the response as it was shown:
 * texts and tool invocations in turn. A round that carries a summary was preceded by a compaction.
 *
 * countsReasoning: false. The thinking of earlier rounds is not recorded as sent.
 */
export const copilotChatExport: Format = {
  id: 'copilot-chat-export',
  title: 'VS Code chat export',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new ChatExportRun(context, node, line), elementsOrSelf),
  decode: (records, facts) => records.flatMap((record) => (facts.role === 'tool' ? resultParts(record) : recordParts(record))),
};

function isRequest(value: unknown): boolean {
  const object = asObject(value);
  const message = asObject(object?.['message']);
  return object !== undefined && (typeof object['message'] === 'string' || typeof message?.['text'] === 'string' || Array.isArray(message?.['parts'])) && ('response' in object || 'requestId' in object);
}

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => asArray(record) ?? [record]).map(asObject);
  const scores = objects.map((object): number => {
    const requests = asArray(object?.['requests']);
    if (!object || !requests) return 0;
    const isMarked = 'requesterUsername' in object || 'responderUsername' in object || 'initialLocation' in object || ('sessionId' in object && 'creationDate' in object);
    return isMarked && (requests.length === 0 || requests.some(isRequest)) ? 0.97 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

/** A message, a round, or an item of a shown response. */
function recordParts(record: unknown): Part[] {
  const object = asObject(record);
  if (!object) return contentParts(record);
  if (Array.isArray(object['toolCalls']) || ('response' in object && 'id' in object)) return roundParts(object);
  if (typeof object['text'] === 'string' && !('kind' in object)) return contentParts(object['text']);
  return itemParts(object);
}

function roundParts(round: JsonObject): Part[] {
  const thinking = asObject(round['thinking']);
  const thought = asString(thinking?.['text']) ?? (asArray(thinking?.['text']) ?? []).filter((text) => typeof text === 'string').join('\n');
  const calls = (asArray(round['toolCalls']) ?? []).map((value) => toolCall(asObject(value)?.['id'], asObject(value)?.['name'], asObject(value)?.['arguments'] ?? ''));
  const text = asString(round['response']) ?? '';
  return [...(thought === '' ? [] : [reasoningPart(thought)]), ...(text === '' ? [] : [textPart(text)]), ...calls];
}

/** Marks of the view, without words of the model. */
const SILENT_ITEMS = new Set(['prepareToolInvocation', 'undoStop', 'codeblockUri', 'mcpServersStarting', 'progressMessage', 'progressTask', 'progressTaskSerialized', 'confirmation', 'elicitation', 'elicitationSerialized', 'command', 'codeCitation', 'references', 'markdownVuln', 'multiDiffData', 'clearToPreviousToolInvocation', 'warning']);

function itemParts(item: JsonObject): Part[] {
  const kind = asString(item['kind']);
  const value = asString(item['value']) ?? asString(asObject(item['value'])?.['value']) ?? asString(asObject(item['content'])?.['value']);
  if (kind === undefined || kind === 'markdownContent') return value === undefined ? [otherPart('response', item)] : [textPart(value)];
  if (kind === 'thinking') return [reasoningPart(value)];
  if (kind === 'toolInvocationSerialized' || kind === 'toolInvocation') return [toolCall(item['toolCallId'], item['toolId'], invocationArgs(item))];
  if (kind === 'inlineReference') return [textPart(referenceName(item))];
  return SILENT_ITEMS.has(kind) ? [] : [otherPart(kind, item)];
}

function messageText(value: unknown): string | undefined {
  return asString(value) ?? asString(asObject(value)?.['value']);
}

/** What is shown of a call: the arguments themselves are not in the response. */
function invocationArgs(item: JsonObject): unknown {
  const data = asObject(item['toolSpecificData']);
  const command = asString(data?.['command']) ?? asString(asObject(data?.['commandLine'])?.['original']);
  const input = data?.['rawInput'] ?? asObject(item['resultDetails'])?.['input'];
  const message = messageText(item['invocationMessage']);
  return input ?? { ...(command === undefined ? {} : { command }), ...(message === undefined ? {} : { message }) };
}

function referenceName(item: JsonObject): string {
  const reference = asObject(item['inlineReference']);
  return asString(item['name']) ?? asString(reference?.['name']) ?? asString(reference?.['path']) ?? asString(asObject(reference?.['location'])?.['path']) ?? '';
}

/** A result by call id `{content}`, or an invocation as it was shown. */
function resultParts(record: unknown): Part[] {
  const object = asObject(record) ?? {};
  if (object['kind'] !== 'toolInvocationSerialized' && object['kind'] !== 'toolInvocation') return [{ type: 'tool_result', callId: '', content: (asArray(object['content']) ?? []).flatMap(resultContent) }];
  const details = asObject(object['resultDetails']);
  const output = (asArray(details?.['output']) ?? []).flatMap((value): ContentPart[] => contentParts(asString(asObject(value)?.['value']) ?? value));
  const past = messageText(object['pastTenseMessage']);
  return [{ type: 'tool_result', callId: idText(object['toolCallId']), content: output.length > 0 ? output : past === undefined ? [] : [textPart(past)], ...(details?.['isError'] === true ? { isError: true } : {}) }];
}

/** Text, or a tree of prompt elements whose leaves are texts. */
function resultContent(value: unknown): ContentPart[] {
  const item = asObject(value);
  const inner = item?.['value'];
  if (typeof inner === 'string') return [textPart(inner)];
  const texts: string[] = [];
  const stack: unknown[] = [asObject(inner)?.['node'] ?? inner];
  for (let node = stack.pop(), steps = 0; node !== undefined && steps < MAX_TREE_NODES; node = stack.pop(), steps++) {
    const object = asObject(node);
    const text = asString(object?.['text']);
    if (text !== undefined) texts.push(text);
    stack.push(...(asArray(object?.['children']) ?? []).slice().reverse());
  }
  return texts.length > 0 ? [textPart(texts.join(''))] : [otherPart('tool result', value)];
}

/** Prompt elements of one result that are looked at. */
const MAX_TREE_NODES = 100_000;

class ChatExportRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private title: string;
  private readonly createdMs: number | undefined;
  private answers = 0;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    this.title = asString(valueOf(fields.get('customTitle'))) ?? '';
    this.createdMs = timestampMs(valueOf(fields.get('creationDate')));
    for (const request of fields.get('requests')?.elements() ?? []) this.addRequest(request);
  }

  private addRequest(node: JsonNode): void {
    const fields = node.fields();
    const message = fields.get('message');
    this.context.count('request');
    if (!message || valueOf(message) === undefined) {
      this.context.unknown('request without message');
      return;
    }
    const time = timestampMs(valueOf(fields.get('timestamp')));
    const parts = recordParts(valueOf(message));
    if (!this.title) this.title = firstLine(parts[0]?.type === 'text' ? parts[0].text : '', 80);
    this.draft.addMessage({ role: 'user', flags: MessageFlag.instruction, timestampMs: time }, parts, message, this.line);
    const result = fields.get('result')?.fields();
    const metadata = result?.get('metadata')?.fields();
    const model = asString(valueOf(metadata?.get('resolvedModel'))) ?? asString(valueOf(fields.get('modelId')));
    const rounds = metadata?.get('toolCallRounds')?.elements() ?? [];
    const first = this.draft.columns.rowCount;
    if (rounds.length > 0) this.addRounds(rounds, metadata!.get('toolCallResults'), model, time);
    else this.addShown(fields.get('response')?.elements() ?? [], model, time);
    this.addUsage(metadata, first);
    this.addEvents(node, fields, result, time);
  }

  private addRounds(rounds: readonly JsonNode[], results: JsonNode | undefined, model: string | undefined, time: number | undefined): void {
    const byId = results?.fields();
    for (const round of rounds) {
      const value = asObject(valueOf(round));
      if (!value) {
        this.context.unknown('unreadable round');
        continue;
      }
      const summary = messageText(value['summary']) ?? asString(asObject(value['summary'])?.['text']);
      if (summary !== undefined) this.event(round, 'compaction', 'summary', 'The conversation was summarised', time, { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary });
      const parts = roundParts(value);
      this.answers = this.draft.addMessage({ role: 'assistant', model, timestampMs: timestampMs(value['timestamp']) ?? time, callKey: asString(value['id']) }, parts, round, this.line);
      for (const part of parts) {
        const node = part.type === 'tool_call' ? byId?.get(part.id) : undefined;
        if (node && part.type === 'tool_call' && valueOf(node) !== undefined) this.draft.addMessage({ role: 'tool', timestampMs: time }, resultParts(valueOf(node)).map((piece): Part => (piece.type === 'tool_result' ? { ...piece, callId: part.id } : piece)), node, this.line);
      }
    }
  }

  /** Texts up to a tool invocation are one answer; an invocation that has ended is its own result. */
  private addShown(items: readonly JsonNode[], model: string | undefined, time: number | undefined): void {
    const { columns } = this.draft;
    let open = -1;
    for (const item of items) {
      const value = asObject(valueOf(item));
      if (!value) {
        this.context.unknown('unreadable response');
        continue;
      }
      const kind = asString(value['kind']);
      const parts = itemParts(value);
      if (parts.length === 0) continue;
      if (parts.some((part) => part.type === 'other')) this.context.unknown(`response ${kind ?? 'without value'}`);
      if (open < 0) this.answers = open = columns.addRow({ role: 'assistant', model, timestampMs: time });
      columns.addSpan(open, spanOf(item, this.line));
      columns.addParts(open, parts);
      if (parts[0]?.type !== 'tool_call' || value['isComplete'] === false) continue;
      this.draft.addMessage({ role: 'tool', timestampMs: time }, resultParts(value), item, this.line);
      open = -1;
    }
  }

  /** The prompt of the last round, cached tokens inside; what earlier rounds of the request used is not recorded. */
  private addUsage(metadata: ReadonlyMap<string, JsonNode> | undefined, first: number): void {
    const input = asNumber(valueOf(metadata?.get('promptTokens')));
    const output = asNumber(valueOf(metadata?.get('outputTokens')));
    if (this.draft.columns.rowCount > first && this.answers >= first) this.draft.columns.mergeUsage(this.answers, { input, output });
  }

  private addEvents(node: JsonNode, fields: ReadonlyMap<string, JsonNode>, result: ReadonlyMap<string, JsonNode> | undefined, time: number | undefined): void {
    const error = asObject(valueOf(result?.get('errorDetails')));
    const isCanceled = valueOf(fields.get('isCanceled')) === true || error?.['code'] === 'canceled';
    if (isCanceled) this.event(node, 'interruption', 'isCanceled', 'The request was cancelled.', time);
    else if (error) this.event(node, 'error', 'errorDetails', firstLine(asString(error['message']) ?? stringifyJson(error), 160), time);
  }

  private event(node: JsonNode, kind: TraceEvent['kind'], sourceKind: string, label: string, time: number | undefined, data?: TraceEvent['data']): void {
    this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label, timestampMs: time, span: spanOf(node, this.line), ...(data ? { data } : {}) });
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, createdMs: this.createdMs }, (columns) => [linearThread(columns.n, [], false)]);
  }
}
