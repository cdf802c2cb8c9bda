import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role, TraceEvent } from '../trace/model';
import { KNOWN_BLOCKS, anthropicParts, anthropicUsage, dropRepeatedCalls, isKnownBlock } from './claude-decode';
import { SCANNED_TYPES, SERVICE_TYPES, claudeEvent, claudeTitle } from './claude-records';
import { ClaudeThreads } from './claude-threads';
import { hasOwnText, timestampMs } from './content-parts';
import { DraftWriter } from './draft';
import { spanOf } from './format';
import { partChars } from './part-chars';
import { textKey } from './text-key';
import type { FileLinks, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';

/**
 * Claude Code session JSONL (formats.md §1). One API message is several lines with one `message.id`: one row, usage once
 * (largest of each class), since every line repeats it. Lines are deduplicated by uuid. Sidechains are threads.
 *
 * countsReasoning: true. Claude Code sends thinking blocks back with their signatures; the API keeps them within a tool
 * loop, and newer models keep those of earlier turns too.
 */
export const claudeCode: Format = {
  id: 'claude-code',
  title: 'Claude Code session',
  reads: 'whole',
  detect,
  open: (context) => new ClaudeSession(context),
  decode: (records) => {
    const seen = new Set<string>();
    return records.flatMap((record) => dropRepeatedCalls(lineParts(record), (id) => isNew(seen, id)));
  },
};

function detect(sample: Sample): number {
  let lines = 0;
  let service = 0;
  for (const record of sample.records) {
    const object = asObject(record);
    const type = asString(object?.['type']);
    if (!object || type === undefined) continue;
    const message = asObject(object['message']);
    // iFlow writes nearly the same lines, but repeats calls under new message ids: not to be read as this.
    if (asString(object['sessionId'])?.startsWith('session-')) return 0;
    // Qwen Code has `message.parts` instead of content.
    if (message && 'parts' in message) return 0;
    if ((type === 'user' || type === 'assistant') && 'uuid' in object && 'parentUuid' in object && 'sessionId' in object && message && 'content' in message) lines++;
    else if (SERVICE_TYPES.has(type) || type === 'system' || type === 'attachment') service += 'sessionId' in object || 'parentUuid' in object ? 1 : 0;
    else if (type === 'summary' && 'leafUuid' in object) service++;
  }
  if (lines > 0) return 0.95;
  return service > 0 && service * 2 > sample.records.length ? 0.6 : 0;
}

/** Adds, and says whether it was new. */
function isNew<T>(seen: Set<T>, value: T): boolean {
  const size = seen.size;
  return seen.add(value).size > size;
}

function lineParts(record: unknown): Part[] {
  return anthropicParts(asObject(asObject(record)?.['message'])?.['content']);
}

class ClaudeSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly threads = new ClaudeThreads(this.draft.columns);
  private readonly rowOfMessage = new Map<string, number>();
  /** Key of what a line says → its row. */
  private readonly rowOfLine = new Map<number, number>();
  /** Calls of each row, as row · 2³² + index of the id: streamed lines repeat them. */
  private readonly seenCalls = new Set<number>();
  private title = { rank: 0, text: '' };
  /** The last compaction, until its summary and the first kept line have been seen. */
  private compaction: TraceEvent | null = null;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    if (this.addScanned(record)) return;
    const value = record.node.value();
    const object = asObject(value);
    if (!object) {
      this.context.count('array');
      this.context.unknown('array');
      return;
    }
    const type = asString(object['type']) ?? 'record without type';
    this.context.count(type);
    const message = asObject(object['message']);
    if ((type === 'user' || type === 'assistant') && message) this.addLine(record, type, object, message);
    else this.addOther(record, type, object);
  }

  /** Big bookkeeping lines are not parsed: their links are enough. */
  private addScanned({ node }: SourceRecord): boolean {
    if (node.byteLength < 4096) return false;
    const head = new TextDecoder().decode(node.bytes.subarray(node.from, node.from + 1024));
    const type = SCANNED_TYPES.find((name) => head.includes(`"${name}"`));
    if (!type) return false;
    const fields = node.fields();
    if (fields.get('type')?.text() !== `"${type}"`) return false;
    this.context.count(type);
    const link = (name: string): string | null => asString(fields.get(name)?.value()) ?? null;
    this.threads.link(link('uuid') ?? undefined, link('parentUuid'), fields.get('isSidechain')?.text() === 'true', link('agentId'));
    return true;
  }

  private addLine(record: SourceRecord, type: 'user' | 'assistant', object: JsonObject, message: JsonObject): void {
    const uuid = asString(object['uuid']);
    if (uuid !== undefined) {
      const before = this.threads.rowOf(uuid);
      if (before >= 0) {
        // Some versions write the kept tail again after a boundary, with the same uuids.
        if (this.compaction?.data) this.compaction.data['firstKeptRow'] ??= before;
        this.threads.rewritten(uuid);
        return;
      }
    }
    const parts = anthropicParts(message['content']);
    const copied = this.copyOf(object, message, parts);
    if (copied >= 0) {
      this.threads.message(uuid, object, copied);
      return;
    }
    const row = type === 'user' ? this.addUser(record, object, parts) : this.addAssistant(record, object, message, parts);
    this.threads.message(uuid, object, row);
    this.countBlocks(message['content']);
  }

  /** Row of a line that this one repeats under a new uuid: a resumed session is copied so, times and message ids kept (import-cases.md D36); −1 = none. */
  private copyOf(object: JsonObject, message: JsonObject, parts: readonly Part[]): number {
    const key = this.lineKey(object, message, parts);
    if (key === null) return -1;
    const row = this.rowOfLine.get(key);
    // The row that this line is about to go to.
    if (row === undefined) this.rowOfLine.set(key, this.rowOfMessage.get(asString(message['id']) ?? '') ?? this.draft.columns.rowCount);
    return row ?? -1;
  }

  /** A key for what a line hangs on, its time, message and content; null = it has no time or its parent is not known yet, so that nothing can be said. */
  private lineKey(object: JsonObject, message: JsonObject, parts: readonly Part[]): number | null {
    const time = asString(object['timestamp']);
    const parent = asString(object['parentUuid']);
    if (time === undefined || (parent !== undefined && !this.threads.knows(parent))) return null;
    const said = parts.map((part) => {
      if (part.type === 'tool_call') return `call ${part.id}`;
      if (part.type === 'tool_result') return `result ${part.callId}`;
      return part.type === 'text' || part.type === 'reasoning' ? `${part.type} ${part.text.length} ${part.text.slice(0, 80)}` : `${part.type} ${partChars(part)}`;
    });
    const id = asString(message['id']);
    // The lines of one answer hang on one another: all of them are in its row.
    const above = id === undefined && parent !== undefined ? this.threads.rowOf(parent) : -1;
    const side = object['isSidechain'] === true ? (asString(object['agentId']) ?? 'side') : '';
    return textKey([above, time, id ?? '', side, ...said].join('\n'));
  }

  private addUser(record: SourceRecord, object: JsonObject, parts: readonly Part[]): number {
    const role: Role = parts.length > 0 && parts.every((part) => part.type === 'tool_result') ? 'tool' : 'user';
    let flags = 0;
    if (object['isMeta'] === true) flags |= MessageFlag.meta;
    if (object['isCompactSummary'] === true) flags |= MessageFlag.compactSummary;
    if (object['isSidechain'] === true) flags |= MessageFlag.sidechain;
    if (role === 'user' && flags === 0 && hasOwnText(parts)) flags |= MessageFlag.instruction;
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(object['timestamp']) }, parts, record.node, record.line);
    if (flags & MessageFlag.compactSummary && this.compaction?.data) this.compaction.data['summaryRow'] = row;
    this.threads.results(object, parts);
    this.threads.prompt(row, parts);
    if (parts.some((part) => part.type === 'text' && part.text.startsWith('[Request interrupted by user'))) {
      this.draft.events.push({ kind: 'interruption', sourceKind: 'user', thread: '', afterRow: row, label: 'Interrupted by the user', span: spanOf(record.node, record.line) });
    }
    return row;
  }

  private addAssistant(record: SourceRecord, object: JsonObject, message: JsonObject, parts: Part[]): number {
    const id = asString(message['id']);
    const { columns } = this.draft;
    let row = id === undefined ? undefined : this.rowOfMessage.get(id);
    const model = asString(message['model']);
    const synthetic = model === '<synthetic>';
    if (row === undefined) {
      let flags = synthetic ? MessageFlag.synthetic : 0;
      if (object['isSidechain'] === true) flags |= MessageFlag.sidechain;
      if (object['isApiErrorMessage'] === true || object['isAbortedMidStream'] === true) flags |= MessageFlag.failed;
      row = columns.addRow({ role: 'assistant', flags, timestampMs: timestampMs(object['timestamp']), model, callKey: id });
      if (id !== undefined) this.rowOfMessage.set(id, row);
    }
    columns.addSpan(row, spanOf(record.node, record.line));
    const base = row * 2 ** 32;
    const own = dropRepeatedCalls(parts, (callId) => isNew(this.seenCalls, base + columns.intern(callId)));
    columns.addParts(row, own);
    if (!synthetic) columns.mergeUsage(row, anthropicUsage(message['usage']));
    this.threads.calls(own);
    return row;
  }

  private addOther(record: SourceRecord, type: string, object: JsonObject): void {
    const uuid = asString(object['uuid']);
    const title = claudeTitle(type, object);
    if (title && title.rank >= this.title.rank) this.title = title;
    const facts = claudeEvent(type, object);
    const isBoundary = facts?.kind === 'compaction';
    // A boundary has no parent of its own; '' is no uuid, so that the line before it is taken where nothing is recorded.
    const parent = asString(object['parentUuid']) ?? asString(object['logicalParentUuid']) ?? (isBoundary ? '' : null);
    this.threads.link(uuid, parent, object['isSidechain'] === true, asString(object['agentId']) ?? null);
    if (facts) {
      const event: TraceEvent = { ...facts, thread: '', afterRow: this.draft.columns.rowCount - 1, timestampMs: timestampMs(object['timestamp']), span: spanOf(record.node, record.line) };
      this.draft.events.push(event);
      if (isBoundary) this.compaction = event;
    } else if (!SERVICE_TYPES.has(type) && type !== 'system' && !title) {
      this.context.unknown(type);
      this.draft.events.push({ kind: 'other', sourceKind: type, thread: '', afterRow: this.draft.columns.rowCount - 1, label: type, span: spanOf(record.node, record.line) });
    }
  }

  private countBlocks(content: unknown): void {
    for (const block of asArray(content) ?? []) {
      const type = asString(asObject(block)?.['type']) ?? 'block without type';
      if (!KNOWN_BLOCKS.has(type) && !isKnownBlock(type)) this.context.unknown(`block ${type}`);
    }
  }

  links(): FileLinks { return this.threads.links(); }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    const draft = this.draft.build({ name: this.title.text || this.context.baseName }, (columns) => this.threads.build(columns));
    const threadOf = new Map<number, string>();
    for (const thread of draft.threads) {
      for (const rows of [thread.main, ...thread.branches.map((branch) => branch.rows)]) for (const row of rows) if (!threadOf.has(row)) threadOf.set(row, thread.id);
    }
    draft.events = draft.events.map((event) => ({ ...event, data: event.data && { ...event.data }, thread: threadOf.get(event.afterRow) ?? draft.threads[0]!.id }));
    return [draft];
  }
}
