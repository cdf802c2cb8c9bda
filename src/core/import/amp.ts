import { asArray, asBoolean, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role, Usage } from '../trace/model';
import { anthropicParts, isKnownBlock } from './claude-decode';
import { contentParts, hasOwnText, idText, otherPart, textPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * Amp threads `T-….json` (kenn-io/agentsview internal/parser/amp.go; no public writer): Anthropic blocks, but results as
 * `{toolUseID, run{status, result | error}}`. `inputTokens` stands apart from cached ones; models of OpenAI report what
 * was not cached as cache writes, which they do not have.
 *
 * countsReasoning: true, as for the Messages API.
 */
export const amp: Format = {
  id: 'amp',
  title: 'Amp thread',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new AmpRun(context, node, line), elementsOrSelf),
  decode: (records) => records.flatMap((record) => ampParts(asObject(record)?.['content'] ?? record)),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => asArray(record) ?? [record]).map(asObject);
  const scores = objects.map((object): number => {
    const first = asObject(asArray(object?.['messages'])?.[0]);
    const isThread = asString(object?.['id'])?.startsWith('T-') === true && typeof object?.['created'] === 'number';
    return isThread && (first === undefined ? Array.isArray(object['messages']) : 'role' in first && Array.isArray(first['content'])) ? 0.96 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function ampParts(content: unknown): Part[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((value): Part[] => {
    const block = asObject(value);
    return block?.['type'] === 'tool_result' && 'toolUseID' in block ? [resultPart(block)] : anthropicParts([value]);
  });
}

function resultPart(block: JsonObject): Part {
  const run = asObject(block['run']) ?? {};
  const status = asString(run['status']);
  const result = run['result'];
  const failed = status === 'error' || status === 'cancelled' || status === 'rejected-by-user' || asObject(result)?.['success'] === false;
  const exitCode = asNumber(asObject(result)?.['exitCode']);
  const error = asString(asObject(run['error'])?.['message']);
  const content = result === undefined || result === null ? contentParts(error ?? status) : resultContent(result);
  return { type: 'tool_result', callId: idText(block['toolUseID']), content, ...(failed || (exitCode !== undefined && exitCode !== 0) ? { isError: true } : {}), ...(exitCode === undefined ? {} : { exitCode }) };
}

/** Shells answer `output`, readers `content`, editors `diff`; anything else is shown as JSON. */
function resultContent(result: unknown): ContentPart[] {
  const object = asObject(result);
  const text = asString(result) ?? asString(object?.['output']) ?? asString(object?.['content']) ?? asString(object?.['diff']);
  return [textPart(text ?? stringifyJson(result))];
}

function ampUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  const input = asNumber(usage?.['inputTokens']);
  const write = asNumber(usage?.['cacheCreationInputTokens']);
  const isOpenai = asString(usage?.['model'])?.startsWith('gpt-') === true;
  return { input: isOpenai ? (input ?? 0) + (write ?? 0) : input, cacheWrite: isOpenai ? undefined : write, cachedInput: asNumber(usage?.['cacheReadInputTokens']), output: asNumber(usage?.['outputTokens']) };
}

class AmpRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly title: string;
  private readonly createdMs: number | undefined;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    this.title = firstLine(asString(valueOf(fields.get('title'))) ?? '', 120);
    this.createdMs = timestampMs(valueOf(fields.get('created')));
    for (const message of fields.get('messages')?.elements() ?? []) this.addMessage(message);
  }

  private addMessage(node: JsonNode): void {
    const message = asObject(valueOf(node));
    const source = asString(message?.['role']) ?? 'unreadable message';
    this.context.count(source);
    if (!message) return this.context.unknown(source);
    if (source !== 'user' && source !== 'assistant') this.context.unknown(`role ${source}`);
    const parts = message['content'] === undefined ? [otherPart('message', message)] : ampParts(message['content']);
    for (const block of asArray(message['content']) ?? []) {
      const type = asString(asObject(block)?.['type']) ?? 'block without type';
      if (!isKnownBlock(type)) this.context.unknown(`block ${type}`);
    }
    const usage = asObject(message['usage']);
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const role: Role = source === 'assistant' ? 'assistant' : isResult ? 'tool' : 'user';
    const flags = role === 'user' ? (hasOwnText(parts) ? MessageFlag.instruction : MessageFlag.meta) : 0;
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(usage?.['timestamp'] ?? asObject(message['meta'])?.['sentAt']), model: asString(usage?.['model']) }, parts, node, this.line);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, ampUsage(usage));
    const state = asObject(message['state']);
    const type = asString(state?.['type']);
    if (type !== 'cancelled' && type !== 'error') return;
    this.draft.columns.addFlags(row, MessageFlag.failed);
    const isCut = type === 'cancelled' || asBoolean(message['interrupted']) === true;
    this.draft.events.push({ kind: isCut ? 'interruption' : 'error', sourceKind: `state ${type}`, thread: MAIN_THREAD, afterRow: row, label: isCut ? 'The answer was cancelled.' : 'The answer failed.', span: spanOf(node, this.line) });
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, createdMs: this.createdMs }, (columns) => [linearThread(columns.n, [], true)]);
  }
}
