import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role } from '../trace/model';
import { contentParts, otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate } from './embedded-json';
import type { Located } from './embedded-json';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { openaiUsage } from './openai-decode';
import { PromptHistory } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * VS Code Copilot Chat replay exports (formats.md §18): prompts with their log of requests and tool calls. Requests repeat
 * the whole prompt, which is put together again; helper requests with a prompt of their own become threads.
 *
 * countsReasoning: false. The recorded requests say what went back.
 */
export const copilotChatReplay: Format = {
  id: 'copilot-chat-replay',
  title: 'VS Code Copilot chat replay',
  reads: 'parts',
  detect,
  open: (context) => new ReplaySession(context),
  decode: (records, facts) => records.flatMap((record) => recordParts(record, facts.role)),
};

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    const logs = asArray(asObject(asArray(object?.['prompts'])?.[0])?.['logs']);
    if (!logs) return 0;
    const isLog = logs.every((log) => typeof asObject(log)?.['kind'] === 'string');
    return isLog ? ('exportedAt' in object! || 'totalLogEntries' in object! ? 0.97 : 0.85) : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

/** VS Code's own codes, in their order. */
const ROLE_CODES: readonly Role[] = ['system', 'user', 'assistant', 'tool'];

function roleOf(value: unknown): Role {
  const role = asObject(value)?.['role'];
  if (typeof role === 'number') return ROLE_CODES[role] ?? 'user';
  return role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';
}

/** A request's message, a response, or a tool's log entry. */
function recordParts(record: unknown, role: Role): Part[] {
  const object = asObject(record);
  if (!object) return [otherPart('record', record)];
  if (object['kind'] === 'toolCall') return toolParts(object, role);
  // A request that got no response.
  if (object['kind'] === 'request') return [];
  if (!('role' in object) && 'message' in object) return (asArray(object['message']) ?? [object['message']]).flatMap((text) => contentParts(text));
  const content = (asArray(object['content']) ?? [object['content']]).flatMap(block);
  if (role === 'tool') return [{ type: 'tool_result', callId: asString(object['toolCallId']) ?? '', content }];
  const calls = (asArray(object['toolCalls']) ?? []).map((value): Part => {
    const body = asObject(asObject(value)?.['function']);
    return toolCall(asObject(value)?.['id'], body?.['name'], body?.['arguments']);
  });
  return [...content, ...calls];
}

function block(value: unknown): ContentPart[] {
  const object = asObject(value);
  if (typeof object?.['text'] === 'string') return [textPart(object['text'])];
  // A mark for the provider's cache, no content.
  if (object && 'cacheType' in object) return [];
  const url = asString(asObject(object?.['imageUrl'])?.['url']);
  return url === undefined ? contentParts(value) : contentParts([{ type: 'image_url', image_url: { url } }]);
}

/** The editor adds a counter to the ids that the model knows. */
function toolId(entry: JsonObject): string {
  return (asString(entry['id']) ?? '').replace(/__vscode-\d+$/, '');
}

function toolParts(entry: JsonObject, role: Role): Part[] {
  const name = asString(entry['tool']) ?? '';
  if (role !== 'tool') {
    const thinking = entry['thinking'];
    const text = asString(thinking) ?? asString(asObject(thinking)?.['text']);
    return [...(text ? [reasoningPart(text)] : []), toolCall(toolId(entry), name, entry['args'])];
  }
  const output = (asArray(entry['response']) ?? [entry['response']]).flatMap((value) => (typeof value === 'string' || value === undefined || value === null ? contentParts(value) : [textPart(stringifyJson(value))]));
  return [{ type: 'tool_result', callId: toolId(entry), toolName: name, content: output }];
}

