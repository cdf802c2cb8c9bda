import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, TraceEvent } from '../trace/model';
import { clineContent, clineParts, isXmlResult } from './cline-parts';
import { timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { locate } from './located';

/**
 * `api_conversation_history.json` of Cline, Roo and Kilo (formats.md §17). In the text protocol the first tool tag of an
 * answer is its call, and the next user turn that says "[tool] Result:" answers it; ids are `xml-N` by position.
 *
 * countsReasoning: true. Thinking blocks are part of the stored history.
 */
export const cline: Format = {
  id: 'cline',
  title: 'Cline / Roo conversation history',
  reads: 'parts',
  detect,
  open: (context) => new ClineSession(context),
  decode: (records, { role }) => records.flatMap((record) => clineParts(record, role)),
};

function detect(sample: Sample): number {
  const list = sample.records[0];
  if (sample.records.length !== 1 || !Array.isArray(list) || list.length === 0) return 0;
  const objects = list.map(asObject);
  const fits = objects.every((object) => object && (((object['role'] === 'user' || object['role'] === 'assistant') && 'content' in object) || object['type'] === 'reasoning') && !('tool_calls' in object));
  if (!fits) return 0;
  const stamped = objects.filter((object) => typeof object!['ts'] === 'number').length / objects.length;
  const marked = objects.some((object) => object!['role'] === 'user' && clineContent(object).some((part) => (part.type === 'other' && part.kind === 'environment details') || (part.type === 'text' && part.text.startsWith('<task>'))));
  return stamped > 0.5 ? 0.96 : marked ? 0.95 : 0;
}

class ClineSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private waiting: string | null = null;
  private calls = 0;
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    for (const element of node.kind === 'array' ? node.elements() : [node]) this.addMessage(element, line);
  }

  private addMessage(node: JsonNode, line: number): void {
    this.context.count('message');
    const message = locate(node, line, this.context, 'message')?.value;
    if (!message) return;
    const said = clineContent(message);
    const role = this.roleOf(message, said);
    const parts = clineParts(message, role).map((part): Part => {
      if (part.type === 'tool_call' && part.id === '') {
        this.waiting = `xml-${++this.calls}`;
        return { ...part, id: this.waiting };
      }
      if (part.type !== 'tool_result' || part.callId !== '') return part;
      const callId = this.waiting ?? '';
      this.waiting = null;
      return { ...part, callId };
    });
    const model = asString(asObject(message['modelInfo'])?.['modelId']);
    const row = this.draft.addMessage({ role, flags: flagsOf(message, role, parts), timestampMs: timestampMs(message['ts']), model: role === 'assistant' ? model : undefined }, parts, node, line);
    const tokens = asObject(asObject(message['metrics'])?.['tokens']);
    if (tokens) this.draft.columns.mergeUsage(row, { input: asNumber(tokens['prompt']), cachedInput: asNumber(tokens['cached']), output: asNumber(tokens['completion']) });
    this.noteEvents(message, row, model, node, line);
  }

  private roleOf(message: JsonObject, said: readonly Part[]): Role {
    if (message['role'] !== 'user') return 'assistant';
    const results = said.some((part) => part.type === 'tool_result');
    if (results) return said.some((part) => part.type === 'text') ? 'user' : 'tool';
    return this.waiting !== null && isXmlResult(said) ? 'tool' : 'user';
  }

  private noteEvents(message: JsonObject, row: number, model: string | undefined, node: JsonNode, line: number): void {
    const push = (kind: EventKind, sourceKind: string, afterRow: number, label: string, data?: TraceEvent['data']): void => {
      this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow, timestampMs: timestampMs(message['ts']), label, ...(data ? { data } : {}), span: spanOf(node, line) });
    };
    if (message['isSummary'] === true) push('compaction', 'isSummary', row - 1, 'Conversation condensed', { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: row, firstKeptRow: null });
    if (message['isTruncationMarker'] === true) push('context-edit', 'isTruncationMarker', row, 'Older messages truncated');
    if (model === undefined) return;
    if (this.model !== undefined && this.model !== model) push('model-change', 'modelInfo', row - 1, `${this.model} → ${model}`);
    this.model = model;
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], true)])];
  }
}

function flagsOf(message: JsonObject, role: Role, parts: readonly Part[]): number {
  if (message['isSummary'] === true) return MessageFlag.compactSummary;
  if (role !== 'user') return 0;
  if (message['isTruncationMarker'] === true) return MessageFlag.meta;
  const own = parts.some((part) => part.type === 'text' && part.text.trim() !== '' && !/^\[ERROR\] You did not use a tool|^\[TASK RESUMPTION\]/.test(part.text));
  return own ? MessageFlag.instruction : MessageFlag.meta;
}
