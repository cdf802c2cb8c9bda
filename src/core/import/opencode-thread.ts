import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, TraceEvent } from '../trace/model';
import { idText, timestampMs } from './content-parts';
import type { DraftWriter } from './draft';
import { spanOf } from './format';
import type { FormatContext } from './format';
import type { Located } from './located';
import { hasContent, isKnownPart, opencodeParts, opencodeUsage } from './opencode-parts';

/** A message's own record; `at` is null where only its parts were recorded. */
export interface MessageInfo { value: JsonObject; at: Located | null }

/** Results cleared within this time were cleared by one pruning. */
const PRUNE_GAP_MS = 1000;

/** One OpenCode session as a thread: adds its messages, in order, to the columns of a trajectory. */
export class OpencodeThread {
  readonly rows: number[] = [];
  /** Child session → the task call whose result names it. */
  readonly callOfSession = new Map<string, string>();
  private readonly rowOfMessage = new Map<string, number>();
  private readonly cleared: { ms: number; callId: string }[] = [];
  private compaction: TraceEvent | null = null;
  private keptId: string | undefined;
  private model: string | undefined;

  constructor(private readonly draft: DraftWriter, private readonly thread: string, private readonly sidechain: boolean) {}

  rowOf(messageId: string | undefined): number | undefined { return messageId === undefined ? undefined : this.rowOfMessage.get(messageId); }

  addMessage(info: MessageInfo, parts: readonly Located[]): void {
    const role: Role = info.value['role'] === 'user' ? 'user' : info.value['role'] === 'system' ? 'system' : 'assistant';
    const content = parts.filter(({ value }) => hasContent(value));
    // Bookkeeping parts decode to nothing, so any of them can stand for a message without content.
    const spans = [...(info.at ? [info.at] : content.length === 0 ? parts.slice(0, 1) : []), ...content];
    const decoded = opencodeParts(spans.map(({ value }) => value), role);
    const time = timestampMs(asObject(info.value['time'])?.['created']);
    const model = asString(info.value['modelID']);
    const id = asString(info.value['id']);
    const { columns } = this.draft;
    const row = columns.addRow({ role, flags: this.flagsOf(role, info.value, decoded), timestampMs: time, model: role === 'assistant' ? model : undefined, callKey: role === 'assistant' ? id : undefined });
    for (const { node, line } of spans) columns.addSpan(row, spanOf(node, line));
    columns.addParts(row, decoded);
    this.rows.push(row);
    if (id !== undefined) this.rowOfMessage.set(id, row);
    if (role === 'assistant') {
      columns.mergeUsage(row, opencodeUsage(info.value['tokens']));
      this.noteModel(row, model, info, time);
      this.noteError(row, info, time);
      if (info.value['summary'] === true && this.compaction?.data) this.compaction.data['summaryRow'] = row;
    }
    for (const part of parts) this.notePart(row, part, time);
  }

  private flagsOf(role: Role, info: JsonObject, parts: readonly Part[]): number {
    let flags = this.sidechain ? MessageFlag.sidechain : 0;
    if (role === 'user' && !this.sidechain) flags |= parts.some((part) => part.type === 'text') ? MessageFlag.instruction : MessageFlag.meta;
    if (role === 'assistant' && info['error'] !== undefined && info['error'] !== null) flags |= MessageFlag.failed;
    if (role === 'assistant' && info['summary'] === true) flags |= MessageFlag.compactSummary;
    return flags;
  }

  private noteModel(row: number, model: string | undefined, info: MessageInfo, time: number | undefined): void {
    // The model that writes a summary is not the one that goes on.
    if (model === undefined || info.value['summary'] === true) return;
    if (this.model !== undefined && this.model !== model) this.event('model-change', 'modelID', row - 1, `${this.model} → ${model}`, info.at, time);
    this.model = model;
  }

  private noteError(row: number, info: MessageInfo, time: number | undefined): void {
    const error = asObject(info.value['error']);
    if (!error) return;
    const name = asString(error['name']) ?? 'error';
    const text = asString(asObject(error['data'])?.['message']) ?? asString(error['message']) ?? '';
    const done = timestampMs(asObject(info.value['time'])?.['completed']) ?? time;
    this.event(name === 'MessageAbortedError' ? 'interruption' : 'error', name, row, firstLine(text, 160) || name, info.at, done);
  }

  private notePart(row: number, part: Located, time: number | undefined): void {
    const { value } = part;
    const type = asString(value['type']);
    if (type === 'tool') this.noteTool(value);
    else if (type === 'retry') {
      const text = asString(asObject(asObject(value['error'])?.['data'])?.['message']) ?? 'The model call was tried again';
      this.event('retry', type, row, firstLine(text, 160), part, timestampMs(asObject(value['time'])?.['created']) ?? time).data = { attempt: asNumber(value['attempt']) ?? null };
    } else if (type === 'compaction') {
      const auto = value['auto'] === true;
      this.compaction = this.event('compaction', type, row, auto ? 'Compacted automatically' : 'Compacted on request', part, time);
      this.compaction.data = { tokensBefore: null, tokensAfter: null, trigger: auto ? 'auto' : 'manual', summaryRow: null, firstKeptRow: null };
      this.keptId = asString(value['tail_start_id']);
      const kept = this.rowOf(this.keptId);
      if (kept !== undefined) this.compaction.data['firstKeptRow'] = kept;
    }
  }

  private noteTool(part: JsonObject): void {
    const state = asObject(part['state']) ?? {};
    const callId = idText(part['callID']);
    const child = asString(asObject(state['metadata'])?.['sessionId']);
    if (child !== undefined) this.callOfSession.set(child, callId);
    const cleared = asNumber(asObject(state['time'])?.['compacted']);
    if (cleared !== undefined) this.cleared.push({ ms: cleared, callId });
  }

  private event(kind: EventKind, sourceKind: string, afterRow: number, label: string, at: Located | null, time: number | undefined): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: this.thread, afterRow, timestampMs: time, label, ...(at ? { span: spanOf(at.node, at.line) } : {}) };
    this.draft.events.push(event);
    return event;
  }

  /** Messages that a revert has hidden from the model, and results whose output was pruned from the context. */
  finish(session: Located | undefined, timeOfRow: (row: number) => number): void {
    const revert = asObject(session?.value['revert']);
    const from = this.rowOf(asString(revert?.['messageID']));
    if (session && from !== undefined) this.event('checkpoint', 'revert', from - 1, 'Reverted: what follows is not sent any more', session, undefined);
    const ordered = this.cleared.sort((a, b) => a.ms - b.ms);
    for (let i = 0; i < ordered.length; ) {
      const start = i;
      while (i < ordered.length && (i === start || ordered[i]!.ms - ordered[i - 1]!.ms < PRUNE_GAP_MS)) i++;
      const { ms } = ordered[i - 1]!;
      const afterRow = this.rows.findLast((row) => timeOfRow(row) <= ms) ?? this.rows[0] ?? -1;
      this.draft.events.push({
        kind: 'context-edit', sourceKind: 'time.compacted', thread: this.thread, afterRow, timestampMs: ms, label: `${i - start} tool results cleared from the context`,
        // Pruning clears from the oldest on, so that the count so far says which ones are gone; the ids say it exactly.
        data: { cleared_tool_uses: i, callIds: ordered.slice(start, i).map(({ callId }) => callId).join('\n') },
      });
    }
  }
}

/** Counts a part by its kind. */
export function countPart(part: JsonObject, context: FormatContext): void {
  const type = asString(part['type']) ?? 'part without type';
  context.count(type);
  if (!isKnownPart(type)) context.unknown(`part ${type}`);
}