class ReplaySession implements FormatSession {
  private readonly records: { at: Located; line: number }[] = [];
  private readonly sums: FileCounts = { messages: 0, toolCalls: 0, toolResults: 0, matchedPairs: 0 };

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    this.records.push({ at: locate(node, line), line });
    for (const prompt of node.field('prompts')?.elements() ?? []) {
      this.sums.messages++;
      for (const log of prompt.field('logs')?.elements() ?? []) {
        const entry = log.fields();
        const kind = asString(valueOf(entry.get('kind'))) ?? 'log';
        this.context.count(kind);
        if (kind !== 'toolCall') continue;
        this.sums.toolCalls++;
        if (!entry.has('response')) continue;
        this.sums.toolResults++;
        this.sums.matchedPairs++;
      }
    }
  }

  counts(): FileCounts { return { ...this.sums }; }

  build(): TrajectoryDraft[] { return this.records.map(({ at }, i) => buildReplay(at, this.records.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName)); }
}

function buildReplay(at: Located, fallbackName: string): TrajectoryDraft {
  const draft = new DraftWriter();
  const history = new PromptHistory(draft);
  const prompts = at.node.field('prompts')?.elements() ?? [];
  const typed = prompts.map((prompt) => (asString(valueOf(prompt.field('prompt'))) ?? '').trim()).filter((text) => text !== '');
  for (const prompt of prompts) {
    for (const log of prompt.field('logs')?.elements() ?? []) {
      // What is no valid JSON has no span that could be read again.
      const kind = asString(asObject(valueOf(log))?.['kind']);
      if (kind === 'request') addRequest(draft, history, at, log, typed);
      else if (kind === 'toolCall') addTool(history, at, log);
    }
  }
  history.finish();
  const threads = history.threads();
  const name = typed[0] === undefined ? fallbackName : firstLine(typed[0], 80);
  return draft.build({ name, createdMs: timestampMs(valueOf(at.node.field('exportedAt'))) }, () => (threads.length > 0 ? threads : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }]));
}

function addRequest(draft: DraftWriter, history: PromptHistory, at: Located, log: JsonNode, typed: readonly string[]): void {
  const fields = log.fields();
  const metadata = asObject(valueOf(fields.get('metadata')));
  const messages = fields.get('requestMessages');
  const list = messages?.kind === 'array' ? messages.elements() : (messages?.field('messages')?.elements() ?? []);
  const inputs = list.map((node): PromptMessage => {
    const value = valueOf(node);
    const role = roleOf(value);
    const parts = recordParts(value, role);
    const isTyped = parts.some((part) => part.type === 'text' && typed.some((text) => part.text.includes(text)));
    return { role, parts, spans: [at.span(node)], flags: role !== 'user' ? 0 : isTyped ? MessageFlag.instruction : MessageFlag.meta };
  });
  const response = fields.get('response');
  const kind = asString(valueOf(response?.field('type'))) ?? asString(valueOf(fields.get('type'))) ?? '';
  const failed = !response || !/success/i.test(kind);
  const source = response ?? log;
  const output: PromptMessage = { role: 'assistant', parts: recordParts(valueOf(source), 'assistant'), spans: [at.span(source)], flags: failed ? MessageFlag.failed : 0 };
  const start = timestampMs(metadata?.['startTime']);
  const row = history.addCall({
    inputs, outputs: [output], usage: openaiUsage(metadata?.['usage']), model: asString(metadata?.['model']), timestampMs: start, endMs: start === undefined ? undefined : start + (asNumber(metadata?.['duration']) ?? 0),
    agent: asString(valueOf(fields.get('name'))), tools: toolSchemas(metadata?.['tools']), span: at.span(log), callKey: asString(metadata?.['requestId']),
  });
  if (failed) draft.events.push({ kind: 'error', sourceKind: `request ${kind}`, thread: history.threadOf(row), afterRow: row, label: `The request ended as ${kind || 'unknown'}.`, span: at.span(log) });
}

function addTool(history: PromptHistory, at: Located, log: JsonNode): void {
  const entry = asObject(valueOf(log));
  if (!entry) return;
  const spans = [at.span(log)];
  history.addTool({ id: toolId(entry), name: asString(entry['tool']) ?? '', timestampMs: timestampMs(entry['time']), call: { parts: recordParts(entry, 'assistant'), spans }, result: 'response' in entry ? { parts: recordParts(entry, 'tool'), spans } : null });
}
